/// The position of a transfer in the lists of its core.
struct TransferPlace {
  /// The index among the running transfers.
  var runningIndex = 0
  /// The queue of the origin to which the transfer occupies a connection; nil if it occupies none.
  var slot: OriginQueue?
  /// The time when the current wait for a connection began; nil if the transfer does not wait.
  var waitingSince: UInt64?
  var idleTimer: LoopTimer?
  var progressTimer: LoopTimer?
  var deadlineTimer: LoopTimer?

  /// Releases the timers. A timer retains its transfer, so the two would keep each other alive.
  mutating func forgetTimers() {
    idleTimer = nil
    progressTimer = nil
    deadlineTimer = nil
  }
}
