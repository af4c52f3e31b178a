/// Decides when reports without a thread are flushed, and when they need a thread after all.
///
/// This value only makes decisions: it receives events, and returns an action for each.
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
    /// Set a timer with the duration `EventQueue.Limits.gathering`, and call `timerFired()` when it fires.
    case setTimer
    case flush
    /// Hand the reports over to a thread of their own for the rest of the run.
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

  /// Notes that the reports were flushed.
  mutating func flushed(_ outcome: PromptFlush) -> Action {
    events = 0
    switch outcome {
    case .done: return .nothing
    case .waits: return timer()
    case .mustWait: return .handOver
    }
  }

  /// Returns the action to set the timer, unless it is set already.
  mutating func timer() -> Action {
    guard !hasTimer else { return .nothing }
    hasTimer = true
    return .setTimer
  }
}
