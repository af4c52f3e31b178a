import GarlandJSON

/// A way to end a transfer even while its thread is busy decoding. A compressed body of a few bytes may become a gigabyte, and while the
/// thread decodes it, no other transfer or timer of the thread can run.
package struct TransferStop: Sendable {
  private let interrupt: ComputationInterrupt
  private let urgency: ComputationInterrupt.Urgency
  /// The time at which the transfer is ended, in nanoseconds of the monotonic clock; nil if there is no such time limit.
  private let due: UInt64?

  /// Creates the conditions that end a transfer early.
  ///
  /// - Parameters:
  ///   - interrupt: the interrupt that can end the transfer.
  ///   - urgency: the lowest urgency at which the interrupt ends the transfer.
  ///   - time: the duration after which the transfer is ended even without an interrupt; nil for no such limit.
  package init(_ interrupt: ComputationInterrupt, at urgency: ComputationInterrupt.Urgency, after time: Duration? = nil) {
    self.interrupt = interrupt
    self.urgency = urgency
    // Add a millisecond, so that the deadline has then passed according to other clocks too.
    due = time.map { MonotonicClock.now &+ $0.nanoseconds &+ 1_000_000 }
  }

  var isNow: Bool {
    if let urgency = interrupt.urgency, urgency.rawValue >= self.urgency.rawValue { return true }
    return due.map { MonotonicClock.now >= $0 } ?? false
  }
}
