/// A timer of an engine's event loop. Only the loop's thread uses the timer's mutable state, so any thread may
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

  /// The purpose of the timer. Only the event loop's thread changes it, when the timer is reused for another transfer.
  var purpose: Purpose
  /// The due time in nanoseconds of the monotonic clock.
  var due: UInt64 = 0
  /// The index of this timer in the event loop's heap of timers; -1 if it is not in the heap.
  var index = -1
  /// Whether the timer was cancelled before the event loop added it to its heap of timers.
  var isCancelled = false

  init(_ purpose: Purpose) { self.purpose = purpose }
}

/// The positions of a transfer in the lists of its thread, such as the list of running transfers, and the timers of the transfer.
struct TransferPlace {
  /// The index of the transfer among the running transfers of its thread.
  var runningIndex = 0
  /// The queue of the origin whose connection the transfer uses; nil if the transfer uses no connection.
  var slot: OriginQueue?
  /// The time when the current wait for a connection began; nil if the transfer does not wait.
  var waitingSince: UInt64?
  var idleTimer: LoopTimer?
  var progressTimer: LoopTimer?
  var deadlineTimer: LoopTimer?

  /// Releases the timers. Each timer retains the transfer, so the transfer and its timers would otherwise keep each other alive.
  mutating func forgetTimers() {
    idleTimer = nil
    progressTimer = nil
    deadlineTimer = nil
  }
}
