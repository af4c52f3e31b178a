/// Whether to send `Expect: 100-continue` and wait for the answer, for a second at most, before a body is sent.
public enum ExpectContinue: Sendable, Hashable {
  /// For bodies over 1 MiB, or of unknown length.
  case automatic
  /// For every body.
  case always
  /// For none.
  case never
}
