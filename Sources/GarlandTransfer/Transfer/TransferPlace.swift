/// The place of a transfer in its core.
struct TransferPlace {
  /// The index among the running transfers.
  var runningIndex = 0
  /// The origin that counts the transfer's connection.
  var slot: OriginQueue?
  /// The start of the current wait for a connection.
  var waitingSince: UInt64?
  var idleTimer: LoopTimer?
  var progressTimer: LoopTimer?
  var deadlineTimer: LoopTimer?

  /// Releases the timers: a timer retains its transfer, so the two would keep each other alive.
  mutating func forgetTimers() {
    idleTimer = nil
    progressTimer = nil
    deadlineTimer = nil
  }
}
