/// Whether a request waits for the server's permission before its body is sent: it sends
/// `Expect: 100-continue` and waits for the response, at most a second.
public enum ExpectContinue: Sendable, Hashable {
  /// For bodies over 1 MiB, or of unknown length.
  case automatic
  /// For every body.
  case always
  /// For no body.
  case never
}
