/// What a run makes of a host that could not be reached: whether the steps that want to go there are sent, wait until it is known why, or are spared the
/// way. A value that is told what happened.
///
/// The first failure is diagnosed, while others wait. If the host is down the circuit is open: nobody is sent, but for one now and then, and when that one
/// has an answer the circuit is gone. The pauses grow, and none is shorter than what the first failure cost, so that no step pays again soon.
struct Circuit: Sendable {
  /// What a step may do.
  enum Decision: Sendable {
    case send
    /// Wait for the diagnosis.
    case wait
    /// Not be sent, because of this.
    case refuse(Diagnosis)
  }

  private enum State: Sendable {
    case diagnosing(hasAnswered: Bool)
    /// Nobody is sent until then.
    case open(Diagnosis, until: Duration)
    /// One that was let through is under way.
    case trying(Diagnosis, trial: Int)
  }

  static let shortestPause = Duration.seconds(1)
  static let longestPause = Duration.seconds(60)

  private var state = State.diagnosing(hasAnswered: false)
  private var pause: Duration

  /// - Parameter cost: how long the first failure took.
  init(cost: Duration) { pause = max(cost, Circuit.shortestPause) }

  var isDiagnosing: Bool { if case .diagnosing = state { true } else { false } }

  /// Whether the host has answered somebody while the failure was diagnosed: then it is there, whatever the diagnosis says.
  var hasAnswered: Bool { if case .diagnosing(hasAnswered: true) = state { true } else { false } }

  /// What is in the way, once it is known.
  var diagnosis: Diagnosis? {
    switch state {
    case .diagnosing: nil
    case .open(let diagnosis, _), .trying(let diagnosis, _): diagnosis
    }
  }

  /// A step wants to be sent. If it may, it is the trial of that number, which nobody else has had.
  mutating func decide(for trial: Int, at now: Duration) -> Decision {
    switch state {
    case .diagnosing: return .wait
    case .trying(let diagnosis, _): return .refuse(diagnosis)
    case .open(let diagnosis, let until):
      guard now >= until else { return .refuse(diagnosis) }
      state = .trying(diagnosis, trial: trial)
      return .send
    }
  }

  /// The host has answered while the failure is diagnosed.
  mutating func noteAnswer() { if isDiagnosing { state = .diagnosing(hasAnswered: true) } }

  /// It is known what is in the way.
  mutating func open(_ diagnosis: Diagnosis, at now: Duration) { state = .open(diagnosis, until: now + pause) }

  /// A trial has ended without an answer. It matters only if it is the one that was let through last.
  mutating func ended(_ trial: Int, at now: Duration) {
    guard case .trying(let diagnosis, trial) = state else { return }
    pause = min(pause * 2, max(pause, Circuit.longestPause))
    state = .open(diagnosis, until: now + pause)
  }
}
