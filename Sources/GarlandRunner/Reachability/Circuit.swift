/// Decides, for a host that could not be reached, whether steps are sent, wait until the cause is
/// known, or are not sent at all. A value that takes events.
///
/// The first failure is diagnosed, while other steps wait. If the host is down, the circuit is
/// open: no step is sent, except one request periodically, whose response closes the circuit again.
/// The pauses grow, and none is shorter than the first failure took, so that no step pays that
/// price again soon.
struct Circuit: Sendable {
  /// The decision for a step.
  enum Decision: Sendable {
    case send
    /// Wait for the diagnosis.
    case wait
    /// Not to send, for this reason.
    case refuse(Diagnosis)
  }

  private enum State: Sendable {
    case diagnosing(hasAnswered: Bool)
    /// No step is sent before this time.
    case open(Diagnosis, until: Duration)
    /// A trial request is under way.
    case trying(Diagnosis, trial: Int)
  }

  static let shortestPause = Duration.seconds(1)
  static let longestPause = Duration.seconds(60)

  private var state = State.diagnosing(hasAnswered: false)
  private var pause: Duration

  /// - Parameter cost: how long the first failure took.
  init(cost: Duration) { pause = max(cost, Circuit.shortestPause) }

  var isDiagnosing: Bool { if case .diagnosing = state { true } else { false } }

  /// Whether the host has answered a request during the diagnosis: then it is up, whatever the
  /// diagnosis says.
  var hasAnswered: Bool { if case .diagnosing(hasAnswered: true) = state { true } else { false } }

  /// The cause of the failure, once it is known.
  var diagnosis: Diagnosis? {
    switch state {
    case .diagnosing: nil
    case .open(let diagnosis, _), .trying(let diagnosis, _): diagnosis
    }
  }

  /// Decides for a step that is ready to be sent. If it may, it is the trial with that number,
  /// which is unique.
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

  /// Opens the circuit: the cause is known.
  mutating func open(_ diagnosis: Diagnosis, at now: Duration) { state = .open(diagnosis, until: now + pause) }

  /// Notes that a trial has ended without an answer. It matters only if it is the latest trial.
  mutating func ended(_ trial: Int, at now: Duration) {
    guard case .trying(let diagnosis, trial) = state else { return }
    pause = min(pause * 2, max(pause, Circuit.longestPause))
    state = .open(diagnosis, until: now + pause)
  }
}
