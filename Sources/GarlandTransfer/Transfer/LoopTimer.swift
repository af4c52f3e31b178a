/// An entry of an engine's timers. Only the loop's thread uses its mutable state, so any thread may
/// pass the timer to the loop.
final class LoopTimer: @unchecked Sendable {
  enum Purpose {
    case action(@Sendable () -> Void)
    case idle(Transfer)
    case deadline(Transfer)
    case progress(Transfer)
    /// No purpose: the timer is kept for reuse.
    case none
  }

  /// The purpose of the timer. It changes only when the timer is reused for another transfer, on the loop's
  /// thread.
  var purpose: Purpose
  /// The due time in nanoseconds of the monotonic clock.
  var due: UInt64 = 0
  /// The index in the heap; -1 if the timer is not in the heap.
  var index = -1
  /// Whether the timer was cancelled before it entered the heap.
  var isCancelled = false

  init(_ purpose: Purpose) { self.purpose = purpose }
}
