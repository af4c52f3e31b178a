/// Changes requests before they are sent.
///
/// ```swift
/// struct APIKey: RequestAdapter {
///   let key: String
///   func adapt(_ request: TransferRequest) async throws -> TransferRequest {
///     var request = request
///     request.headerFields[.authorization] = "Key \(key)"
///     return request
///   }
/// }
/// ```
/// It is asked anew for each attempt, with the request as the caller made it. A field with a credential whose name is not one of the known ones
/// belongs into ``TransferRequest/credentialFields``, so that a redirect does not carry it elsewhere.
public protocol RequestAdapter: Sendable {
  /// The request to send. What is thrown is the request's error, as ``NetworkingError/Reason/adaptation(_:)``, unless it is a
  /// ``NetworkingError`` itself.
  func adapt(_ request: TransferRequest) async throws -> TransferRequest
}
