/// What proves who is asking.
public enum Credential: Sendable, Hashable {
  /// RFC 7617, sent at once and not only when asked for.
  case basic(user: String, password: String)
  /// RFC 6750.
  case bearer(String)
}
