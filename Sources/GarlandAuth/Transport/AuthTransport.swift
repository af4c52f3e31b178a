public import GarlandTransfer

/// What a request to the provider is for.
public enum AuthPurpose: String, Sendable, Hashable {
  /// For a token.
  case token
  /// For a code that a device shows.
  case device = "device authorization"
  /// For the provider's metadata.
  case discovery
  /// For the provider's keys.
  case keys
  /// To be rid of a token.
  case revocation
}

/// How requests reach the provider.
public protocol AuthTransport: Sendable {
  /// Sends a request as it is; its settings say no more than what must be so: no redirects, a limit to the body, a client's certificate.
  func send(_ request: TransferRequest, for purpose: AuthPurpose) async throws(NetworkingError) -> TransferResponse
}
