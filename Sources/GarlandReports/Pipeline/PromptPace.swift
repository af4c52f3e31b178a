/// Decides when reports that work on the run's thread are flushed, and when they must continue on a separate thread.
///
/// This value only makes decisions: it receives events, and returns an action for each.
struct PromptPace {
  /// The limits for reports that are written on the thread of the run.
  struct Limits: Sendable {
    /// The number of events that causes the reports to be flushed, even before the timer (`EventQueue.Limits.gathering`, 20 ms) fires.
    /// Within 20 ms, a fast run can print more than a pipe can hold.
    var events = 512
    /// The maximum total size in bytes of the bodies in the events (only failures contain bodies). Until this size is reached, the run's
    /// own thread writes the reports. After that, a separate thread writes them.
    var bodyBytes = 1 << 20
  }

  enum Action {
    case nothing
    /// The caller must set a timer with the duration `EventQueue.Limits.gathering`, and call `timerFired()` when it fires.
    case setTimer
    case flush
    /// The caller must hand the reports over to a separate thread for the rest of the run.
    case handOver
  }

  private let limits: Limits
  private var hasTimer = false
  private var events = 0
  private var bodyBytes = 0

  init(_ limits: Limits = Limits()) { self.limits = limits }

  /// Records an event that the reports have received. Returns the action that the caller must carry out next.
  mutating func told(bodyBytes weight: Int) -> Action {
    bodyBytes += weight
    guard bodyBytes <= limits.bodyBytes else { return .handOver }
    events += 1
    return events < limits.events ? timer() : .flush
  }

  /// Records that the timer has fired.
  mutating func timerFired() { hasTimer = false }

  /// Records that the reports were flushed, and returns what the caller must do next.
  mutating func flushed(_ outcome: PromptFlush) -> Action {
    events = 0
    switch outcome {
    case .done: return .nothing
    case .waits: return timer()
    case .mustWait: return .handOver
    }
  }

  /// Ensures that a timer is set. Returns the action `setTimer` if the caller must set it, and the action `nothing` if a timer is already
  /// set.
  mutating func timer() -> Action {
    guard !hasTimer else { return .nothing }
    hasTimer = true
    return .setTimer
  }
}
