import GarlandJSON
import GarlandResults

/// Reads the outcomes and times of the steps from a JSON report that arrives in pieces.
///
/// The reader never keeps the requests, bodies and failures of the report in memory, although they may be most of a report of many
/// megabytes. ``RunRecording`` reads everything that a report contains.
///
/// ```swift
/// var reader = OutcomeReader()
/// for piece in pieces {
///   for result in reader.read(piece) { print(result.id, result.outcome) }
/// }
/// guard reader.isComplete else { … }   // The file is not the report of a run.
/// ```
package struct OutcomeReader: Sendable {
  /// One result of a step in a run. A step with a loop has a result for each item. In a repeated run (`--repeat`), a step has a result for
  /// each repetition.
  package struct Result: Sendable {
    /// The document of the step, as the user named it.
    package let file: String
    /// The id of the step.
    package let id: String
    /// The number of the repetition, such as `#2`; nil for a run that was not repeated.
    package let repetition: String?
    package let outcome: Outcome
    /// Whether a failure of the step does not make the run fail, because of `allow_failure` or a quarantine.
    package let isFailureAllowed: Bool
    /// The number of loop items to which this result belongs. The number is larger than 1 if several items had not begun when the run
    /// stopped: these items share one result.
    package let itemCount: Int
    /// The time that the step waited because of its `delay`.
    package let delay: Duration
    /// The duration of the last run of the step; nil if the report does not have it.
    package let duration: Duration?
    /// The time at which the step began for the first time, counted from the start of the run.
    package let firstStart: Duration
    /// The duration of the step's first run; nil if the report does not contain this duration. If the step failed and ran again,
    /// ``duration`` is the duration of its last run.
    package let firstDuration: Duration?
    /// Whether the step passed after it had failed in the same run.
    package let isFlaky: Bool
    /// The part of the loop to which the item belongs, if several shards divided the items of the loop. Nil for all other results.
    package let part: LoopPart?

    fileprivate init?(_ value: JSONValue, isRepeated: Bool, dividedLoops: [StepName: [LoopPart]]) {
      guard let file = value["file"]?.stringValue, let id = value["id"]?.stringValue,
        let outcome = value["outcome"]?.stringValue.flatMap(Outcome.init)
      else { return nil }
      self.file = file
      self.id = id
      self.outcome = outcome
      repetition = isRepeated ? RepeatSeries.repetition(of: value["iteration"]?.stringValue) : nil
      isFailureAllowed = outcome.isProblem && value["failureAllowed"]?.boolValue == true
      itemCount = max(1, value["items"]?.intValue ?? 1)
      delay = Duration(reported: value["delay"]) ?? .zero
      duration = Duration(reported: value["seconds"])
      let earlier = value["earlier"]?.arrayValue ?? []
      // An earlier result of an item may be that of the whole loop, which failed before the item could run.
      let isItem = value["iterationIndex"] != nil
      let first = earlier.first { ($0["iterationIndex"] != nil) == isItem } ?? value
      firstStart = Duration(reported: first["startedAt"]) ?? .zero
      firstDuration = Duration(reported: first["seconds"])
      isFlaky = outcome == .passed && !earlier.isEmpty
      part = dividedLoops[StepName(file: file, id: id)].flatMap { parts in
        value["iterationIndex"]?.intValue.flatMap { item in parts.last { $0.first <= item } }
      }
    }
  }

  /// The items of a divided loop that one shard ran. Each shard ran its items on a machine of its own.
  package struct LoopPart: Sendable, Hashable {
    /// The position of the first item in the whole loop, from 0.
    package let first: Int
    /// The number of items of the part.
    package let itemCount: Int
    /// The number of items of the whole loop.
    package let loopCount: Int
  }

  /// The results of one step in all repetitions of a load test.
  package struct LoadStep: Sendable {
    /// The document of the step, as the user named it.
    package let file: String
    /// The id of the step.
    package let id: String
    /// The number of results of the step, except for those of repetitions in which the step was skipped, blocked or not run.
    package let count: Int
    /// The number of results that are failures or errors.
    package let failed: Int
    /// The average number of results of the step in a repetition, at least 1. For a loop, this is about the number of its items.
    package let countPerRepetition: Double
    /// The median of the durations of the step's results.
    package let duration: Duration

    /// Reads a step from an element of `run.load.steps`. Returns nil for a step without durations, which no repetition reached.
    ///
    /// - Parameters:
    ///   - value: the element.
    ///   - repetitions: the number of repetitions that began.
    fileprivate init?(_ value: JSONValue, repetitions: Int) {
      let durations = value["service"] ?? value["latency"]
      guard let file = value["file"]?.stringValue, let id = value["id"]?.stringValue, let median = Duration(reported: durations?["p50"]),
        let counts = value["counts"]?.objectValue
      else { return nil }
      var (count, failed) = (0, 0)
      for (name, value) in counts {
        guard let outcome = Outcome(rawValue: name), let number = value.intValue else { continue }
        if outcome == .passed || outcome.isProblem { count += number }
        if outcome.isProblem { failed += number }
      }
      guard count > 0 else { return nil }
      self.file = file
      self.id = id
      self.count = count
      self.failed = failed
      countPerRepetition = max(1, Double(count) / Double(max(1, repetitions)))
      duration = median
    }
  }

  private var parts = JSONPartReader(Self.parts)
  /// Whether a part of the report is invalid, or the report has a format version that this reader does not support.
  private var hasInvalidPart = false
  private var hasFormat = false
  /// The members of the report's `run` object that the reader keeps.
  private var run: JSONValue?
  /// The parts of the loops whose items were divided among shards, in the order of the items. The key is the name of the loop's step. In the
  /// report of a single shard, each loop has one part. Empty if the run was not divided among shards.
  private var dividedLoops: [StepName: [LoopPart]] = [:]
  /// Whether the run consists of repetitions.
  private var isRepeated = false
  /// The quarantined steps of the plan.
  private(set) var quarantined: [StepName] = []

  private static let parts: [JSONPartReader.Part] = [
    .init(at: ["format"]),
    .init(
      at: ["run"],
      keeping: [
        ["id"], ["startedAt"], ["repeated"], ["exitStatus"], ["seconds"], ["sumOfStepSeconds"], ["shard", "number"], ["shard", "loops"],
        ["shards", "count"], ["shards", "runs"], ["shards", "seconds"], ["shards", "loops"], ["load", "begun"],
        ["load", "steps", .each, "file"],
        ["load", "steps", .each, "id"], ["load", "steps", .each, "counts"], ["load", "steps", .each, "latency", "p50"],
        ["load", "steps", .each, "service", "p50"],
      ]),
    .init(at: ["steps", .each], keeping: [["file"], ["id"], ["quarantine", "until"]]),
    .init(
      at: ["results", .each],
      keeping: [
        ["file"], ["id"], ["iteration"], ["iterationIndex"], ["outcome"], ["failureAllowed"], ["items"], ["delay"], ["startedAt"],
        ["seconds"], ["earlier", .each, "iterationIndex"], ["earlier", .each, "startedAt"], ["earlier", .each, "seconds"],
      ]),
  ]

  /// Creates a reader for a new report.
  package init() {}

  /// Reads the next piece of the report, and returns the results that end in this piece. Such a result may begin in an earlier piece.
  package mutating func read(_ piece: [UInt8]) -> [Result] {
    var results: [Result] = []
    for (part, value) in parts.read(piece) {
      switch part {
      case 0:
        hasFormat = true
        if value.stringValue != "garland-report/1" { hasInvalidPart = true }
      case 1:
        run = value
        if ReportNumbers.run.mistake(in: value) != nil { hasInvalidPart = true }
        isRepeated = value["repeated"]?.boolValue ?? false
        dividedLoops = Self.dividedLoops(in: value["shards"] ?? value["shard"])
      case 2:
        guard value["quarantine"] != nil, let file = value["file"]?.stringValue, let id = value["id"]?.stringValue else { continue }
        quarantined.append(StepName(file: file, id: id))
      default:
        if ReportNumbers.result.mistake(in: value) == nil,
          let result = Result(value, isRepeated: isRepeated, dividedLoops: dividedLoops)
        {
          results.append(result)
        } else {
          hasInvalidPart = true
        }
      }
    }
    return results
  }

  /// Reads the divided loops from the value of `run.shards` in a merged report, or from the value of `run.shard` in the report of a shard.
  private static func dividedLoops(in shards: JSONValue?) -> [StepName: [LoopPart]] {
    var loops: [StepName: [LoopPart]] = [:]
    for value in shards?["loops"]?.arrayValue ?? [] {
      guard let loop = RunShard.Loop(value) else { continue }
      let part = LoopPart(first: loop.range.lowerBound, itemCount: loop.range.count, loopCount: loop.count)
      loops[StepName(file: loop.file, id: loop.id), default: []].append(part)
    }
    return loops.mapValues { parts in parts.sorted { $0.first < $1.first } }
  }

  /// Whether the pieces that were read form the complete report of a run.
  package var isComplete: Bool { parts.isAtEnd && hasFormat && run?.objectValue != nil && !isInvalid }
  /// Whether the pieces that were read so far show that the text is not a run's report. Once true, it stays true.
  package var isInvalid: Bool { parts.isInvalid || hasInvalidPart }

  /// The identifier of the run; nil if the report does not have it.
  var runID: String? { run?["id"]?.stringValue }
  /// The start of the run in seconds since 1970; nil if the report does not have it.
  var startedAt: Double? { run?["startedAt"]?.stringValue.flatMap(TimeText.seconds) }
  /// Whether the run carried out only one shard (part) of a plan.
  var isShard: Bool { run?["shard"]?["number"] != nil }
  /// Whether the report was merged from the reports of shards.
  var isMerged: Bool { run?["shards"]?["count"] != nil }
  /// The identifiers of the runs that were merged into the report; empty if the report does not have them.
  var mergedRuns: [String] { (run?["shards"]?["runs"]?.arrayValue ?? []).compactMap(\.stringValue) }
  /// The exit status of the run; nil if the report does not have it.
  package var exitStatus: Int? { run?["exitStatus"]?.intValue }
  /// For each step of a load test, its results in all repetitions; nil for the report of any other run. Steps that no repetition reached
  /// are omitted.
  package var load: [LoadStep]? {
    guard let load = run?["load"] else { return nil }
    let repetitions = load["begun"]?.intValue ?? 0
    return (load["steps"]?.arrayValue ?? []).compactMap { LoadStep($0, repetitions: repetitions) }
  }
  /// The average number of steps that ran at the same time on a machine: the total time of all steps, divided by the duration of the run.
  /// For a merged report, the total time is divided by the sum of the durations of all shards.
  package var parallelism: Double {
    let shards = (run?["shards"]?["seconds"]?.arrayValue ?? []).compactMap { Duration(reported: $0) }
    guard let wall = shards.isEmpty ? Duration(reported: run?["seconds"]) : shards.reduce(Duration.zero, +),
      let sum = Duration(reported: run?["sumOfStepSeconds"]), wall > .zero
    else { return 1 }
    return max(1, sum / wall)
  }
}
