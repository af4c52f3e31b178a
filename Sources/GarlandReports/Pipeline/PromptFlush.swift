/// The result of writing a report's output without waiting for the reader.
public enum PromptFlush: Sendable, Hashable {
  /// All output was written.
  case done
  /// Only a part was written, since the pipe is full. The pipeline tries again later.
  case waits
  /// Only a part was written, and the report needs a thread of its own: it should not keep more output, or cannot write without waiting.
  case mustWait
}
