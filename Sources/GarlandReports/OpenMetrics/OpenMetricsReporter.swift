import GarlandDiagnostics
import GarlandResults

/// Writes the outcome and duration of a run and of each of its steps as metrics, for the textfile collector of Prometheus' node_exporter.
///
/// All items of a loop count as one step, so that the number of series does not depend on the number of items. Every series has the label
/// `report`, which is the name of the report's file: a collector reads many such files, and no series may occur in two of them.
package final class OpenMetricsReporter: ResultReporter {
  /// The times of a step, or of the items of its loop.
  private struct Span {
    /// The start and the end of the first run of the step or the items, in microseconds since the run's start.
    var times: Range<Int>
    /// The duration in microseconds. For several items, it is the length of ``times``: the items overlap, and an item that ran again did so
    /// after the loop. Otherwise, it is the duration of the last run.
    var duration: Int

    mutating func add(_ other: Span) {
      times = min(times.lowerBound, other.times.lowerBound)..<max(times.upperBound, other.times.upperBound)
      duration = times.count
    }
  }

  /// The measurements of a step. For a loop, these are the measurements of all its items.
  private struct State {
    var results = [Int](repeating: 0, count: Outcome.allCases.count)
    /// Whether the step, or an item of its loop, passed.
    var hasPassed = false
    /// Whether a result of the step counts as a failure, for one of these reasons:
    ///
    /// - The step failed, and the failure is not allowed.
    /// - The step was not run.
    /// - The step was blocked, but not by another step.
    ///
    /// Steps that blocked this step are in ``blockers``.
    var hasFailed = false
    /// The plan positions of the steps that blocked the step to which this state belongs.
    var blockers: Set<Int> = []
    /// The number of the repetition to which the step's last result belongs, and the times of the step in this repetition. For a loop, they
    /// cover all items. Nil if the step was skipped, blocked or not run. The number is nil for a run that was not repeated.
    var repetition: (number: String?, span: Span)?
    /// The duration of the step's longest repetition before ``repetition``, in microseconds.
    var longest = 0
    /// The end time, the iteration and the HTTP status of the loop item that ended last. This item's event need not be the last event,
    /// since the events may arrive in a different order than the items ended.
    var last: (end: Int, iteration: Int, status: Int)?
  }

  private let mask: Mask
  private let file: ReportFile
  private let report: String
  private var start: RunStart?
  private var states: [State] = []
  private var tally = RunTally()

  /// Creates a reporter that writes to a file.
  ///
  /// - Parameters:
  ///   - path: the path of the report; `-` is standard output.
  ///   - redactor: masks the secrets.
  /// - Throws: an error if the file can't be written. The reporter is created before the run sends a request.
  package init(path: String, redactor: Redactor) throws(ReportError) {
    mask = Mask(redactor)
    file = try ReportFile(path: path)
    report = path == "-" ? "garland" : mask.line(Self.name(ofFile: path))
  }

  /// Receives the next event.
  package func receive(_ event: RunEvent) {
    tally.receive(event)
    switch event {
    case .runStarted(let start):
      self.start = start
      states = Array(repeating: State(), count: start.steps.count)
    case .stepEnded(let result): count(result)
    case .stepReady, .stepStarted, .stepProgressed, .stepWaits, .loadProgressed, .notice, .interrupted, .runEnded: break
    }
  }

  /// Writes the complete file, and only then makes it appear at its path.
  package func finish() throws(ReportError) {
    for result in tally.unreportedResults() { count(result) }
    var text = MetricText()
    writeRun(to: &text)
    writeSteps(to: &text)
    text.end()
    file.writer.write(text.take())
    try file.commit()
  }

  private func count(_ result: StepResult) {
    guard states.indices.contains(result.step.index), let place = Outcome.allCases.firstIndex(of: result.outcome) else { return }
    states[result.step.index].results[place] += result.itemCount
    switch result.outcome {
    case .passed: states[result.step.index].hasPassed = true
    case .skipped: break
    case .failed, .error, .unreachable:
      if !result.isFailureAllowed { states[result.step.index].hasFailed = true }
    case .blocked where !result.blockedBy.isEmpty: states[result.step.index].blockers.formUnion(result.blockedBy.map(\.index))
    case .blocked, .notRun: states[result.step.index].hasFailed = true
    }
    guard result.outcome == .passed || result.outcome.isProblem else { return }
    let times = result.recordedMicroseconds
    add(result, times, to: &states[result.step.index])
    guard result.step.isRequest, let status = result.lastOwnExchange?.status else { return }
    let candidate = (end: times.upperBound, iteration: result.iterationIndex ?? 0, status: status)
    if let last = states[result.step.index].last, (last.end, last.iteration) > (candidate.end, candidate.iteration) { return }
    states[result.step.index].last = candidate
  }

  /// Adds the times of a result to the duration of its step.
  private func add(_ result: StepResult, _ times: Range<Int>, to state: inout State) {
    // If the loop failed as a whole before its items ran, this failure is an earlier result of the item that ran first.
    let first = result.earlier.first { $0.iterationIndex == result.iterationIndex }?.recordedMicroseconds ?? times
    let span = Span(times: first, duration: times.count)
    let number = start?.isRepeated == true ? RepeatSeries.repetition(of: result.iteration) : nil
    if state.repetition?.number == number, state.repetition?.span.add(span) != nil { return }
    state.longest = max(state.longest, state.repetition?.span.duration ?? 0)
    state.repetition = (number, span)
  }

  // MARK: Families

  private func writeRun(to text: inout MetricText) {
    let summary = tally.summary
    let labels = MetricText.labels([("report", report)])
    let startedAt = Duration.milliseconds(start?.recordedMilliseconds ?? 0)
    let endedAt = startedAt + .microseconds(Readable.microseconds(summary.wallTime))
    text.begin("garland_run_success", "1 if the exit status of the run is 0, else 0.")
    text.sample("garland_run_success", labels, summary.exitStatus == 0 ? "1" : "0")
    text.begin("garland_run_exit_status", "The exit status of the run.")
    text.sample("garland_run_exit_status", labels, "\(summary.exitStatus)")
    text.begin("garland_run_start_time_seconds", unit: "seconds", "When the run began, in seconds since 1970.")
    text.sample("garland_run_start_time_seconds", labels, Readable.seconds(startedAt))
    text.begin("garland_run_end_time_seconds", unit: "seconds", "When the run ended, in seconds since 1970.")
    text.sample("garland_run_end_time_seconds", labels, Readable.seconds(endedAt))
    text.begin("garland_run_duration_seconds", unit: "seconds", "How long the run took.")
    text.sample("garland_run_duration_seconds", labels, Readable.seconds(summary.wallTime))
    text.begin("garland_run_requests", "How many requests were sent, redirects and retries included.")
    text.sample("garland_run_requests", labels, "\(summary.requestCount)")
    text.begin("garland_run_results", "Steps and items of loops by outcome, without failures that `allow_failure` covers.")
    for outcome in Outcome.allCases {
      let labels = MetricText.labels([("report", report), ("outcome", outcome.rawValue)])
      text.sample("garland_run_results", labels, "\(summary.counts[outcome, default: 0])")
    }
    text.begin("garland_run_allowed_failures", "Problems that `allow_failure` covers.")
    text.sample("garland_run_allowed_failures", labels, "\(summary.allowedFailures)")
    text.begin("garland_run_quarantined", "Problems of quarantined steps.")
    text.sample("garland_run_quarantined", labels, "\(summary.quarantined)")
    text.begin("garland_run_flaky", "Steps and items of loops that passed after they had failed.")
    text.sample("garland_run_flaky", labels, "\(summary.flaky)")
    if let merge = start?.merge {
      text.begin("garland_run_missing_shards", "Shards of a merged run that have no report, so that their steps count as not run.")
      text.sample("garland_run_missing_shards", labels, "\(merge.missing.count)")
    }
    writeExpectations(to: &text)
  }

  /// Writes, for each expectation of a load test, whether it was met.
  private func writeExpectations(to text: inout MetricText) {
    let expectations = tally.summary.load.map { LoadFigures.expectations(of: $0, mask) } ?? []
    guard !expectations.isEmpty else { return }
    text.begin("garland_load_expectation_met", "1 if the load meets the expectation of `--expect`, else 0.")
    // Each series may occur only once.
    var seen: Set<String> = []
    for expectation in expectations where seen.insert(expectation.text).inserted {
      let labels = MetricText.labels([("report", report), ("expectation", expectation.text)])
      text.sample("garland_load_expectation_met", labels, expectation.isMet ? "1" : "0")
    }
  }

  private func writeSteps(to text: inout MetricText) {
    guard let steps = start?.steps, !steps.isEmpty else { return }
    let labels = labels(of: steps)
    let known = zip(states, labels)
    text.begin(
      "garland_step_success", "1 if the step and all items of its loop passed, else 0; skipped steps and allowed failures have no value.")
    for (labels, value) in zip(labels, successes()) {
      if let value { text.sample("garland_step_success", labels, value ? "1" : "0") }
    }
    flush(&text)
    text.begin("garland_step_results", "How often the step, or an item of its loop, ended with this outcome.")
    let load = tally.summary.load
    for (step, (state, labels)) in known.enumerated() {
      for (outcome, count) in zip(Outcome.allCases, results(of: step, state, load)) where count > 0 {
        text.sample("garland_step_results", labels + "," + MetricText.labels([("outcome", outcome.rawValue)]), "\(count)")
      }
    }
    flush(&text)
    text.begin(
      "garland_step_duration_seconds", unit: "seconds",
      "From the first request of the step to its end; in a load, the median; with repetitions, that of the longest one.")
    for (step, (state, labels)) in known.enumerated() {
      if let last = state.repetition {
        let duration = load?.medianDuration(of: step) ?? .microseconds(max(state.longest, last.span.duration))
        text.sample("garland_step_duration_seconds", labels, Readable.seconds(duration))
      }
    }
    flush(&text)
    text.begin("garland_step_http_status_code", "The status code of the last response to the step.")
    for (state, labels) in known {
      if let last = state.last { text.sample("garland_step_http_status_code", labels, "\(last.status)") }
    }
    flush(&text)
  }

  /// Returns the number of a step's results for each outcome, in the order of the outcomes. In a load test, the results of all repetitions
  /// count.
  private func results(of step: Int, _ state: State, _ load: RunLoad?) -> [Int] {
    guard let load, load.steps.indices.contains(step) else { return state.results }
    let counts = Outcome.allCases.map { load.steps[step].counts[$0, default: 0] }
    return counts.contains { $0 > 0 } ? counts : state.results
  }

  private func flush(_ text: inout MetricText) { file.writer.write(text.take()) }

  /// Returns, for each step, whether it succeeded:
  ///
  /// - False if the step failed and its failure was not allowed.
  /// - False if the step was not run.
  /// - False if the step was blocked, either by a step whose value is false, or without a blocking step.
  /// - Otherwise true if the step passed.
  /// - Otherwise nil, for example if the step was skipped.
  private func successes() -> [Bool?] {
    var dependents: [Int: [Int]] = [:]
    for (step, state) in states.enumerated() { for blocker in state.blockers { dependents[blocker, default: []].append(step) } }
    var hasFailed = states.map(\.hasFailed)
    var failed = states.indices.filter { hasFailed[$0] }
    while let step = failed.popLast() {
      for dependent in dependents[step] ?? [] where !hasFailed[dependent] {
        hasFailed[dependent] = true
        failed.append(dependent)
      }
    }
    return zip(states, hasFailed).map { state, hasFailed in hasFailed ? false : state.hasPassed ? true : nil }
  }

  /// Returns the labels of each step. If masked text makes the labels of several steps equal, a number is added to the labels of all these
  /// steps except the first. Otherwise two series (sequences of values) in the file would have equal labels.
  private func labels(of steps: [StepIdentity]) -> [String] {
    var seen: [String: Int] = [:]
    return steps.map { step in
      let (file, id) = (mask.line(step.file), mask.line(step.id))
      let labels = MetricText.labels([("report", report), ("file", file), ("step", id)])
      let count = seen[labels, default: 0] + 1
      seen[labels] = count
      return count == 1 ? labels : MetricText.labels([("report", report), ("file", file), ("step", "\(id) (\(count))")])
    }
  }

  /// Returns the name of a file without its folder and its extension, such as `books` for `/var/lib/node_exporter/books.prom`.
  private static func name(ofFile path: String) -> String {
    let file = path.split(separator: "/").last ?? "garland"
    guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return String(file) }
    return String(file[..<dot])
  }
}
