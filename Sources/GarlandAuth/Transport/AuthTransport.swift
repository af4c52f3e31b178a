public import GarlandTransfer

/// The purpose of a request to the provider. An ``AuthTransport`` receives it with each request.
public enum AuthPurpose: String, Sendable, Hashable {
  /// A request for a token.
  case token
  /// A request for a code that a device shows.
  case device = "device authorization"
  /// A request for the provider's metadata.
  case discovery
  /// A request for the public keys with which the provider's ID tokens are checked.
  case keys
  /// A request to revoke a token.
  case revocation
}

/// Sends requests to an OAuth provider.
public protocol AuthTransport: Sendable {
  /// Sends a request unchanged. The request's settings contain only the necessary restrictions: no redirects, a body limit, and possibly a
  /// client certificate.
  func send(_ request: TransferRequest, for purpose: AuthPurpose) async throws(NetworkingError) -> TransferResponse
}
