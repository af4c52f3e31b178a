public import GarlandDiagnostics

/// A run in numbers.
public struct RunSummary: Sendable {
  /// Steps by outcome, items of loops one by one; failures that `allow_failure` covers are not in it.
  public var counts: [Outcome: Int] {
    get {
      var counts: [Outcome: Int] = [:]
      for outcome in Outcome.allCases where numbers[outcome.place] != 0 { counts[outcome] = numbers[outcome.place] }
      return counts
    }
    set { for outcome in Outcome.allCases { numbers[outcome.place] = newValue[outcome] ?? 0 } }
  }
  /// The same, by the place of the outcome: each result is counted twice at least.
  private var numbers: [Int]
  /// Problems that `allow_failure` covers.
  public var allowedFailures: Int
  /// From start to end.
  public var wallTime: Duration
  /// What the steps would have taken one after another.
  public var sumOfStepTimes: Duration
  /// How many requests were sent, hops and attempts included.
  public var requestCount: Int
  /// The signal that ended the run early, such as `SIGINT`.
  public var interruptedBy: String?
  /// Whether fail-fast, a limit of failures or the run's deadline ended it early.
  public var stoppedEarly: String?
  /// Whether it was the deadline.
  public var isOutOfTime: Bool
  /// Files of this machine that the run itself could not write, such as those of cookies.
  public var fileErrors: [Diagnostic]
  /// Why the run did not begin; nil for one that did.
  public var refusal: RunRefusal?

  /// A summary in which nothing has happened.
  public init() {
    numbers = Array(repeating: 0, count: Outcome.allCases.count)
    allowedFailures = 0
    wallTime = .zero
    sumOfStepTimes = .zero
    requestCount = 0
    isOutOfTime = false
    fileErrors = []
  }

  /// Counts one result, as many times as the items of a loop that it stands for.
  public mutating func count(_ result: StepResult) {
    if result.isFailureAllowed, result.outcome.isProblem {
      allowedFailures += 1
    } else {
      numbers[result.outcome.place] += result.itemCount
    }
    sumOfStepTimes += result.duration
    requestCount += result.omittedRequests
    for exchange in result.exchanges { requestCount += exchange.requestCount }
  }

  /// The command's exit status as the language fixes it: of 2, 1, 4 and 3 the first that applies; 130, 143 and 129 when interrupted.
  public var exitStatus: Int32 {
    if let refusal { return refusal.exitStatus }
    switch interruptedBy {
    case "SIGINT": return 130
    case "SIGTERM": return 143
    case "SIGHUP": return 129
    default: break
    }
    if counts[.failed, default: 0] > 0 { return 1 }
    if counts[.error, default: 0] > 0 || !fileErrors.isEmpty { return 4 }
    // What there was no time for was not looked at.
    if isOutOfTime, counts[.notRun, default: 0] > 0 { return 4 }
    if counts[.unreachable, default: 0] > 0 { return 3 }
    return 0
  }
}

extension Outcome {
  /// Its place among all.
  fileprivate var place: Int {
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
