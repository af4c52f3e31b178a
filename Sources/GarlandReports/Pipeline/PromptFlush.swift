/// The amount of output that a report could write without waiting.
public enum PromptFlush: Sendable, Hashable {
  /// All output was written.
  case done
  /// Only a part was written, since the pipe is full. The pipeline tries again soon.
  case waits
  /// Only a part was written, and the report needs a thread of its own: it should not keep more output, or cannot write without waiting.
  case mustWait
}
