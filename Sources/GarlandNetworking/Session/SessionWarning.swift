/// A warning about code that works but is probably a mistake. A session reports each kind of warning only once.
public enum SessionWarning: Sendable, Hashable, CustomStringConvertible {
  /// A GET request has content. Servers may ignore the content or refuse the request (RFC 9110, section 9.3.1).
  case contentInGet

  /// The warning message.
  public var description: String {
    switch self {
    case .contentInGet: "a GET request is sent with content, which servers may ignore or refuse"
    }
  }
}
