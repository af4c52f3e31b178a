import Synchronization

/// Ends each ``Computation`` that holds it, on the wish of another thread or of a signal handler: the thread that computes learns of nothing else meanwhile.
///
/// An interrupt stays: what begins afterwards ends as well, unless its leeway says otherwise.
public final class ComputationInterrupt: Sendable {
  /// What an interrupt ends.
  public enum Urgency: Int, Sendable {
    /// What nobody needs when the work as a whole is stopped: as the leeway of each computation says.
    case stop = 1
    /// All of it.
    case abort
  }

  /// The urgency, and above it the number of the signal that came first.
  private let state = Atomic<Int>(0)

  /// Nothing has been interrupted.
  public init() {}

  /// What is to end; nil before the first interrupt.
  public var urgency: Urgency? { Urgency(rawValue: state.load(ordering: .relaxed) & 3) }

  /// The number of the signal that interrupted first; 0 if there was none.
  public var signal: Int32 { Int32(truncatingIfNeeded: state.load(ordering: .relaxed) >> 2) }

  /// Interrupts. It may be called by a signal handler: it waits for nobody and allocates nothing.
  public func raise(_ urgency: Urgency, signal: Int32 = 0) {
    var known = state.load(ordering: .relaxed)
    while true {
      let number = known == 0 ? Int(signal) << 2 : known & ~3
      let (done, found) = state.compareExchange(expected: known, desired: number | max(known & 3, urgency.rawValue), ordering: .relaxed)
      if done { return }
      known = found
    }
  }
}
