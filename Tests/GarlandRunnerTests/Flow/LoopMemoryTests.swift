import GarlandResults
import GarlandSandbox
import Synchronization
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests that the memory of a loop does not depend on its length.
@Suite(.timeLimit(.minutes(15))) struct LoopMemoryTests {
  @Test func `in a loop with a delay, only a limited number of items wait for their delay at the same time`() async throws {
    let paused = Mutex((now: 0, most: 0))
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + "  a: { get: '/status/200', for_each: '${1300 | range}', delay: 50ms }\n", sandbox, configure: { $0.pace.concurrency = 2 }
      ) { _, event in
        switch event {
        case .stepWaits:
          paused.withLock {
            $0.now += 1
            $0.most = max($0.most, $0.now)
          }
        case .stepEnded: paused.withLock { $0.now -= 1 }
        default: break
        }
      }
      #expect(run.results.count == 1_300)
      // The limit is four times the number of slots, plus a thousand.
      #expect((900...1_008).contains(paused.withLock { $0.most }))
    }
  }

  /// For bodies that take long to check, no more bodies are received than there are slots.
  @Test func `while the response of a loop item is checked, the item still counts towards the limit of concurrent transfers`() async throws
  {
    let body = String(repeating: "abcdefgh ", count: 20_000)
    let answered = Mutex((under: 0, most: 0))
    let server = try RawServer { connection in
      while connection.readRequest() != nil {
        answered.withLock {
          $0.under += 1
          $0.most = max($0.most, $0.under)
        }
        connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
      }
    }
    let run = try await TestRun.carryOut(
      """
      garland: 1
      steps:
        a: { get: '\(server.url)/', for_each: '${60 | range}', expect: { body: { matches: "h abcdefg[h-z] $" } } }
      """,
      detail: [],
      configure: {
        $0.pace.concurrency = 4
        $0.pace.perOrigin = 4
      }
    ) { _, event in
      if case .stepEnded = event { answered.withLock { $0.under -= 1 } }
    }
    #expect(run.summary.counts == [.passed: 60], "\(run.results.first?.failures.first?.message ?? "")")
    #expect(answered.withLock { $0.most } <= 4)
  }
}
