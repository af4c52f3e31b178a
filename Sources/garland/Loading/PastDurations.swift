import GarlandDiagnostics
import GarlandPlanner
import GarlandReports
import GarlandResults
import GarlandWorkflow

/// The durations of the steps of an earlier run, read from the JSON report of that run. The duration of a step includes the step's `delay`.
struct PastDurations {
  /// The file and the id of a step, by which a report identifies the step.
  struct Name: Hashable {
    var file: String
    var id: String
  }

  /// The outcome of a step in the earlier run, such as passed or failed.
  struct End {
    var outcome: Outcome
    /// Whether the outcome is an allowed failure. With `allow_failure` or a quarantine, the failure did not make the run fail.
    var isAllowed: Bool
    /// Whether the step passed after it had failed in the same run.
    var isFlaky: Bool
    /// Whether the step neither passed nor was skipped.
    var isFailure: Bool { outcome != .passed && outcome != .skipped }

    /// The rank of the outcome of a loop's item. The item with the highest rank determines the outcome of the whole loop.
    var weight: Int {
      switch outcome {
      case .skipped: 0
      case .passed: isFlaky ? 2 : 1
      case .notRun: 3
      case .blocked: 4
      case .unreachable: 5
      case .error: 6
      case .failed: 7
      }
    }
  }

  /// One repetition (`--repeat`) of a step in the earlier run that provides the durations.
  private struct Repetition: Hashable {
    var step: Name
    /// The number of the repetition, such as `#2`; nil for a run without `--repeat`.
    var number: String?
  }

  /// The results that one machine recorded for a step, in one repetition. A step has several parts only if the items of its loop were divided
  /// among shards.
  private struct Part: Hashable {
    var repetition: Repetition
    /// The loop items that this shard ran; nil if the step's loop was not divided among shards.
    var items: OutcomeReader.LoopPart?
  }

  /// The start, the end and the duration of a step in one repetition, on one machine. For a loop, they cover all items.
  private struct Span {
    /// The time from the start of the run to the start of the step's first item. If the step has a `delay`, the first item starts at the
    /// beginning of the `delay`.
    var from: Duration
    /// The time from the start of the run to the end of the step's last item.
    var to: Duration
    /// The duration of the step in this repetition. For a loop with several items, this is the time from the start of the first item to the
    /// end of the last item. If there is a single item and it was run again, only its last run counts.
    var duration: Duration

    mutating func add(_ other: Span) {
      from = min(from, other.from)
      to = max(to, other.to)
      duration = to - from
    }
  }

  private var reader = OutcomeReader()
  private var spans: [Part: Span] = [:]
  /// For each loop that shards divided, the parts whose items ran or were skipped. Empty after the report has been read.
  private var parts: [Name: Set<OutcomeReader.LoopPart>] = [:]
  /// The duration of each step; for a run with several repetitions, the longest duration among the repetitions. The duration of a loop that
  /// shards divided is the sum of the parts' durations, which is about the duration on a single machine. If the report lacks some parts, the
  /// duration of the whole loop is computed from the other parts (``addMissingItems()``).
  private var longest: [Name: Duration] = [:]
  /// The total time of each step in all repetitions and loop items.
  private var totals: [Name: Duration] = [:]
  private var ends: [Name: End] = [:]
  /// The names of the steps in the order of the report.
  private var order: [Name] = []
  /// Masks secrets in the names of a plan's steps. The report of the earlier run contains the names in this masked form, so the masked
  /// names can be found in the report.
  private let redactor: Redactor

  /// The average number of steps that ran at the same time: the total time of all steps, divided by the duration of the run.
  var parallelism: Double { reader.parallelism }
  /// The exit status of the run; nil if the report does not contain it.
  var exitStatus: Int? { reader.exitStatus }

  /// Reads the durations from a report. The required memory depends on the number of steps and repetitions, and not on the size of the
  /// report.
  ///
  /// - Parameters:
  ///   - path: the absolute path of the report.
  ///   - files: the file system.
  ///   - redactor: masks secrets in the names of a plan's steps. A step whose name contains a secret is found by its masked name, since the
  ///     names in the report are masked.
  /// - Returns: nil if the file is not the report of a run.
  /// - Throws: an error if the file can't be read.
  init?(_ path: String, in files: any WorkflowFiles, redactor: Redactor) throws(WorkflowFileError) {
    self.redactor = redactor
    try files.readPieces(path) { piece in
      for result in reader.read(piece) { add(result) }
      return !reader.isInvalid
    }
    guard reader.isComplete else { return nil }
    var durations: [Repetition: Duration] = [:]
    for (part, span) in spans { durations[part.repetition, default: .zero] += span.duration }
    for (repetition, duration) in durations { longest[repetition.step] = max(duration, longest[repetition.step] ?? .zero) }
    addMissingItems()
    (spans, parts) = ([:], [:])
    if let load = reader.load { replaceDurations(with: load) }
  }

  /// Computes the durations of whole loops, if the report has only some of their items. These are the loops of which other shards ran a
  /// part, in the report of a single shard, or in a merged report that lacks shards. All items of a loop are expected to take equally long.
  private mutating func addMissingItems() {
    for (name, parts) in parts {
      let count = parts.reduce(0) { $0 + $1.itemCount }
      guard let all = parts.first?.loopCount, count < all else { continue }
      let factor = Double(all) / Double(count)
      longest[name] = longest[name].map { $0 * factor }
      totals[name] = totals[name].map { $0 * factor }
    }
  }

  /// Replaces the durations of a load test. A result of a load test may have the duration of a single repetition; the duration of a step is
  /// the median of all repetitions.
  private mutating func replaceDurations(with load: [OutcomeReader.LoadStep]) {
    (longest, totals) = ([:], [:])
    for step in load {
      let name = Name(file: step.file, id: step.id)
      longest[name] = step.duration
      totals[name] = step.duration * step.countPerRepetition
    }
  }

  private mutating func add(_ result: OutcomeReader.Result) {
    // The worst outcome of a loop's items is the outcome of the step.
    let name = Name(file: result.file, id: result.id)
    let end = End(outcome: result.outcome, isAllowed: result.isFailureAllowed, isFlaky: result.isFlaky)
    if ends[name] == nil { order.append(name) }
    ends[name] = ends[name].map { $0.weight >= end.weight ? $0 : end } ?? end
    if let items = result.part, result.outcome != .blocked, result.outcome != .notRun { parts[name, default: []].insert(items) }
    // Only a step that ran has a duration.
    guard let time = result.duration, result.outcome == .passed || result.outcome.isProblem else { return }
    totals[name, default: .zero] += result.delay + time
    // The items of a loop overlap, and other steps wait for all of them. The shards of a divided loop may have run at any distance in time,
    // so the items of different shards are not compared. An item that ran again did so after the loop.
    let start = result.firstStart
    let span = Span(from: start - result.delay, to: start + (result.firstDuration ?? time), duration: result.delay + time)
    let part = Part(repetition: Repetition(step: name, number: result.repetition), items: result.part)
    if spans[part]?.add(span) == nil { spans[part] = span }
  }

  /// Returns the names that a step of a plan may have in the report: its own name, and its masked name. A report masks secrets in names,
  /// too.
  private func names(of planned: PlannedStep) -> [Name] {
    let own = Name(file: planned.workflow.file.name, id: planned.step.id)
    guard redactor.hasSecrets else { return [own] }
    let masked = Name(file: redactor.redact(own.file), id: redactor.redact(own.id))
    return masked == own ? [own] : [own, masked]
  }

  /// Returns the value in `table` for each step of a plan; nil for a step that is not in the table.
  private func values<Value>(_ table: [Name: Value], of plan: Plan) -> [Value?] {
    plan.steps.map { step in names(of: step).lazy.compactMap { table[$0] }.first }
  }

  private func seconds(_ table: [Name: Duration], of plan: Plan) -> [Double?] {
    values(table, of: plan).map { $0.map { $0 / .seconds(1) } }
  }

  /// Returns the outcome of each step of a plan; nil for steps that are not in the report.
  func ends(of plan: Plan) -> [End?] { values(ends, of: plan) }

  /// Returns the steps that neither passed nor were skipped in the earlier run, and that are not in `plan`.
  func failures(outside plan: Plan) -> [Name] {
    let known = Set(plan.steps.flatMap(names(of:)))
    return order.filter { ends[$0]?.isFailure == true && !known.contains($0) }
  }

  /// Whether the report has no result of any step of a plan, so that the report probably belongs to another plan. False for a plan without
  /// steps.
  func isStranger(to plan: Plan) -> Bool { !plan.steps.isEmpty && ends(of: plan).allSatisfy { $0 == nil } }

  /// Returns the duration of each step of a plan in seconds; nil for steps that are not in the report.
  ///
  /// - For a step with a loop, the duration is the time from the start of its first item to the end of its last item.
  /// - If shards divided the items of a loop, the duration is the sum of these times in all shards, including an estimate for the shards
  ///   that are not in the report.
  /// - If the run had several repetitions, the duration is the longest duration among the repetitions.
  /// - In a load test, the duration is the median of all repetitions.
  func durations(of plan: Plan) -> [Double?] { seconds(longest, of: plan) }

  /// Returns the weight of each step of a plan: the duration of the step in the earlier run, in seconds. A run starts steps in an order
  /// that depends on the weights. A step that is not in the report of the earlier run gets the average of the other steps.
  ///
  /// - Parameters:
  ///   - plan: the plan.
  ///   - items: the loops that run only some of their items, each with the share of its items that run. The weight of such a loop is
  ///     multiplied by this share. The key is the ``PlannedStep/number`` of the loop's step.
  func weights(of plan: Plan, items: [Int: ItemShare] = [:]) -> [Double] {
    let whole = Self.completed(durations(of: plan))
    return items.isEmpty ? whole : zip(plan.steps, whole).map { $1 * (items[$0.number]?.fraction ?? 1) }
  }

  /// Returns the total time in seconds that each step of a plan, or all items of its loop, took in the reported run. A step that is not in
  /// the report gets the average of the other steps.
  func work(of plan: Plan) -> [Double] { Self.completed(seconds(totals, of: plan)) }

  private static func completed(_ durations: [Double?]) -> [Double] {
    let known = durations.compactMap { $0 }
    let average = known.isEmpty ? 1 : known.reduce(0, +) / Double(known.count)
    return durations.map { $0 ?? average }
  }
}
