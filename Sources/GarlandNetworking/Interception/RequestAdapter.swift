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
/// A session calls the adapter before each attempt, with the request as the caller made it. Add the
/// name of a credential field that is not a well-known one to ``TransferRequest/credentialFields``,
/// so that a redirect does not carry it to another origin.
public protocol RequestAdapter: Sendable {
  /// Returns the request to send. A thrown error fails the request as
  /// ``NetworkingError/Reason/adaptation(_:)``, unless it is a ``NetworkingError`` itself.
  func adapt(_ request: TransferRequest) async throws -> TransferRequest
}
