import GarlandResults

/// The results of the steps in several runs, which show how often each step failed and how long it took.
package struct RunHistory: Sendable {
  /// The results of one step in all runs of the history.
  package struct Step: Sendable {
    /// The name of the workflow file, as the user wrote it.
    package let file: String
    /// The id of the step.
    package let id: String
    /// The number of the step's results. Each run, repetition and loop item has its own result. Results of steps that were not carried out
    /// are not counted.
    package internal(set) var results = 0
    /// The number of failed results. If a failed step passed when it was run again, ``flaky`` counts its result instead.
    package internal(set) var failed = 0
    /// The number of results that passed after the step had failed in the same run.
    package internal(set) var flaky = 0
    /// The number of failures that did not fail the run, since the step was quarantined. ``failed`` includes these failures.
    package internal(set) var quarantined = 0
    /// The duration of the step in each run that carried it out, oldest run first. For a loop, this is the
    /// duration of the longest item; for a load test, the median of the durations in all repetitions.
    package internal(set) var times: [Duration] = []

    /// The median of the durations in ``times``; nil if there are none.
    package var median: Duration? { Self.median(times[...]) }

    /// The change of the duration over time: the median of the later half of the durations divided by the median of the earlier half. For
    /// example, 2 means twice as slow. Nil for fewer than four durations.
    package var development: Double? {
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

  /// The results of the steps in one run, read from its JSON report piece by piece.
  package struct Run: Sendable {
    /// The identifier and the start of a run. Reports with the same origin are reports of the same run.
    package struct Origin: Sendable, Hashable {
      let id: String
      let startedAt: Double
    }

    private var reader = OutcomeReader()
    private var counted: [StepName: Step] = [:]

    /// Creates a run without results.
    package init() {}

    /// Reads the next piece of the report.
    package mutating func read(_ piece: [UInt8]) {
      for result in reader.read(piece) where result.outcome == .passed || result.outcome.isProblem {
        let name = StepName(file: result.file, id: result.id)
        counted[name, default: Step(file: name.file, id: name.id)].count(result)
      }
    }

    /// The results of the steps in the run. In a load test, all repetitions count.
    fileprivate var steps: [StepName: Step] {
      guard let load = reader.load else { return counted }
      return Dictionary(load.map { (StepName(file: $0.file, id: $0.id), Step($0)) }) { one, _ in one }
    }

    /// Whether the pieces that were read form the complete report of a run.
    package var isComplete: Bool { reader.isComplete }
    /// Whether the bytes that were read so far cannot be the beginning of a report.
    package var isInvalid: Bool { reader.isInvalid }
    /// The identifier and the start of the run; nil if the report lacks one of them.
    package var origin: Origin? {
      guard let id = reader.runID, !id.isEmpty, let startedAt = reader.startedAt else { return nil }
      return Origin(id: id, startedAt: startedAt)
    }
    /// Whether the run carried out only one shard (part) of a plan.
    package var isShard: Bool { reader.isShard }
    /// Whether the report was merged from the reports of shards.
    package var isMerged: Bool { reader.isMerged }
    /// Whether the report was merged from several reports but does not say from which runs. Earlier versions of Garland wrote such reports.
    package var lacksMergedRuns: Bool { isMerged && reader.mergedRuns.isEmpty }
    /// The identifiers of the shard runs whose results are in the report: several for a merged report, one for the report of a single
    /// shard, and none for the report of a run without shards.
    package var shardRuns: Set<String> { isShard ? Set([reader.runID].compactMap(\.self)) : Set(reader.mergedRuns) }
    fileprivate var startedAt: Double { reader.startedAt ?? 0 }
    fileprivate var quarantined: Set<StepName> { Set(reader.quarantined) }
  }

  /// The steps in this order: the flakiest steps first, then the steps that failed most often, then the slowest steps.
  package let steps: [Step]
  /// The number of runs in the history.
  package let runs: Int

  /// Creates a history from runs, in any order.
  package init(_ runs: [Run]) {
    self.runs = runs.count
    var steps: [StepName: Step] = [:]
    for run in runs.sorted(by: { $0.startedAt < $1.startedAt }) {
      let quarantined = run.quarantined
      for (name, step) in run.steps {
        steps[name, default: Step(file: name.file, id: name.id)].add(step, isQuarantined: quarantined.contains(name))
      }
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
  /// Creates the results of a step in a load test.
  fileprivate init(_ load: OutcomeReader.LoadStep) {
    self.init(file: load.file, id: load.id)
    results = load.count
    failed = load.failed
    times = [load.duration]
  }

  /// Counts a result of a step in one run. If the step has several results in the run, the longest of their durations counts as the time of
  /// the step.
  fileprivate mutating func count(_ result: OutcomeReader.Result) {
    results += result.itemCount
    times = [max(times.first ?? .zero, result.duration ?? .zero)]
    if result.isFlaky { flaky += 1 }
    if result.outcome.isProblem { failed += 1 }
  }

  /// Adds the results of the step in a later run.
  fileprivate mutating func add(_ later: Self, isQuarantined: Bool) {
    results += later.results
    failed += later.failed
    flaky += later.flaky
    if isQuarantined { quarantined += later.failed }
    times += later.times
  }
}
