public import GarlandDiagnostics

/// The totals of a run: the numbers of steps by outcome, and further counts.
public struct RunSummary: Sendable {
  /// The numbers of steps by outcome. Each item of a loop is counted separately. Failures that `allow_failure` permits, and failures of
  /// quarantined steps, are not included.
  public var counts: [Outcome: Int] {
    get {
      var counts: [Outcome: Int] = [:]
      for outcome in Outcome.allCases where numbers[outcome.place] != 0 { counts[outcome] = numbers[outcome.place] }
      return counts
    }
    set { for outcome in Outcome.allCases { numbers[outcome.place] = newValue[outcome] ?? 0 } }
  }
  /// The numbers in ``counts`` as an array. The index of a number is the position of its outcome in `Outcome.allCases`. An array is faster
  /// than a dictionary, and several parts of the program count each result.
  private var numbers: [Int]
  /// The numbers of a summary without results. They are computed only once, since `allCases` creates a list at each use, and a load test
  /// has many repetitions.
  private static let noResults = Array(repeating: 0, count: Outcome.allCases.count)
  /// The number of failures in this run that do not count because `allow_failure` permits them.
  public var allowedFailures: Int
  /// The number of failures of quarantined steps.
  public var quarantined = 0
  /// The number of steps that passed after they had failed in the same run.
  public var flaky = 0
  /// Whether a flaky step makes the exit status 1. Default: false.
  public var failsWhenFlaky = false
  /// The time from the start to the end of the run.
  public var wallTime: Duration
  /// The sum of the steps' times, which is how long the run would take if the steps ran one after another.
  public var sumOfStepTimes: Duration
  /// The number of requests that were sent: the sum of ``StepResult/requestCount`` over all results, including the failed results of steps
  /// that ran again (``StepResult/earlier``). After reruns, it includes the requests of dependencies that ran again; for a merged run, it is
  /// the sum over all shards.
  public var requestCount: Int
  /// The reason why the run ended early; nil for a run that did not. See ``endedEarly(_:)``.
  public var earlyEnd: EarlyEnd?
  /// The errors that belong to no step: for files that the run could not write, such as cookie files, and for expressions of `--print`
  /// without a value. Errors for the files of reports are not included.
  public var runErrors: [Diagnostic]
  /// The outcome that ``runErrors`` give to the run. Default: an error. It is another one only because of an expression of `--print`:
  ///
  /// - the outcome of the step or the token that should have the value, if it did not pass;
  /// - blocked, if a stop of the run or another step is the reason, which then determines the exit status;
  /// - a failure in all other cases.
  public var runErrorOutcome = Outcome.error
  /// The storage of ``load``: a list with at most one element, so that a summary without a load test needs space for only one reference.
  private var loads: [RunLoad] = []
  /// The measurements of a load test; nil for any other run.
  public var load: RunLoad? {
    get { loads.first }
    set { loads = newValue.map { [$0] } ?? [] }
  }
  /// The reasons why the run did not begin; nil for a run that began.
  public var refusal: RunRefusal?

  /// Creates a summary without results.
  public init() {
    numbers = Self.noResults
    allowedFailures = 0
    wallTime = .zero
    sumOfStepTimes = .zero
    requestCount = 0
    runErrors = []
  }

  /// Counts a result. A result that represents several items of a loop is counted once for each of these items.
  public mutating func count(_ result: StepResult) {
    // For speed, each property of a result is read only once: an access has a cost, and every result of a run is counted several times.
    let outcome = result.outcome
    if outcome.isProblem, result.isFailureAllowed {
      if result.step.quarantine == nil { allowedFailures += 1 } else { quarantined += 1 }
    } else {
      numbers[outcome.place] += result.itemCount
    }
    let earlier = result.earlier
    if !earlier.isEmpty {
      if outcome == .passed { flaky += 1 }
      for result in earlier {
        sumOfStepTimes += result.duration
        requestCount += result.requestCount
      }
    }
    sumOfStepTimes += result.duration
    requestCount += result.requestCount
  }

  /// Adds an error that belongs to no step, with the outcome that it gives to the run. Of several outcomes, the first of failure, error,
  /// unreachable and blocked is kept.
  public mutating func add(_ error: Diagnostic, _ outcome: Outcome = .error) {
    if runErrors.isEmpty || outcome.place < runErrorOutcome.place { runErrorOutcome = outcome }
    runErrors.append(error)
  }

  /// Notes a reason why the run ended early. It replaces an earlier reason only if it is more important (``EarlyEnd/main(of:)``).
  public mutating func endedEarly(_ reason: EarlyEnd) { earlyEnd = EarlyEnd.main(of: [earlyEnd, reason]) }

  /// The exit status of the command. It is the first of these that applies: 1 for failures, 4 for errors or an exceeded deadline, 3 for
  /// unreachable hosts, 1 for a run that failures have stopped or that has ``runErrors``, and otherwise 0. A run that did not begin has the
  /// status of its ``refusal``. After an interrupt, the status is 130 for SIGINT or a changed file, 143 for SIGTERM, 129 for SIGHUP and 152
  /// for SIGXCPU.
  public var exitStatus: Int32 {
    if let refusal { return refusal.exitStatus }
    if let earlyEnd, earlyEnd.cause == .interrupt {
      return switch earlyEnd.reason {
      case "SIGTERM": 143
      case "SIGHUP": 129
      case "SIGXCPU": 152
      // A change of a file cancels the run as Ctrl-C does.
      default: 130
      }
    }
    func has(_ outcome: Outcome) -> Bool { counts[outcome, default: 0] > 0 || (!runErrors.isEmpty && runErrorOutcome == outcome) }
    if has(.failed) || isFailedByFlaky || load?.meetsExpectations == false { return 1 }
    if has(.error) || earlyEnd?.cause == .deadline { return 4 }
    if has(.unreachable) { return 3 }
    // An expectation of a load test may allow the failures that stopped the test.
    return earlyEnd?.cause == .failures || !runErrors.isEmpty ? 1 : 0
  }

  /// Whether flaky steps make the exit status 1, with `--fail-flaky`.
  public var isFailedByFlaky: Bool { failsWhenFlaky && flaky > 0 }

  /// The errors of the run as a whole: the reasons why it did not begin, and ``runErrors``. If the exit status is not 0, but there are no
  /// such errors and no step or expectation has failed, the only error is the reason for the exit status. So a report that lists these
  /// errors, steps and expectations has an error for each run that did not succeed.
  public var errors: [Diagnostic] {
    let errors = (refusal?.diagnostics ?? []) + runErrors
    let hasFailure = counts.keys.contains(where: \.isProblem) || load?.meetsExpectations == false
    guard errors.isEmpty, !hasFailure, exitStatus != 0 else { return errors }
    guard !isFailedByFlaky else {
      let words = flaky == 1 ? "a step is flaky" : "\(flaky) steps are flaky"
      return [Diagnostic("flaky", "\(words), which --fail-flaky does not allow", at: nil)]
    }
    return earlyEnd.map { [Diagnostic("ended-early", "the run ended early: \($0.words)", at: nil)] } ?? []
  }
}

extension Outcome {
  /// The position of this outcome in `Outcome.allCases`.
  package var place: Int {
    switch self {
    case .passed: 0
    case .failed: 1
    case .error: 2
    case .unreachable: 3
    case .skipped: 4
    case .blocked: 5
    case .notRun: 6
    }
  }
}

/// The reasons why a run did not begin: a mistake in a document or on the command line, a missing
/// secret, an unusable file. No request was sent.
public struct RunRefusal: Sendable {
  /// The mistakes that prevent the run. There is at least one.
  public var diagnostics: [Diagnostic]
  /// The command's exit status: 2, or 4 for a file that could not be read or written.
  var exitStatus: Int32

  /// Creates the refusal of a run.
  ///
  /// - Parameters:
  ///   - diagnostics: The mistakes that prevent the run. There must be at least one.
  ///   - exitStatus: The command's exit status.
  public init(_ diagnostics: [Diagnostic], exitStatus: Int32) {
    self.diagnostics = diagnostics
    self.exitStatus = exitStatus
  }
}
