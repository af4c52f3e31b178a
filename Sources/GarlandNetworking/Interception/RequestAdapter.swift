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
/// A session calls the adapter before each attempt, always with the caller's original request. If the
/// adapter sets a credential in a field that is not well known for credentials, add the field's name
/// to ``TransferRequest/credentialFields``, so that a redirect does not carry it to another origin.
public protocol RequestAdapter: Sendable {
  /// Returns the request to send. A thrown error fails the request as
  /// ``NetworkingError/Reason/adaptation(_:)``, unless it is a ``NetworkingError`` itself.
  func adapt(_ request: TransferRequest) async throws -> TransferRequest
}
