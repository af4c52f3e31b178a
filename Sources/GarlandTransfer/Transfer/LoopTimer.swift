/// An entry of an engine's timers. Only the loop's thread touches its mutable state, which is why it may be passed there from anywhere.
final class LoopTimer: @unchecked Sendable {
  enum Purpose {
    case action(@Sendable () -> Void)
    case idle(Transfer)
    case deadline(Transfer)
    case progress(Transfer)
    /// It waits to be used again.
    case none
  }

  /// Changed only where a timer is used for another transfer, on the loop's thread.
  var purpose: Purpose
  /// When it is due, in nanoseconds of the monotonic clock.
  var due: UInt64 = 0
  /// Its place in the heap, -1 outside.
  var index = -1
  /// Whether it was cancelled before it came into the heap.
  var isCancelled = false

  init(_ purpose: Purpose) { self.purpose = purpose }
}
