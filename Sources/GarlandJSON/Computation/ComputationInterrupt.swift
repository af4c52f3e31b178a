import Synchronization

/// Ends the computations that were created with this interrupt, on request of another thread or of a signal handler.
///
/// While a thread is busy with a computation, it cannot process any other request to stop.
///
/// An interrupt cannot be withdrawn: it applies in the same way to computations that begin later. The leeway of a computation is the time
/// for which the computation may continue after the interrupt.
public final class ComputationInterrupt: Sendable {
  /// Determines which work an interrupt ends.
  public enum Urgency: Int, Sendable {
    /// Ends work that is not needed when the run stops: each computation ends after its leeway, or continues if its leeway is nil.
    case stop = 1
    /// Ends all work immediately. The leeway, for which a computation may continue after an interrupt with the urgency `stop`, does not
    /// apply.
    case abort
  }

  /// The urgency of the interrupt in the lowest two bits. The higher bits contain the number of the signal that caused the first interrupt,
  /// such as 2 for SIGINT, or 0 without a signal.
  private let state = Atomic<Int>(0)

  /// Creates an interrupt that has not been raised.
  public init() {}

  /// The urgency of the interrupt; nil before the first interrupt.
  public var urgency: Urgency? { Urgency(rawValue: state.load(ordering: .relaxed) & 3) }

  /// The number of the signal that caused the first interrupt; 0 without a signal.
  public var signal: Int32 { Int32(truncatingIfNeeded: state.load(ordering: .relaxed) >> 2) }

  /// Raises the interrupt. A signal handler may call it, since it uses no lock and allocates no memory.
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
