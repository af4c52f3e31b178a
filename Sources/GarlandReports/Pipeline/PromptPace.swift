/// When reports that are told at once are flushed, and when they get a thread after all.
///
/// A value that decides and does nothing itself: it is told what happens and answers with what is to be done.
struct PromptPace {
  /// How much is told at once.
  struct Limits: Sendable {
    /// After that many events the reports are flushed, whatever the time: what a fast run prints in 20 ms is more than a pipe holds.
    var events = 512
    /// How many bytes of bodies are laid out on the thread that the run goes on. Only what went wrong has any: a run with more of that has work for
    /// a thread.
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

  /// An event was told.
  mutating func told(bodyBytes weight: Int) -> Action {
    bodyBytes += weight
    guard bodyBytes <= limits.bodyBytes else { return .handOver }
    events += 1
    return events < limits.events ? timer() : .flush
  }

  /// The timer that was set has come.
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
