/// What works, and is probably not what was meant. A session tells each kind once.
public enum SessionWarning: Sendable, Hashable, CustomStringConvertible {
  /// A GET request has content: servers may ignore or refuse it (RFC 9110, section 9.3.1).
  case contentInGet

  /// Human words.
  public var description: String {
    switch self {
    case .contentInGet: "a GET request is sent with content, which servers may ignore or refuse"
    }
  }
}
