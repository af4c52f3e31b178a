import Synchronization

/// Ends the computations that were created with this interrupt, on request of another thread or of a signal
/// handler.
///
/// While a thread is busy with a computation, it cannot process any other request to stop.
///
/// An interrupt cannot be withdrawn: work that begins afterwards ends too, as soon as its leeway allows.
public final class ComputationInterrupt: Sendable {
  /// Determines which work an interrupt ends.
  public enum Urgency: Int, Sendable {
    /// Ends work that is not needed when the run stops: each computation ends after its leeway, or continues if its leeway is nil.
    case stop = 1
    /// Ends all work immediately, without the leeway of the computation.
    case abort
  }

  /// The urgency in the lowest two bits, and the number of the first signal in the higher bits.
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
