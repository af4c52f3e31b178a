import GarlandResults
import GarlandSandbox
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of requests that Garland itself delays. `TimedPlanTests` does the same for random plans.
@Suite(.timeLimit(.minutes(15))) struct QueueTimeTests {
  /// Runs a document with a simulated server that responds to `/slow…` after a pause, and to `/poll` at once. The second response to `/poll`
  /// has the status 201.
  private static func carryOut(
    _ text: String, folder: TemporaryFolder? = nil, pause: Duration, perOrigin: Int
  ) async throws -> TestRun {
    let transport = MemoryTransport { url, number in
      url.hasSuffix("/poll") ? .init(status: number > 0 ? 201 : 200) : .init(after: pause)
    }
    return try await TestRun.carryOut(
      text, folder: folder,
      configure: {
        $0.sending.transport = transport
        $0.clock = { transport.now }
        $0.pace.perOrigin = perOrigin
      })
  }

  @Test func `a step that is already polling sends its next request before further loop items begin`() async throws {
    let run = try await Self.carryOut(
      """
      garland: 1
      defaults: { base_url: http://in.memory }
      steps:
        loop: { for_each: [1, 2, 3, 4], get: '/slow${item}' }
        poll: { get: /poll, poll: { until: { status: 201 }, every: 0s, within: 1s } }
      """, pause: .milliseconds(700), perOrigin: 2)
    #expect(run.summary.counts == [.passed: 5], "\(run.results.compactMap(\.reason))")
    #expect(run.results.first?.step.id == "poll")
  }

  @Test func `the time that a polling step waits for a free transfer slot does not count towards the step's time limit`() async throws {
    let run = try await Self.carryOut(
      """
      garland: 1
      defaults: { base_url: http://in.memory }
      steps:
        poll: { get: /poll, poll: { until: { status: 201 }, every: 20ms, within: 1s } }
        loop: { for_each: [1, 2], get: '/slow${item}' }
      """, pause: .milliseconds(1500), perOrigin: 1)
    #expect(run.summary.counts == [.passed: 3], "\(run.results.compactMap(\.reason))")
    #expect(try run.result("poll").exchanges.count == 2)
  }

  @Test func `a polling step in a called document sends its next request before more loop items of the calling document begin`()
    async throws
  {
    let folder = try TemporaryFolder()
    _ = try folder.write(
      "called.yaml",
      """
      garland: 1
      steps: { poll: { get: http://in.memory/poll, poll: { until: { status: 201 }, every: 0s, within: 1s } } }
      """)
    let run = try await Self.carryOut(
      """
      garland: 1
      defaults: { base_url: http://in.memory }
      steps:
        call: { call: called.yaml }
        loop: { for_each: [1, 2, 3, 4], get: '/slow${item}' }
      """, folder: folder, pause: .milliseconds(700), perOrigin: 2)
    #expect(run.summary.counts == [.passed: 5], "\(run.results.compactMap(\.reason))")
  }

  @Test func `if a loop sends requests to a listening step, the time limit of the listening step starts when the last request is sent`()
    async throws
  {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            hook: { listen: { path: /hook, within: 5s } }
            call: { for_each: ['/delay/7?x=', '/redirect-to?url='], get: '${item}${hook.url}' }
          """, sandbox, configure: { $0.pace.perOrigin = 1 })
      #expect(run.summary.counts == [.passed: 3], "\(run.results.flatMap(\.failures).map(\.message))")
    }
  }
}
