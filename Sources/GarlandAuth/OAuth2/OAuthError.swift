public import GarlandCrypto
public import GarlandTransfer

/// The reason why no token was obtained.
public enum OAuthError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The endpoint or URL of the provider at which an error occurred. The raw value is its name in error messages.
  public enum Endpoint: String, Sendable, Hashable {
    /// The error comes from the token endpoint.
    case token = "token endpoint"
    /// The error comes from the authorization endpoint.
    case authorization = "authorization endpoint"
    /// The error comes from the device authorization endpoint.
    case device = "device authorization endpoint"
    /// The error occurred at the URL of the provider's metadata.
    case discovery = "provider's metadata URL"
    /// The error occurred at the URL of the provider's keys, which verify ID tokens.
    case keys = "provider's key URL"
    /// The error comes from the revocation endpoint (RFC 7009).
    case revocation = "revocation endpoint"
  }

  /// The provider refused the request with an error response as defined in RFC 6749 section 5.2 or 4.1.2.1.
  case refused(OAuthRefusal, Endpoint)
  /// The request to the provider failed.
  case transport(NetworkingError.Reason, Endpoint, isUnreachable: Bool)
  /// The provider's response is not what the RFCs require.
  case invalidResponse(String, Endpoint)
  /// The redirect from the authorization endpoint is not valid, or belongs to another authorization request. The associated value is the
  /// reason.
  case invalidCallback(String)
  /// An ID token is invalid.
  case idToken(TokenError)
  /// A key or a secret of the client is unusable.
  case key(String)
  /// The configuration lacks a required value.
  case configuration(String)
  /// The time limit was exceeded before a user allowed the client to get a token.
  case timeUp(String)
  /// The user or the workflow did not complete the provider's login pages.
  case authorization(String)
  /// The token cache could not be read or written.
  case cache(String)
  /// The task that waited for the token was cancelled.
  case cancelled

  /// The error message: one sentence, with the terms of the OAuth RFCs.
  public var description: String {
    switch self {
    case .refused(let refusal, let endpoint): "the \(endpoint.rawValue) refused the request with \(refusal)"
    case .transport(let reason, let endpoint, _):
      // Without the client's certificate, no request is sent.
      if case .tls(.clientCertificate, _) = reason { "\(reason)" } else { "the request to the \(endpoint.rawValue) failed: \(reason)" }
    case .invalidResponse(let detail, let endpoint): "the response of the \(endpoint.rawValue) is not valid: \(detail)"
    case .invalidCallback(let detail): "the redirect from the authorization endpoint is not valid: \(detail)"
    case .idToken(let error): "the ID token is not valid: \(error)"
    case .key(let detail), .configuration(let detail), .authorization(let detail): detail
    case .timeUp(let detail): detail
    case .cache(let detail): "the token cache cannot be used: \(detail)"
    case .cancelled: "cancelled while waiting for a token"
    }
  }

  /// Whether the provider was unreachable.
  public var isUnreachable: Bool { if case .transport(_, _, let isUnreachable) = self { isUnreachable } else { false } }

  /// Whether the error is final, so that the same request would fail again.
  var isFinal: Bool {
    switch self {
    case .refused(let refusal, _): refusal.isFinal
    case .configuration, .key: true
    default: false
    }
  }
}
