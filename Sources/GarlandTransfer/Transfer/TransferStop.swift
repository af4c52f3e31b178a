import GarlandJSON

/// What ends a transfer while its thread is busy decoding: a few bytes may become a gigabyte, during which nobody else gets a turn.
package struct TransferStop: Sendable {
  private let interrupt: ComputationInterrupt
  private let urgency: ComputationInterrupt.Urgency
  /// In nanoseconds of the monotonic clock.
  private let due: UInt64?

  /// - Parameters:
  ///   - interrupt: what may end it.
  ///   - urgency: from which urgency on.
  ///   - time: after which time it is ended as well.
  package init(_ interrupt: ComputationInterrupt, at urgency: ComputationInterrupt.Urgency, after time: Duration? = nil) {
    self.interrupt = interrupt
    self.urgency = urgency
    // Whoever reads another clock has come to the same end by then.
    due = time.map { MonotonicClock.now &+ $0.nanoseconds &+ 1_000_000 }
  }

  var isNow: Bool {
    if let urgency = interrupt.urgency, urgency.rawValue >= self.urgency.rawValue { return true }
    return due.map { MonotonicClock.now >= $0 } ?? false
  }
}
