/// Whether a request waits for the server's permission before its body is sent: it sends
/// `Expect: 100-continue` and waits for the response, at most a second.
public enum ExpectContinue: Sendable, Hashable {
  /// Waits if the body is larger than 1 MiB or of unknown length.
  case automatic
  /// Waits for every body.
  case always
  /// Never waits.
  case never
}
