/// Where a core has a transfer.
struct TransferPlace {
  /// The index among those that run.
  var runningIndex = 0
  /// The origin in whose count of connections the transfer stands.
  var slot: OriginQueue?
  /// When it began to wait for a connection, while it does.
  var waitingSince: UInt64?
  var idleTimer: LoopTimer?
  var progressTimer: LoopTimer?
  var deadlineTimer: LoopTimer?

  /// A timer holds its transfer: without this the two would keep each other alive.
  mutating func forgetTimers() {
    idleTimer = nil
    progressTimer = nil
    deadlineTimer = nil
  }
}
