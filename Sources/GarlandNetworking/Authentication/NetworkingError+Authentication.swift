extension NetworkingError {
  /// Why there is no credential to send a request with.
  public enum Authentication: Sendable, Hashable, CustomStringConvertible {
    /// None was set.
    case missingCredential
    /// It was refreshed as often as is allowed within this time: something refuses every new one.
    case excessiveRefresh(limit: Int, within: Duration)
    /// It could not be refreshed.
    case refreshFailed(Underlying)

    /// Human words.
    public var description: String {
      switch self {
      case .missingCredential: "there is no credential"
      case .excessiveRefresh(let limit, let within):
        "the credential was refreshed \(limit) times within \(within.words), and it is still refused"
      case .refreshFailed(let error): "the credential could not be refreshed: \(error)"
      }
    }
  }
}
