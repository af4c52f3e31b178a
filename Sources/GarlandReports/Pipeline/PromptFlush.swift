/// What a report could write without waiting.
public enum PromptFlush: Sendable, Hashable {
  /// All there is.
  case done
  /// Not all: whoever reads it has to make room. It is to be tried again soon.
  case waits
  /// Not all, and it should not keep more, or can't write it so: it needs a thread of its own.
  case mustWait
}
