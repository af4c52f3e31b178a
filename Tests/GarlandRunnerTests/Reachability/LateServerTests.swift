import GarlandResults
import Synchronization
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of a server that starts some time after the run. Steps that wait or retry pass, and they do not make other steps fail.
@Suite(.timeLimit(.minutes(15))) struct LateServerTests {
  @Test func `if a server starts late, steps that wait for the server or that have retries still pass`() async throws {
    let reserved = ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let port = reserved.number
    let server = Mutex<RawServer?>(nil)
    let (refusals, refusal) = AsyncStream.makeStream(of: Void.self)
    let late = Task {
      var count = 0
      for await _ in refusals {
        count += 1
        if count == 3 { break }
      }
      let started = try RawServer(port: port) { connection in
        while connection.readRequest() != nil { connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
      }
      server.withLock { $0 = started }
    }
    var steps = ""
    for index in 0..<20 { steps += "  s\(index): { get: /\(index), after: ready }\n" }
    let run = try await TestRun.carryOut(
      """
      garland: 1
      defaults: { base_url: 'http://127.0.0.1:\(port)' }
      steps:
        ready: { reach: '127.0.0.1:\(port)', within: 100s }
        patient: { get: /patient, retry: { limit: 900, delay: 100ms, factor: 1, jitter: 0 } }
        url: { reach: /, within: 100s }
      \(steps)
      """,
      react: { _, event in
        if case .stepWaits(let step, _, _, _) = event, step.id == "patient" { refusal.yield() }
      })
    refusal.finish()
    try await late.value
    #expect(run.summary.counts == [.passed: 23] && run.summary.exitStatus == 0, "\(run.outcomes)")
    let patient = try run.result("patient")
    #expect(patient.exchanges.count > 3 && patient.exchanges.dropLast().allSatisfy { $0.error?.contains("connection refused") == true })
    // None of the other steps has sent a request without a response.
    #expect(run.results.filter { $0.step.id.hasPrefix("s") }.allSatisfy { $0.exchanges.count == 1 })
  }
}
