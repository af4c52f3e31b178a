/// Decides when reports without a thread are flushed, and when they get a thread after all.
///
/// A value that only decides: it takes events, and returns the action for each.
struct PromptPace {
  /// The limits up to which reports work without a thread.
  struct Limits: Sendable {
    /// The number of events after which the reports are flushed at once: a fast run prints more in
    /// 20 ms than a pipe holds.
    var events = 512
    /// The bytes of bodies that may be formatted on the thread of the run. Only failures have any:
    /// a run with more of them needs a thread.
    var bodyBytes = 1 << 20
  }

  enum Action {
    case nothing
    /// Comes back in `EventQueue.Limits.gathering`, by `timerFired()`.
    case setTimer
    case flush
    /// To a thread of their own, for the rest of the run.
    case handOver
  }

  private let limits: Limits
  private var hasTimer = false
  private var events = 0
  private var bodyBytes = 0

  init(_ limits: Limits = Limits()) { self.limits = limits }

  /// Notes an event that the reports have received.
  mutating func told(bodyBytes weight: Int) -> Action {
    bodyBytes += weight
    guard bodyBytes <= limits.bodyBytes else { return .handOver }
    events += 1
    return events < limits.events ? timer() : .flush
  }

  /// Notes that the timer has fired.
  mutating func timerFired() { hasTimer = false }

  /// The reports were flushed.
  mutating func flushed(_ outcome: PromptFlush) -> Action {
    events = 0
    switch outcome {
    case .done: return .nothing
    case .waits: return timer()
    case .mustWait: return .handOver
    }
  }

  /// The timer, unless it is set already.
  mutating func timer() -> Action {
    guard !hasTimer else { return .nothing }
    hasTimer = true
    return .setTimer
  }
}
