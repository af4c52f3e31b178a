import GarlandDiagnostics
import GarlandJSON
import GarlandResults
import TestSupport
import Testing

@testable import GarlandReports

@Suite struct OpenMetricsTests {
  /// Returns the samples that prometheus_client reads in a report: values by name and labels.
  private static func samples(_ events: [RunEvent], secrets: [String] = [], file: String = "books.prom") throws -> [String: Double] {
    let folder = try TemporaryFolder()
    _ = try ReportText.write(.openmetrics, events, to: "\(folder.path)/\(file)", secrets: secrets)
    let read = try JSONValue(parsing: PythonPackages.read("openmetrics", "\(folder.path)/\(file)"))
    var samples: [String: Double] = [:]
    for sample in try #require(read.arrayValue) {
      let labels = try #require(sample[1]?.objectValue).map { "\($0.key)=\($0.value.stringValue ?? "")" }.joined(separator: ",")
      let name = "\(sample[0]?.stringValue ?? "") \(labels)"
      #expect(samples[name] == nil, "\(name) occurs twice")
      samples[name] = sample[2]?.doubleValue
    }
    return samples
  }

  @Test func `the OpenMetrics report of a run with steps of every outcome matches the golden file`() throws {
    expectGolden(try ReportText.of(.openmetrics, Fixture.allEvents, fileName: "books.prom"), "metrics.prom")
  }

  @Test func `the library prometheus_client reads the outcome and the duration of each step from the OpenMetrics report`() throws {
    let samples = try Self.samples(Fixture.allEvents)
    let create = "report=books,file=examples/shop.yaml,step=create"
    #expect(samples["garland_step_success \(create)"] == 0)
    #expect(samples["garland_step_results \(create),outcome=failed"] == 1)
    #expect(samples["garland_step_duration_seconds \(create)"] == 0.038)
    #expect(samples["garland_step_http_status_code \(create)"] == 500)
    #expect(samples["garland_step_success report=books,file=examples/shop.yaml,step=health"] == 1)
    #expect(samples["garland_step_success report=books,file=examples/shop.yaml,step=list"] == nil)
    #expect(samples["garland_run_success report=books"] == 0)
    #expect(samples["garland_run_exit_status report=books"] == 130)
    #expect(samples["garland_run_start_time_seconds report=books"] == 1_795_222_800.25)
    #expect(samples["garland_run_end_time_seconds report=books"] == 1_795_222_801.502)
    #expect(samples["garland_run_results report=books,outcome=not run"] == 1)
  }

  @Test func `in OpenMetrics, a loop is one step that succeeds only if all its items pass`() throws {
    func item(_ index: Int, _ outcome: Outcome) -> StepResult {
      Fixture.result(0, outcome, from: index * 10) {
        $0.iteration = "n=\(index)"
        $0.iterationIndex = index
        $0.endsStep = index == 2
      }
    }
    let health = "report=books,file=examples/shop.yaml,step=health"
    let samples = try Self.samples(ReportText.run([item(0, .passed), item(1, .failed), item(2, .passed)]))
    #expect(samples["garland_step_success \(health)"] == 0)
    #expect(samples["garland_step_results \(health),outcome=passed"] == 2)
    #expect(samples["garland_step_results \(health),outcome=failed"] == 1)
    #expect(samples["garland_step_duration_seconds \(health)"] == 0.032)
    #expect(try Self.samples(ReportText.run([item(0, .passed), item(2, .skipped)]))["garland_step_success \(health)"] == 1)
  }

  /// Returns the duration in OpenMetrics of a step with the given results.
  private static func duration(_ results: [StepResult], isRepeated: Bool = false) throws -> Double? {
    var start = Fixture.start
    start.isRepeated = isRepeated
    let events: [RunEvent] = [.runStarted(start)] + ReportText.run(results).dropFirst()
    return try samples(events)["garland_step_duration_seconds report=books,file=examples/shop.yaml,step=health"]
  }

  /// Returns the result of a loop item that failed within the first 12 ms of the run, and passed in a rerun after an hour.
  private static func rerunItem(_ index: Int) -> StepResult {
    func item(_ outcome: Outcome, from start: Int) -> StepResult {
      Fixture.result(0, outcome, from: start) { $0.iterationIndex = index }
    }
    var result = item(.passed, from: 3_600_000)
    result.earlier = [item(.failed, from: 0)]
    return result
  }

  @Test func `in OpenMetrics, the duration of a loop does not include the time until its failed items run again`() throws {
    let passed = Fixture.result(0, .passed, from: 20) { $0.iterationIndex = 1 }
    #expect(try Self.duration([passed, Self.rerunItem(0), Self.rerunItem(2)]) == 0.032)
  }

  @Test func `in OpenMetrics, the duration of a loop that failed as a whole and then ran is that of its items`() throws {
    var first = Fixture.result(0, .passed, from: 3_600_000) { $0.iterationIndex = 0 }
    first.earlier = [Fixture.result(0, .failed, from: 5)]
    let second = Fixture.result(0, .passed, from: 3_600_020) { $0.iterationIndex = 1 }
    #expect(try Self.duration([first, second]) == 0.032)
  }

  /// Returns the result of a loop item or of a repetition that took 12 ms.
  private static func named(_ name: String, from start: Int) -> StepResult {
    Fixture.result(0, .passed, from: start) { $0.iteration = name }
  }

  @Test func `in OpenMetrics, the duration of a repeated step is that of its longest repetition`() throws {
    let longest = Fixture.result(0, .passed, from: 1_000, milliseconds: 30) { $0.iteration = "#2" }
    #expect(try Self.duration([Self.named("#1", from: 0), longest, Self.named("#3", from: 2_000)], isRepeated: true) == 0.03)
  }

  @Test func `in OpenMetrics, the duration of a repeated loop is that of all items in its longest repetition`() throws {
    let items = [("#1 a", 0), ("#1 b", 10), ("#2 b", 1_000), ("#2 a", 1_015)].map { Self.named($0.0, from: $0.1) }
    #expect(try Self.duration(items, isRepeated: true) == 0.027)
  }

  @Test func `in OpenMetrics, a loop whose items are named like repetitions lasts until its last item ends`() throws {
    #expect(try Self.duration([Self.named("#1", from: 0), Self.named("#2", from: 20)]) == 0.032)
  }

  @Test func `in OpenMetrics, a step with an allowed failure and the steps that it blocks have no success metric`() throws {
    func success(isAllowed: Bool) throws -> [Double?] {
      let results = [
        Fixture.result(1, .failed) { $0.isFailureAllowed = isAllowed },
        // The step that is blocked indirectly has the lower index, and ends first.
        Fixture.result(0, .blocked) { $0.blockedBy = [Fixture.steps[2]] },
        Fixture.result(2, .blocked) { $0.blockedBy = [Fixture.steps[1]] },
      ]
      let samples = try Self.samples(ReportText.run(results))
      return ["health", "create", "cover"].map { samples["garland_step_success report=books,file=examples/shop.yaml,step=\($0)"] }
    }
    #expect(try success(isAllowed: true) == [nil, nil, nil])
    #expect(try success(isAllowed: false) == [0, 0, 0])
  }

  @Test func `in OpenMetrics, a loop in which only allowed failures occur counts as successful`() throws {
    let items = [Outcome.passed, .failed].enumerated().map { index, outcome in
      Fixture.result(0, outcome) {
        $0.iterationIndex = index
        $0.isFailureAllowed = true
      }
    }
    let samples = try Self.samples(ReportText.run(items))
    #expect(samples["garland_step_success report=books,file=examples/shop.yaml,step=health"] == 1)
    #expect(samples["garland_step_results report=books,file=examples/shop.yaml,step=health,outcome=failed"] == 1)
  }

  @Test func `in OpenMetrics, the HTTP status of a loop is that of the item that ended last`() throws {
    let items = [(200, 0, 30), (201, 1, 10), (202, 2, 20)].map { status, index, milliseconds in
      Fixture.result(0, .passed, milliseconds: milliseconds) {
        $0.iterationIndex = index
        $0.exchanges = [Fixture.exchange("GET", "http://h/", status: status)]
      }
    }
    for items in [items, items.reversed()] {
      let samples = try Self.samples(ReportText.run(items))
      #expect(samples["garland_step_http_status_code report=books,file=examples/shop.yaml,step=health"] == 200)
    }
  }

  @Test func `an OpenMetrics label with quotes, backslashes, line breaks and braces is read back unchanged`() throws {
    let name = "a\"b\\c\nd{e},f=é"
    let file = SourceFile(name: name, bytes: Array(Fixture.shopText.utf8))
    let start = RunStart(
      runID: "1", startedAt: 0, steps: [Fixture.step(0, "health", "GET /", file: file)], dependencies: [[]], concurrency: 1)
    let result = StepResult(step: start.steps[0], outcome: .passed, startedAt: .zero, endedAt: .zero)
    let samples = try Self.samples([.runStarted(start), .stepEnded(result), .runEnded(RunSummary())])
    // A line break is shown in the same way as in other reports.
    #expect(samples.keys.contains { $0.contains("file=a\"b\\c") && $0.contains("d{e},f=é") })
  }

  @Test func `if two step names are equal after masking, the steps still have separate series in OpenMetrics`() throws {
    let samples = try Self.samples(Fixture.allEvents, secrets: ["health", "create"])
    let successes = samples.keys.filter { $0.hasPrefix("garland_step_success") && $0.contains("***") }
    #expect(successes.count == 2, "\(successes)")
  }

  @Test func `for a run that could not start, OpenMetrics contains only the metrics of the run itself`() throws {
    var summary = RunSummary()
    summary.refusal = RunRefusal([Diagnostic("missing-secret", "no value", at: nil)], exitStatus: 2)
    let start = RunStart(runID: "", startedAt: 1_795_222_800, steps: [], dependencies: [], concurrency: 0)
    let samples = try Self.samples([.runStarted(start), .runEnded(summary)])
    #expect(samples["garland_run_success report=books"] == 0)
    #expect(samples["garland_run_exit_status report=books"] == 2)
    #expect(!samples.keys.contains { $0.hasPrefix("garland_step") })
  }
}
