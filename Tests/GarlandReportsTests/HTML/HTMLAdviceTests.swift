import GarlandDiagnostics
import GarlandJSON
import GarlandResults
import TestSupport
import Testing

@testable import GarlandReports

/// Tests, in Chromium, of the page's advice on what would make a run faster.
@Suite(.timeLimit(.minutes(15))) struct HTMLAdviceTests {
  private struct Sight {
    let advice: String
    let phases: [String]
    let lanes: [String]
    let nodes: [String]
  }

  private static func step(_ index: Int, _ id: String, _ action: String = "GET http://h/", limit: Int? = nil) -> StepIdentity {
    StepIdentity(
      index: index, id: id, file: "a.yaml", workflow: "a", summary: nil, tags: [], range: Fixture.range("health:"), action: action,
      isCleanup: false, isRequest: !action.hasPrefix("listen "), loopLimit: limit)
  }

  /// Returns a result of a step whose request took the whole time. Times are in milliseconds.
  private static func result(
    _ step: StepIdentity, item: Int? = nil, ready: Int = 0, delay: Int = 0, from start: Int, to end: Int, origin: String = "http://h"
  ) -> StepResult {
    var result = StepResult(step: step, outcome: .passed, startedAt: .milliseconds(start), endedAt: .milliseconds(end))
    result.readyAt = .milliseconds(ready)
    result.delay = .milliseconds(delay)
    result.iterationIndex = item
    result.iteration = item.map { "\($0)" }
    result.exchanges = [Fixture.exchange("GET", "\(origin)/", status: 200, milliseconds: end - start)]
    result.exchanges[0].hops[0].timing.startedAt = .milliseconds(start)
    return result
  }

  private static func sight(_ results: [StepResult], _ change: (inout RunStart) -> Void = { _ in }) async throws -> Sight {
    var steps: [StepIdentity] = []
    for result in results where steps.last?.index != result.step.index { steps.append(result.step) }
    var start = RunStart(runID: "1", startedAt: 0, steps: steps, dependencies: steps.map { _ in [] }, concurrency: 16)
    start.perOrigin = 6
    change(&start)
    var summary = RunSummary()
    for result in results { summary.count(result) }
    summary.wallTime = results.map(\.endedAt).max() ?? .zero
    let page = try await HTMLPage([.runStarted(start)] + results.map { .stepEnded($0) } + [.runEnded(summary)], unpacks: false)
    let views = try #require(try await page.look("views")["views"])
    func list(_ name: String) -> [String] { (views[name]?.arrayValue ?? []).compactMap(\.stringValue) }
    return Sight(advice: views["advice"]?.stringValue ?? "", phases: list("phases"), lanes: list("lanes"), nodes: list("nodes"))
  }

  @Test func `the HTML page shows the delay of a step as a pause and not as a wait for a transfer slot`() async throws {
    let sight = try await Self.sight([Self.result(Self.step(0, "late"), delay: 1_000, from: 1_000, to: 1_100)])
    #expect(sight.advice.contains("This step takes 1.10 s of 1.10 s"), "\(sight.advice)")
    #expect(sight.advice.contains("1.00 s of the critical path are pauses"), "\(sight.advice)")
    #expect(!sight.advice.contains("slot"), "\(sight.advice)")
    #expect(sight.phases.contains("p-pause") && !sight.phases.contains("p-slot"))
    #expect(sight.lanes.first?.contains("paused 1.00 s") == true && sight.lanes.first?.contains("for a slot") == false)
  }

  @Test func `if items wait because of the limit of their loop, the advice on the HTML page names this limit`() async throws {
    let step = Self.step(0, "each", limit: 2)
    let items = (0..<8).map { Self.result(step, item: $0, ready: $0 / 2 * 100, from: $0 / 2 * 100, to: $0 / 2 * 100 + 100) }
    let advice = try await Self.sight(items).advice
    #expect(advice.contains("The loop each had as many items at work as its `limit` allows (2) for 100 % of the time"), "\(advice)")
    #expect(!advice.contains("--concurrency") && !advice.contains("--per-origin"), "\(advice)")
  }

  @Test func `if loop items wait because of the limit per host, the advice on the HTML page names --per-origin`() async throws {
    let step = Self.step(0, "each")
    let items = (0..<12).map { Self.result(step, item: $0, from: $0 / 6 * 100, to: $0 / 6 * 100 + 100, origin: "http://shop.example") }
    let advice = try await Self.sight(items).advice
    #expect(
      advice.contains("http://shop.example got as many transfers at once as `--per-origin` allows (6) for 100 % of the time"), "\(advice)")
    #expect(!advice.contains("--concurrency"), "\(advice)")
  }

  @Test func `if steps wait because of the limit on concurrent transfers, the HTML page's advice names --concurrency`() async throws {
    let results = (0..<8).map {
      Self.result(Self.step($0, "s\($0)"), from: $0 / 4 * 100, to: $0 / 4 * 100 + 100, origin: "http://h\($0)")
    }
    let advice = try await Self.sight(results) { $0.concurrency = 4 }.advice
    #expect(advice.contains("All 4 transfers at once (`--concurrency`) were in use for 100 % of the time"), "\(advice)")
    #expect(!advice.contains("--per-origin"), "\(advice)")
  }

  @Test func `if --serial makes the steps run one after another, the advice on the HTML page mentions no other option`() async throws {
    let results = (0..<5).map { Self.result(Self.step($0, "s\($0)"), from: $0 * 100, to: $0 * 100 + 100) }
    let advice = try await Self.sight(results) {
      $0.concurrency = 1
      $0.isSerial = true
    }.advice
    #expect(
      advice.contains("`--serial` runs one step after another. Without it, the run would take about 100 ms."), "\(advice)")
    #expect(!advice.contains("--concurrency") && !advice.contains("--per-origin"), "\(advice)")
  }

  @Test func `on the HTML page, the critical path skips a step that did not run and continues with its dependencies`() async throws {
    let idle = StepResult(step: Self.step(2, "idle"), outcome: .notRun, startedAt: .zero, endedAt: .zero)
    let results = [
      Self.result(Self.step(0, "login"), from: 0, to: 10), Self.result(Self.step(1, "slow"), ready: 10, from: 10, to: 1_000), idle,
      Self.result(Self.step(3, "undo"), ready: 1_000, from: 1_000, to: 1_010),
    ]
    let advice = try await Self.sight(results) { $0.dependencies = [[], [0], [1], [0, 2]] }.advice
    #expect(advice.contains("Critical path: login → slow → undo. These 3 steps take 1.01 s of 1.01 s"), "\(advice)")
  }

  @Test func `on the HTML page, the time after a WebSocket has opened appears as the phase 'messages'`() async throws {
    var chat = Self.result(Self.step(0, "chat", "websocket /ws"), from: 0, to: 10)
    chat.endedAt = .milliseconds(300)
    let sight = try await Self.sight([chat])
    #expect(sight.phases.contains("p-talk") && !sight.phases.contains("p-judge"), "\(sight.phases)")
  }

  @Test
  func `on the HTML page, a step that was run again has no phase 'dependencies'`()
    async throws
  {
    let login = Self.result(Self.step(0, "login"), from: 0, to: 10)
    var again = Self.result(Self.step(1, "again"), ready: 100, from: 100, to: 110)
    again.earlier = [Self.result(Self.step(1, "again"), ready: 10, from: 10, to: 20)]
    again.earlier[0].outcome = .failed
    let sight = try await Self.sight([login, again]) { $0.dependencies = [[], [0]] }
    #expect(!sight.phases.contains("p-deps"), "\(sight.phases)")
    #expect(sight.advice.contains("Critical path") && !sight.advice.contains("first byte"), "\(sight.advice)")
  }

  @Test func `on the HTML page, the time of a loop does not contain the time from a failure of the whole loop to the rerun of its items`()
    async throws
  {
    let loop = Self.step(0, "each")
    var items = (0..<2).map { Self.result(loop, item: $0, ready: 1_000, from: 1_000 + $0 * 100, to: 1_100 + $0 * 100) }
    var whole = Self.result(loop, from: 0, to: 5)
    whole.outcome = .failed
    items[0].earlier = [whole]
    let nodes = try await Self.sight(items).nodes
    #expect(nodes.count == 1 && nodes[0].contains(", 200 ms"), "\(nodes)")
  }

  @Test func `on the HTML page, the time for which a step waits for a callback appears as the phase 'listening'`() async throws {
    var result = Self.result(Self.step(0, "hook", "listen /hook"), from: 0, to: 900)
    result.exchanges[0].isIncoming = true
    result.exchanges[0].hops[0].timing = .init(total: .milliseconds(900))
    let sight = try await Self.sight([result])
    #expect(sight.phases == ["p-listen"])
    #expect(sight.advice.contains("hook waited 900 ms for a request"), "\(sight.advice)")
    #expect(!sight.advice.contains("At half of that"), "\(sight.advice)")
  }
}
