import GarlandDiagnostics
import GarlandResults

/// The report of a shard (a part of a plan that ran separately), with the name of the report's file.
struct ShardReport {
  let name: String
  let recording: RunRecording
  let shard: RunShard
}

/// Checks whether reports belong to the shards of one run. If they do not, returns diagnostics with the reasons.
struct ShardComparison {
  /// The reports, sorted by the number of their shard.
  let reports: [ShardReport]

  /// Returns the differences between the first report and each other report: at most one for each report, because further differences
  /// usually follow from the first one.
  func differences() -> [Diagnostic] {
    guard let first = reports.first else { return [] }
    return reports.dropFirst().compactMap { difference(of: $0, to: first) }
  }

  private func difference(of report: ShardReport, to first: ShardReport) -> Diagnostic? {
    let (one, other) = (first.shard, report.shard)
    let name = report.name
    if first.recording.generator != report.recording.generator {
      return refusal("\(name) was written by \(report.recording.generator), but \(first.name) by \(first.recording.generator)")
    }
    if one.count != other.count {
      return refusal(
        "\(name) is the report of shard \(other.number)/\(other.count), but \(first.name) is the report of shard \(one.number)/\(one.count)"
      )
    }
    if one.profile != other.profile {
      func words(_ shard: RunShard) -> String { shard.profile.map { "the profile `\($0)`" } ?? "no profile" }
      return refusal("\(name) was made with \(words(other)), but \(first.name) with \(words(one))")
    }
    if let message = documentDifference(of: report, to: first) {
      return refusal(message).help("use the same files and the same options, such as `--tag`, for every shard")
    }
    if let message = variableDifference(of: report, to: first) ?? loadDifference(of: report, to: first) { return refusal(message) }
    if one.division != other.division {
      return refusal("\(name) and \(first.name) divide the run in different ways")
        .help("use the same `--from`, `--repeat`, `--until-failure` and `--users` for every shard")
    }
    return nil
  }

  private func documentDifference(of report: ShardReport, to first: ShardReport) -> String? {
    let known = Dictionary(first.shard.documents.map { ($0.file, $0) }) { one, _ in one }
    let own = Dictionary(report.shard.documents.map { ($0.file, $0) }) { one, _ in one }
    for document in report.shard.documents {
      guard let other = known[document.file] else {
        return "\(report.name) has the document \(document.file), but \(first.name) does not have it"
      }
      if other.digest != document.digest { return "\(report.name) and \(first.name) were made from different versions of \(document.file)" }
      if other.steps != document.steps { return "\(report.name) and \(first.name) select different steps of \(document.file)" }
    }
    if let missing = first.shard.documents.first(where: { own[$0.file] == nil }) {
      return "\(first.name) has the document \(missing.file), but \(report.name) does not have it"
    }
    return report.shard.documents.map(\.file) == first.shard.documents.map(\.file)
      ? nil : "\(report.name) and \(first.name) have the documents in different orders"
  }

  private func loadDifference(of report: ShardReport, to first: ShardReport) -> String? {
    let (one, other) = (first.recording.summary.load, report.recording.summary.load)
    guard one != nil || other != nil else { return nil }
    guard let one else { return "\(report.name) is a report of a load, and \(first.name) is not" }
    guard let other else { return "\(first.name) is a report of a load, and \(report.name) is not" }
    let (own, known) = (other.settings, one.settings)
    let isSame =
      own.rate == known.rate && own.duration == known.duration && own.ramp == known.ramp
      && (own.repetitions == nil) == (known.repetitions == nil)
    guard isSame else { return "\(report.name) and \(first.name) sent load in different ways" }
    return one.expectations.map(\.text) == other.expectations.map(\.text)
      ? nil : "\(report.name) and \(first.name) have different expectations"
  }

  private func variableDifference(of report: ShardReport, to first: ShardReport) -> String? {
    guard report.shard.variables != first.shard.variables else { return nil }
    let known = Dictionary(first.shard.variables.map { ($0.name, $0.digest) }) { one, _ in one }
    let own = Dictionary(report.shard.variables.map { ($0.name, $0.digest) }) { one, _ in one }
    let names = (report.shard.variables + first.shard.variables).map(\.name).filter { known[$0] != own[$0] }
    return "\(report.name) and \(first.name) were made with different values of the variable `\(names.first ?? "")`"
  }

  /// Returns diagnostics for the shards with more than one report.
  func duplicates() -> [Diagnostic] {
    zip(reports, reports.dropFirst()).filter { $0.shard.number == $1.shard.number }.map { one, other in
      refusal(
        one.name == other.name
          ? "the report \(one.name) is given twice"
          : "\(one.name) and \(other.name) are both reports of shard \(one.shard.number)/\(one.shard.count)")
    }
  }

  /// Returns the numbers of the shards without a report.
  func missing() -> [Int] {
    guard let count = reports.first?.shard.count else { return [] }
    let present = Set(reports.map(\.shard.number))
    return (1...count).filter { !present.contains($0) }
  }

  /// Returns a diagnostic for each report that does not fit the plan of its shard: the report lacks the result of a step, or has a step
  /// that is not in the plan.
  func incomplete() -> [Diagnostic] {
    reports.compactMap { report in
      var known: Set<StepName> = []
      for document in report.shard.documents { for step in document.steps { known.insert(StepName(file: document.file, id: step)) } }
      let steps = report.recording.start.steps
      if let stranger = steps.first(where: { !known.contains(StepName($0)) }) {
        return refusal("\(report.name) has the step `\(stranger.id)` of \(stranger.file), which its plan does not have")
      }
      let results = Set(report.recording.results.map(\.step.index))
      if let lost = steps.first(where: { !results.contains($0.index) }) {
        return refusal(
          "\(report.name) has no result for the step `\(lost.id)` of \(lost.file), although the step belongs to the shard of this report"
        ).help("run this shard again")
      }
      if let loss = itemLoss(in: report) { return loss }
      // A result of a loop item may be missing, too.
      guard let count = report.recording.recordedCount, count != report.recording.results.count else { return nil }
      let found = report.recording.results.count
      return refusal("\(report.name) has \(found) result\(found == 1 ? "" : "s"), but its run had \(count)").help("run this shard again")
    }
  }

  /// Checks the results of each loop whose items are divided among the shards. Returns a diagnostic if the report lacks an item of its own
  /// shard, or contains an item of another shard. Otherwise returns nil.
  private func itemLoss(in report: ShardReport) -> Diagnostic? {
    for loop in report.shard.loops {
      let results = report.recording.results.filter { $0.step.id == loop.id && $0.step.file == loop.file }
      let step = "the step `\(loop.id)` of \(loop.file)"
      if let stranger = results.compactMap(\.iterationIndex).first(where: { !loop.range.contains($0) }) {
        return refusal("\(report.name) has a result of item \(stranger + 1) of \(step), but this item belongs to another shard")
      }
      if let item = DividedLoop.missingItem(of: loop.range, in: results) {
        return refusal("\(report.name) has no result of item \(item + 1) of \(step)").help("run this shard again")
      }
    }
    return nil
  }

  /// Returns diagnostics for the items of divided loops: for an item that two reports contain, and for an item that no report contains.
  /// Missing items are reported only if all shards have a report.
  ///
  /// - Parameter loops: the divided loops of the reports.
  func itemProblems(_ loops: [StepName: DividedLoop]) -> [Diagnostic] {
    let isComplete = missing().isEmpty
    return loops.values.sorted { ($0.name.file, $0.name.id) < ($1.name.file, $1.name.id) }.compactMap { loop in
      let step = "the step `\(loop.name.id)` of \(loop.name.file)"
      if let (first, second) = loop.overlap {
        let words = DividedLoop.words(first.range.clamped(to: second.range))
        return refusal("\(reports[first.report].name) and \(reports[second.report].name) both have \(words) of \(step)")
      }
      guard isComplete, let gap = loop.gaps.first else { return nil }
      return refusal("no report has \(DividedLoop.words(gap)) of \(step), which is part of the plan")
    }
  }

  /// The maximum pause between the shards of one run: 12 hours. If no shard runs for a longer time, a report is probably of another run.
  ///
  /// A pause of some hours is normal: shards may run one after another or wait in a queue, and a shard may be run again in the morning. The
  /// pause between the reports of two successive nightly runs is longer than the maximum, unless a run takes half a day.
  private static let longestPause = 12.0 * 3_600

  /// Returns a warning if there is a long time in which none of the shards ran, since some of the reports are then probably of an earlier
  /// run. Otherwise returns nil.
  func pause() -> Diagnostic? {
    let runs = reports.map { report in
      let start = report.recording.start.startedAt
      return (name: report.name, start: start, end: start + report.recording.summary.wallTime / .seconds(1))
    }.sorted { $0.start < $1.start }
    guard let first = runs.first, let last = runs.last else { return nil }
    var (end, longest) = (first.end, 0.0)
    for run in runs {
      longest = max(longest, run.start - end)
      end = max(end, run.end)
    }
    guard longest > Self.longestPause else { return nil }
    return Diagnostic(
      "distant-shards", severity: .warning,
      "the reports are probably of different runs: \(first.name) began at \(TimeText.readable(first.start)), but \(last.name) at "
        + TimeText.readable(last.start), at: nil
    ).help("delete old reports before a run, or write the reports of each run to a folder of its own")
  }

  func refusal(_ message: String) -> Diagnostic { Diagnostic("bad-merge", message, at: nil) }
}
