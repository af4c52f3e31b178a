extension NetworkingError {
  /// Why there is no credential to send a request with.
  public enum Authentication: Sendable, Hashable, CustomStringConvertible {
    /// None was set.
    case missingCredential
    /// It was refreshed as often as is allowed within this time: something refuses every new one.
    case excessiveRefresh(limit: Int, within: Duration)
    /// It could not be refreshed.
    case refreshFailed(Underlying)
    /// The server challenges in a way that is not known. In words.
    case unsupportedChallenge(String)
    /// The content would have to be read twice, to be signed or to be sent again with an answer to a challenge, and can be read only once.
    case bodyNotRepeatable

    /// Human words.
    public var description: String {
      switch self {
      case .missingCredential: "there is no credential"
      case .excessiveRefresh(let limit, let within):
        "the credential was refreshed \(limit) times within \(within.words), and it is still refused"
      case .unsupportedChallenge(let detail): "the server wants what is not supported: \(detail)"
      case .bodyNotRepeatable: "the credential needs the body to be read twice, and it can be read only once"
      case .refreshFailed(let error): "the credential could not be refreshed: \(error)"
      }
    }
  }
}
