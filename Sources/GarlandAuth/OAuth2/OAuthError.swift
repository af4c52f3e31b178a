public import GarlandCrypto
public import GarlandTransfer

/// Why there is no token.
public enum OAuthError: Error, Sendable, Hashable, CustomStringConvertible {
  /// An endpoint of the provider's, for messages.
  public enum Endpoint: String, Sendable, Hashable {
    /// Where tokens come from.
    case token = "token endpoint"
    /// Where users are sent.
    case authorization = "authorization endpoint"
    /// Where devices begin.
    case device = "device authorization endpoint"
    /// Where the provider describes itself.
    case discovery = "provider's metadata"
    /// Where its keys are.
    case keys = "provider's keys"
    /// Where it is told that a token is not needed any more (RFC 7009).
    case revocation = "revocation endpoint"
  }

  /// The provider said no, in the form of RFC 6749 section 5.2 or 4.1.2.1.
  case refused(OAuthRefusal, Endpoint)
  /// The provider could not be asked.
  case transport(NetworkingError.Reason, Endpoint, isUnreachable: Bool)
  /// The provider's answer is not what the RFCs say.
  case invalidResponse(String, Endpoint)
  /// The redirect back to the client is not the answer to what was asked.
  case invalidCallback(String)
  /// An ID token is not valid.
  case idToken(TokenError)
  /// A key or a secret of the client's cannot be used.
  case key(String)
  /// Something is missing from the configuration.
  case configuration(String)
  /// Nobody has let the client in within the time that there was.
  case timeUp(String)
  /// The workflow or the person who should have walked the provider's pages did not arrive.
  case authorization(String)
  /// The cache of tokens could not be read or written.
  case cache(String)
  /// Whoever waited does not any more.
  case cancelled

  /// One sentence for people, in the words of the RFCs where they have them.
  public var description: String {
    switch self {
    case .refused(let refusal, let endpoint): "the \(endpoint.rawValue) refused: \(refusal)"
    case .transport(let reason, let endpoint, _): "the \(endpoint.rawValue) could not be asked: \(reason)"
    case .invalidResponse(let detail, let endpoint): "the answer of the \(endpoint.rawValue) is not valid: \(detail)"
    case .invalidCallback(let detail): "the redirect from the authorization endpoint is not valid: \(detail)"
    case .idToken(let error): "the ID token is not valid: \(error)"
    case .key(let detail), .configuration(let detail), .authorization(let detail): detail
    case .timeUp(let detail): detail
    case .cache(let detail): "the token cache cannot be used: \(detail)"
    case .cancelled: "cancelled while waiting for a token"
    }
  }

  /// Whether the provider could not be reached at all.
  public var isUnreachable: Bool { if case .transport(_, _, let isUnreachable) = self { isUnreachable } else { false } }

  /// Whether asking again with the same would end the same: the provider has decided.
  var isFinal: Bool {
    switch self {
    case .refused(let refusal, _): refusal.isFinal
    case .configuration, .key: true
    default: false
    }
  }
}
