extension NetworkingError {
  /// The reason why a request could not be authenticated.
  public enum Authentication: Sendable, Hashable, CustomStringConvertible {
    /// No credential was set.
    case missingCredential
    /// The credential was refreshed `limit` times, which is the maximum number of refreshes within the duration `within`. Every refreshed
    /// credential was refused.
    case excessiveRefresh(limit: Int, within: Duration)
    /// The refresh of the credential failed.
    case refreshFailed(Underlying)
    /// The server sent a challenge that is not supported. The associated value describes it.
    case unsupportedChallenge(String)
    /// The body would have to be read twice, for a signature or for the answer to a challenge, but it can be read only once.
    case bodyNotRepeatable

    /// The error message.
    public var description: String {
      switch self {
      case .missingCredential: "there is no credential"
      case .excessiveRefresh(let limit, let within):
        "the credential was refreshed \(limit) times within \(within.words), and it is still refused"
      case .unsupportedChallenge(let detail): "the server requires an unsupported feature: \(detail)"
      case .bodyNotRepeatable: "the credential needs the body to be read twice, and it can be read only once"
      case .refreshFailed(let error): "the credential could not be refreshed: \(error)"
      }
    }
  }
}
