import GarlandDiagnostics
import GarlandResults

/// The reason why reports can't be merged.
package struct MergeError: Error, Sendable {
  /// The errors; at least one. Each message contains the name of a report or a shard.
  package let diagnostics: [Diagnostic]

  /// Creates an error from diagnostics.
  ///
  /// - Parameter diagnostics: at least one error.
  package init(diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }
}

/// Merges the recordings of shards, which were read from JSON reports, into the recording of one run. The merged recording has each step of
/// the plan once.
///
/// If a step ran in several shards, the merged recording contains the worst of the step's results.
package struct ShardMerge {
  private let reports: [ShardReport]
  private let missing: [Int]
  private let count: Int
  /// The loops whose items are divided among several shards, by the names of their steps.
  private let dividedLoops: [StepName: DividedLoop]
  /// The start of the first shard, in seconds since 1970.
  private let startedAt: Double
  /// The names of all steps of the plan, in plan order.
  private var names: [StepName] = []
  private var places: [StepName: Int] = [:]
  private var steps: [StepIdentity] = []
  /// For each step, the index of the report whose result is used, or nil if no report contains the step.
  private var sources: [Int?] = []

  /// Creates a merge of recordings.
  ///
  /// - Parameters:
  ///   - recordings: the reports of shards with the names of their files, in any order.
  ///   - allowsMissing: whether reports of shards may be missing. In the merged recording, the steps of a shard without a report then have
  ///     the outcome "not run".
  /// - Throws: an error with every reason why the reports do not belong to the shards of one run.
  package init(_ recordings: [(name: String, recording: RunRecording)], allowsMissing: Bool) throws(MergeError) {
    var problems: [Diagnostic] = []
    var reports: [ShardReport] = []
    for (name, recording) in recordings {
      if let shard = recording.start.shard {
        reports.append(ShardReport(name: name, recording: recording, shard: shard))
      } else if let refusal = recording.summary.refusal, let first = refusal.diagnostics.first {
        problems.append(
          Diagnostic(
            "bad-merge", "\(name) can't be merged: the run of this shard did not begin because of an error: \(first.message)", at: nil
          ).help(
            "correct the error, and run the shard again"))
      } else {
        problems.append(
          Diagnostic("bad-merge", "\(name) is not the report of a shard", at: nil).help(
            "to make the report of a shard, run `garland run … --shard K/N --report json=FILE`"))
      }
    }
    reports.sort { ($0.shard.number, $0.name) < ($1.shard.number, $1.name) }
    let comparison = ShardComparison(reports: reports)
    problems += comparison.differences()
    if problems.isEmpty { problems += comparison.duplicates() + comparison.incomplete() }
    dividedLoops = DividedLoop.all(of: reports)
    if problems.isEmpty { problems += comparison.itemProblems(dividedLoops) }
    missing = comparison.missing()
    count = reports.first?.shard.count ?? 0
    if problems.isEmpty, !allowsMissing {
      let total = count
      problems += missing.map {
        Diagnostic("bad-merge", "the report of shard \($0)/\(total) is missing", at: nil)
          .help("pass the reports of all \(total) shards, or pass `--allow-missing` to merge only the given reports")
      }
    }
    self.reports = reports
    startedAt = reports.map(\.recording.start.startedAt).min() ?? 0
    guard problems.isEmpty else { throw MergeError(diagnostics: problems) }
    choose()
    if missing.isEmpty, let lost = sources.firstIndex(of: nil) {
      let message = "no report has the step `\(names[lost].id)` of \(names[lost].file), which is part of the plan"
      throw MergeError(diagnostics: [comparison.refusal(message)])
    }
    identify()
  }

  /// Chooses, for each step, the report from which the result of the step is taken.
  private mutating func choose() {
    for document in reports.first?.shard.documents ?? [] {
      for id in document.steps {
        let name = StepName(file: document.file, id: id)
        places[name] = names.count
        names.append(name)
      }
    }
    sources = Array(repeating: nil, count: names.count)
    var severities = Array(repeating: -1, count: names.count)
    for (number, report) in reports.enumerated() {
      var worst: [Int: Int] = [:]
      for result in report.recording.results {
        guard let place = places[StepName(result.step)] else { continue }
        worst[place] = max(worst[place] ?? 0, Self.severity(of: result))
      }
      for (place, severity) in worst where severity > severities[place] {
        severities[place] = severity
        sources[place] = number
      }
    }
  }

  /// Returns the severity of a result as a number. If a step ran in several shards, the merged report contains its most severe result: a
  /// login that failed in one shard counts as failed, and a login that was flaky in one shard and failed in none counts as flaky.
  private static func severity(of result: StepResult) -> Int {
    switch result.outcome {
    case .skipped: 0
    case .passed: result.isFlaky ? 2 : 1
    case .notRun: 3
    case .blocked: 4
    case .unreachable: 5
    case .error: 6
    case .failed: 7
    }
  }

  private mutating func identify() {
    var workflows: [String: String] = [:]
    var own: [StepName: StepIdentity] = [:]
    var columns: [StepName: Int] = [:]
    for (number, report) in reports.enumerated() {
      for step in report.recording.start.steps {
        workflows[step.file] = step.workflow
        columns[StepName(step)] = max(columns[StepName(step)] ?? 0, step.iterationColumns)
        if let place = places[StepName(step)], sources[place] == number { own[StepName(step)] = step }
      }
    }
    steps = names.enumerated().map { index, name in
      guard let step = own[name] else {
        let file = SourceFile(name: name.file, bytes: [])
        return StepIdentity(
          index: index, id: name.id, file: name.file, workflow: workflows[name.file] ?? name.file, summary: nil, tags: [],
          range: SourceRange(file, 0..<0), action: "", isCleanup: false)
      }
      return StepIdentity(
        index: index, id: step.id, file: step.file, workflow: step.workflow, summary: step.summary, tags: step.tags, range: step.range,
        action: step.action, isCleanup: step.isCleanup, isRequest: step.isRequest, iterationColumns: columns[name] ?? 0,
        loopLimit: step.loopLimit, quarantine: step.quarantine)
    }
  }

  /// The recording of the whole run, merged from the reports of its shards.
  package var recording: RunRecording {
    let results = mergedResults()
    let notices = mergedNotices()
    let hosts = Set(reports.map(\.recording.hostname))
    return RunRecording(
      mergedStart(), results, notices, mergedSummary(results, notices), hostname: hosts.count == 1 ? hosts.first ?? nil : nil,
      generator: reports.first?.recording.generator ?? "")
  }

  private func mergedStart() -> RunStart {
    var dependencies = Array(repeating: Set<Int>(), count: steps.count)
    var definitions = steps.map { StepDefinition($0.range) }
    for (number, report) in reports.enumerated() {
      let start = report.recording.start
      let own = start.steps.map { places[StepName($0)] }
      for (index, place) in own.enumerated() {
        guard let place else { continue }
        if start.dependencies.indices.contains(index) {
          for dependency in start.dependencies[index] where own.indices.contains(dependency) {
            if let target = own[dependency] { dependencies[place].insert(target) }
          }
        }
        if sources[place] == number, start.sources.indices.contains(index) { definitions[place] = start.sources[index] }
      }
    }
    var start = RunStart(
      runID: reports.first?.recording.start.runID ?? "", startedAt: startedAt, steps: steps, dependencies: dependencies.map { $0.sorted() },
      concurrency: Int(clamping: reports.reduce(UInt128(0)) { $0 + UInt128(clamping: $1.recording.start.concurrency) }))
    start.sources = definitions
    start.rerunOptions = reports.first?.recording.start.rerunOptions ?? []
    start.isRepeated = reports.contains { $0.recording.start.isRepeated }
    start.merge = merge
    start.load = load?.settings
    return start
  }

  private var merge: RunMerge {
    var merge = RunMerge(count: count, missing: missing, runs: reports.map(\.recording.start.runID))
    merge.durations = reports.map(\.recording.summary.wallTime)
    merge.loops = reports.flatMap(\.shard.loops)
    return merge
  }

  /// Returns the time between the start of the first shard and the start of a report's shard.
  private func offset(of report: ShardReport) -> Duration {
    .microseconds(Int64(((report.recording.start.startedAt - startedAt) * 1e6).rounded()))
  }

  private func mergedResults() -> [StepResult] {
    var lists = Array(repeating: [StepResult](), count: steps.count)
    for (number, report) in reports.enumerated() {
      let offset = offset(of: report)
      for result in report.recording.results {
        let name = StepName(result.step)
        guard let place = places[name], sources[place] == number || dividedLoops[name] != nil else { continue }
        lists[place].append(moved(result, to: place, by: offset))
      }
    }
    let words = missing.count == 1 ? "the report of shard \(missing[0])/\(count) is missing" : "the report of its shard is missing"
    if let load {
      // A load test that failed on one machine may meet its expectations for all machines together.
      for place in steps.indices {
        lists[place] = lists[place].prefix(1).map { result in
          var result = result
          result.outcome = load.outcome(of: place)
          result.isFailureAllowed = load.allowsFailures(of: place)
          return load.withMedianDuration(result)
        }
      }
    }
    for (name, loop) in dividedLoops {
      guard let place = places[name] else { continue }
      lists[place] = mergedItems(of: loop, lists[place], to: place, words)
    }
    for place in steps.indices where sources[place] == nil { lists[place] = [notRun(place, words)] }
    return lists.flatMap(\.self)
  }

  private func notRun(_ place: Int, _ reason: String) -> StepResult {
    var result = StepResult(step: steps[place], outcome: .notRun, startedAt: .zero, endedAt: .zero)
    result.reason = reason
    return result
  }

  /// Returns the results of all items of a loop, in order.
  ///
  /// - Parameters:
  ///   - loop: the loop, which was divided among the shards.
  ///   - results: the results of the loop's items in all shards.
  ///   - place: the index of the loop's step in the merged plan.
  ///   - reason: the reason why items that are missing in all reports did not run.
  private func mergedItems(of loop: DividedLoop, _ results: [StepResult], to place: Int, _ reason: String) -> [StepResult] {
    var items = results.filter { $0.iterationIndex != nil }
    for gap in loop.gaps {
      var result = notRun(place, "\(gap.count) of \(loop.count) items: \(reason)")
      result.iterationIndex = gap.lowerBound
      result.itemCount = gap.count
      items.append(result)
    }
    items.sort { ($0.iterationIndex ?? 0) < ($1.iterationIndex ?? 0) }
    // The loop did not begin in some shards, such as after a failed login. One result then represents all of these shards.
    let whole = results.filter { $0.iterationIndex == nil }.max { Self.severity(of: $0) < Self.severity(of: $1) }
    return items + (whole.map { [$0] } ?? [])
  }

  private func moved(_ result: StepResult, to place: Int, by offset: Duration) -> StepResult {
    var result = result.shifted(by: offset)
    result.step = steps[place]
    result.blockedBy = result.blockedBy.map { step in places[StepName(step)].map { steps[$0] } ?? step }
    result.earlier = result.earlier.map { moved($0, to: place, by: offset) }
    return result
  }

  /// The measurements of all machines that shared a load test, added together; nil for any other run.
  private var load: RunLoad? {
    var merged: RunLoad?
    for report in reports {
      guard var load = report.recording.summary.load else { return nil }
      load.elapsed += offset(of: report)
      guard var sum = merged else {
        merged = load
        continue
      }
      sum.merge(load)
      sum.elapsed = max(sum.elapsed, load.elapsed)
      merged = sum
    }
    merged?.settings.rate = rate
    return merged
  }

  /// The sum of the rates of all shards, which are equal; nil for a load test without a rate.
  ///
  /// The rate of a shard is a rounded quotient, so the sum of six shards of `1/s` would be `0.9999999999999999`. The nearest number with
  /// three decimals is the sum if its quotient is the rate of the shards.
  private var rate: Double? {
    let count = Double(reports.count)
    return reports.first?.recording.summary.load?.settings.rate.map { part in
      let rounded = (part * count * 1_000).rounded() / 1_000
      return rounded / count == part ? rounded : part * count
    }
  }

  private func mergedNotices() -> [Diagnostic] {
    var seen: Set<String> = []
    let pause = ShardComparison(reports: reports).pause().map { [$0] } ?? []
    return (pause + reports.flatMap(\.recording.notices)).filter { notice in
      seen.insert("\(notice.code.rawValue)\u{0}\(notice.message)\u{0}\(notice.range.map { "\($0)" } ?? "")").inserted
    }
  }

  private func mergedSummary(_ results: [StepResult], _ notices: [Diagnostic]) -> RunSummary {
    var summary = RunSummary()
    for result in results { summary.count(result) }
    // Requests that belong to no result of the merged run were sent, too: for a step that several shards ran, and for dependencies of steps
    // that ran again.
    summary.requestCount = reports.reduce(0) { $0 + $1.recording.summary.requestCount }
    summary.failsWhenFlaky = reports.contains { $0.recording.summary.failsWhenFlaky }
    if let load {
      summary.load = load
      summary.sumOfStepTimes = .zero
    }
    summary.wallTime = reports.map { offset(of: $0) + $0.recording.summary.wallTime }.max() ?? .zero
    let outcomes = reports.map(\.recording.summary).filter { !$0.runErrors.isEmpty }.map(\.runErrorOutcome)
    let outcome = outcomes.min { $0.place < $1.place } ?? .error
    for error in notices where error.severity == .error { summary.add(error, outcome) }
    summary.earlyEnd = earlyEnd
    return summary
  }

  /// The most important reason for which a shard ended early, and the shards without a report.
  private var earlyEnd: EarlyEnd? {
    let ends = reports.map { report -> EarlyEnd? in
      guard let end = report.recording.summary.earlyEnd, end.cause != .interrupt else { return report.recording.summary.earlyEnd }
      return EarlyEnd(end.cause, "shard \(report.shard.number)/\(count): \(end.reason)")
    }
    let absence = merge.absence
    guard var end = EarlyEnd.main(of: ends) else { return absence.map { EarlyEnd(.other, $0) } }
    end.remark = absence
    return end
  }
}
