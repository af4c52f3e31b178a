import GarlandJSON

/// Ends a transfer while its thread is busy decoding: a few bytes may become a gigabyte, during
/// which no other transfer of the thread gets a turn.
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
    // One more millisecond: by then, readers of other clocks see the same deadline as passed.
    due = time.map { MonotonicClock.now &+ $0.nanoseconds &+ 1_000_000 }
  }

  var isNow: Bool {
    if let urgency = interrupt.urgency, urgency.rawValue >= self.urgency.rawValue { return true }
    return due.map { MonotonicClock.now >= $0 } ?? false
  }
}
