/// How much of its output a report could write without waiting.
public enum PromptFlush: Sendable, Hashable {
  /// All of it.
  case done
  /// A part: the reader has to make room. The pipeline tries again soon.
  case waits
  /// A part; the report should not keep more, or can't write it in this way: it needs a thread of
  /// its own.
  case mustWait
}
