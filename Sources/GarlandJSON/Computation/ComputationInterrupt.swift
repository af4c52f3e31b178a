import Synchronization

/// Ends the computations that were created with this interrupt. Another thread or a signal handler can raise the interrupt.
///
/// Without an interrupt, a thread that is busy with a computation would not notice that it must stop.
///
/// A raised interrupt stays in effect: it also ends computations that begin later. Each computation can have a leeway: a time for which the
/// computation may continue after the interrupt.
public final class ComputationInterrupt: Sendable {
  /// Determines which work an interrupt ends.
  public enum Urgency: Int, Sendable {
    /// Ends the work that a stopped run no longer needs. A computation first continues for its leeway, a time that was set when the
    /// computation was created. A computation without a leeway (nil) is not ended.
    case stop = 1
    /// Ends all work immediately. The urgency `stop`, by contrast, lets a computation continue for a short time (its leeway).
    case abort
  }

  /// The lowest two bits contain the urgency of the interrupt. The higher bits contain the number of the signal that caused the first
  /// interrupt, such as 2 for SIGINT; 0 if no signal caused it.
  private let state = Atomic<Int>(0)

  /// Creates an interrupt that has not happened yet; see ``raise(_:signal:)``.
  public init() {}

  /// The urgency of the interrupt; nil before the first interrupt.
  public var urgency: Urgency? { Urgency(rawValue: state.load(ordering: .relaxed) & 3) }

  /// The number of the signal that caused the first interrupt; 0 without a signal.
  public var signal: Int32 { Int32(truncatingIfNeeded: state.load(ordering: .relaxed) >> 2) }

  /// Raises the interrupt. A signal handler may call this method, since the method uses no lock and allocates no memory.
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
