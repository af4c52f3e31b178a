/// Whether to send `Expect: 100-continue` and wait for the response, at most a second, before a
/// body is sent.
public enum ExpectContinue: Sendable, Hashable {
  /// For bodies over 1 MiB, or of unknown length.
  case automatic
  /// For every body.
  case always
  /// For no body.
  case never
}
