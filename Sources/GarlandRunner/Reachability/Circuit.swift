/// A circuit breaker for a host that could not be reached. It decides whether the request of a step is sent at once, waits until the cause
/// of the failure is known, or is not sent at all. The type only computes: it receives events, but sends nothing.
///
/// After the first failure, a probe searches for the cause (the diagnosis), while other steps wait. If the host is down, the circuit opens:
/// no request is sent, except for a periodic trial request. A response to a trial request closes the circuit again. The pauses between
/// trials grow, and none is shorter than the time that the first failure took, so that steps do not spend most of their time on trials.
struct Circuit: Sendable {
  /// The decision whether the request of a step is sent.
  enum Decision: Sendable {
    case send
    /// The step waits until the cause of the failure is known.
    case wait
    /// The step does not send its request. The associated value is the reason why the host can't be reached.
    case refuse(Diagnosis)
  }

  private enum State: Sendable {
    case diagnosing(hasAnswered: Bool)
    /// The circuit is open: no request is sent to the host before the time `until`.
    case open(Diagnosis, until: Duration)
    /// A trial request to the host is in progress.
    case trying(Diagnosis, trial: Int)
  }

  static let shortestPause = Duration.seconds(1)
  static let longestPause = Duration.seconds(60)

  private var state = State.diagnosing(hasAnswered: false)
  private var pause: Duration

  /// Creates a circuit breaker after the first failure of a request. The circuit breaker begins in the state in which a probe searches for
  /// the cause of the failure.
  ///
  /// - Parameter cost: the time that the first failure took.
  init(cost: Duration) { pause = max(cost, Circuit.shortestPause) }

  var isDiagnosing: Bool { if case .diagnosing = state { true } else { false } }

  /// Whether the host has responded to a request while a probe searches for the cause of a failure. If true, the host is up, whatever the
  /// probe finds.
  var hasAnswered: Bool { if case .diagnosing(hasAnswered: true) = state { true } else { false } }

  /// The reason why the host could not be reached, once it is known.
  var diagnosis: Diagnosis? {
    switch state {
    case .diagnosing: nil
    case .open(let diagnosis, _), .trying(let diagnosis, _): diagnosis
    }
  }

  /// Decides what a ready step does: it sends its request, waits until the cause of an earlier failure is known, or ends with the outcome
  /// `unreachable`.
  ///
  /// If the circuit is open, no step sends its request until the pause before the next trial request is over. Then the request of one step
  /// becomes the trial request, which tests whether the host is up again. `trial` is a unique number that identifies this request.
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

  /// Records that the host has responded to a request. Has no effect unless a probe is searching for the cause of a failure.
  mutating func noteAnswer() { if isDiagnosing { state = .diagnosing(hasAnswered: true) } }

  /// Opens the circuit, since a probe has found the cause of the failure. No request is sent to the host until the pause before the next
  /// trial request has passed.
  mutating func open(_ diagnosis: Diagnosis, at now: Duration) { state = .open(diagnosis, until: now + pause) }

  /// Records that the trial request with the number `trial` has ended without a response from the host. Has no effect if the host has
  /// responded to the trial request, or if another trial request has begun.
  mutating func ended(_ trial: Int, at now: Duration) {
    guard case .trying(let diagnosis, trial) = state else { return }
    pause = min(pause * 2, max(pause, Circuit.longestPause))
    state = .open(diagnosis, until: now + pause)
  }
}
