import GarlandResults

/// The results of the steps in several runs, which show how often each step failed and how long it took.
public struct RunHistory: Sendable {
  /// The results of one step.
  public struct Step: Sendable {
    /// The document as the user named it.
    public let file: String
    /// The id of the step.
    public let id: String
    /// The number of results of runs, repetitions and items of a loop, without those that were not carried out.
    public internal(set) var results = 0
    /// The number of results that failed and did not pass later.
    public internal(set) var failed = 0
    /// The number of results that passed after a failure.
    public internal(set) var flaky = 0
    /// The number of failures that did not count because the step was quarantined; ``failed`` includes them.
    public internal(set) var quarantined = 0
    /// The duration of the step in each run that carried it out, oldest run first. For a loop, this is the
    /// duration of the longest item.
    public internal(set) var times: [Duration] = []

    /// The median of the times, or nil if there are no times.
    public var median: Duration? { Self.median(times[...]) }

    /// The change of the duration over time: the median of the later half of the durations divided by the median of the earlier
    /// half; nil for fewer than four durations.
    public var development: Double? {
      guard times.count >= 4, let before = Self.median(times.prefix(times.count / 2)),
        let after = Self.median(times.suffix(times.count / 2)),
        before > .zero
      else { return nil }
      return after / before
    }

    private static func median(_ times: ArraySlice<Duration>) -> Duration? {
      let sorted = times.sorted()
      return sorted.isEmpty ? nil : sorted[(sorted.count - 1) / 2]
    }
  }

  /// The steps in this order: the flakiest steps first, then the steps that failed most often, then the slowest steps.
  public let steps: [Step]
  /// The number of runs.
  public let runs: Int

  /// Creates a history from recordings.
  ///
  /// - Parameter recordings: the runs, in any order.
  public init(_ recordings: [RunRecording]) {
    runs = recordings.count
    var steps: [StepName: Step] = [:]
    for recording in recordings.sorted(by: { $0.start.startedAt < $1.start.startedAt }) {
      var times: [StepName: Duration] = [:]
      for result in recording.results where result.outcome == .passed || result.outcome.isProblem {
        let name = StepName(result.step)
        steps[name, default: Step(file: name.file, id: name.id)].count(result)
        times[name] = max(times[name] ?? .zero, result.duration)
      }
      for (name, time) in times { steps[name]?.times.append(time) }
    }
    self.steps = steps.values.sorted { one, other in
      if one.flaky != other.flaky { return one.flaky > other.flaky }
      if one.failed != other.failed { return one.failed > other.failed }
      if one.median != other.median { return one.median ?? .zero > other.median ?? .zero }
      return (one.file, one.id) < (other.file, other.id)
    }
  }
}

extension RunHistory.Step {
  fileprivate mutating func count(_ result: StepResult) {
    results += result.itemCount
    if result.isFlaky { flaky += 1 }
    guard result.outcome.isProblem else { return }
    failed += 1
    if result.step.quarantine != nil { quarantined += 1 }
  }
}
