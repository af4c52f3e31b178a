import GarlandResults
import GarlandSandbox
import Synchronization
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests, with real sockets, of requests that Garland itself delays. `TimedPlanTests` does the same for random plans.
@Suite(.timeLimit(.minutes(5))) struct QueueTimeTests {
  /// Starts a server that responds slowly to `/slow…`, and at once to `/poll`. Its second response to `/poll` meets the condition.
  private static func server(_ pause: Duration) throws -> RawServer {
    final class Counter: Sendable { let count = Atomic<Int>(0) }
    let polls = Counter()
    return try RawServer { connection in
      while let request = connection.readRequest() {
        var body = "{}"
        if request.head.hasPrefix("GET /poll") {
          if polls.count.wrappingAdd(1, ordering: .relaxed).newValue > 1 { body = "{\"done\":true}" }
        } else {
          connection.pause(pause)
        }
        connection.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
      }
    }
  }

  @Test func `a running poll sends its next request before an earlier loop sends its waiting items`() async throws {
    let server = try Self.server(.milliseconds(700))
    let run = try await TestRun.carryOut(
      """
      garland: 1
      defaults: { base_url: '\(server.url)' }
      steps:
        loop: { for_each: [1, 2, 3, 4], get: '/slow${item}' }
        poll: { get: /poll, poll: { until: '${response.json.done}', every: 0s, within: 1s } }
      """, configure: { $0.pace.perOrigin = 2 })
    #expect(run.summary.counts == [.passed: 5], "\(run.results.compactMap(\.reason))")
    let ends = run.results.map(\.step.id)
    #expect(ends.first == "poll")
  }

  @Test func `the time that a poll waits for a slot does not count towards its time limit`() async throws {
    let server = try Self.server(.milliseconds(1500))
    let run = try await TestRun.carryOut(
      """
      garland: 1
      defaults: { base_url: '\(server.url)' }
      steps:
        poll: { get: /poll, poll: { until: '${response.json.done}', every: 20ms, within: 1s } }
        loop: { for_each: [1, 2], get: '/slow${item}' }
      """, configure: { $0.pace.perOrigin = 1 })
    #expect(run.summary.counts == [.passed: 3], "\(run.results.compactMap(\.reason))")
    #expect(try run.result("poll").exchanges.count == 2)
  }

  @Test func `a running poll of a called document sends its next request before its caller sends waiting loop items`() async throws {
    let server = try Self.server(.milliseconds(700))
    let folder = try TemporaryFolder()
    _ = try folder.write(
      "called.yaml",
      """
      garland: 1
      steps: { poll: { get: '\(server.url)/poll', poll: { until: '${response.json.done}', every: 0s, within: 1s } } }
      """)
    let run = try await TestRun.carryOut(
      """
      garland: 1
      defaults: { base_url: '\(server.url)' }
      steps:
        call: { call: called.yaml }
        loop: { for_each: [1, 2, 3, 4], get: '/slow${item}' }
      """, folder: folder, configure: { $0.pace.perOrigin = 2 })
    #expect(run.summary.counts == [.passed: 5], "\(run.results.compactMap(\.reason))")
  }

  @Test func `the time limit of a listening step starts when all items of the calling loop have been sent`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            hook: { listen: { path: /hook, within: 500ms } }
            call: { for_each: ['/delay/0.8?x=', '/redirect-to?url='], get: '${item}${hook.url}' }
          """, sandbox, configure: { $0.pace.perOrigin = 1 })
      #expect(run.summary.counts == [.passed: 3], "\(run.results.flatMap(\.failures).map(\.message))")
    }
  }
}
