import GarlandDiagnostics
import GarlandResults
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of how a load test ends: by an interrupt, by the deadline, or when its repetitions are done.
extension LoadRunTests {
  @Test func `the summary of an interrupted load test does not say that failures stopped the test`() async throws {
    let transport = MemoryTransport { _, _ in .init(status: 500, after: .seconds(1)) }
    let steps = """
      make: { post: /make, expect: { status: 500 } }
      slow: { get: /slow, after: make }
      remove: { delete: /made, cleanup: make }
      """
    let sent = try await Self.send(steps, LoadSettings(users: 3, duration: .seconds(100)), transport, maxFailures: 1) { load in
      _ = transport.perform(after: .milliseconds(1_500)) { load.interrupt(signal: "SIGINT") }
    }
    #expect(sent.summary.earlyEnd == EarlyEnd(.interrupt, "SIGINT"))
  }

  @Test func `if an interrupt arrives before a load test begins, the load test ends without a repetition`() async throws {
    let transport = MemoryTransport { _, _ in .init(after: .seconds(1)) }
    let sent = try await Self.send("a: { get: /a }", LoadSettings(users: 3, duration: .seconds(10)), transport) { load in
      load.interrupt(signal: "SIGINT")
    }
    #expect(sent.summary.exitStatus == 130 && sent.load.begun == 0 && transport.sent.isEmpty)
    guard case .runStarted? = sent.observer.all.first else {
      Issue.record("the first event is \(sent.observer.all.first.debugDescription)")
      return
    }
  }

  @Test func `an interrupt of a load test cancels repetitions, runs their cleanups and keeps the metrics complete`() async throws {
    let transport = MemoryTransport { url, _ in .init(after: url.hasSuffix("slow") ? .seconds(100) : .seconds(1)) }
    let steps = "make: { post: /make }\nslow: { get: /slow, after: make }\nremove: { delete: /made, cleanup: make }"
    let sent = try await Self.send(steps, LoadSettings(users: 3, duration: .seconds(1_000)), transport) { load in
      _ = transport.perform(after: .seconds(5)) { load.interrupt(signal: "SIGINT") }
    }
    #expect(sent.summary.exitStatus == 130 && sent.load.begun == 3 && sent.load.ended == 0)
    #expect(sent.load.cancelled == 3 && sent.load.repetition.count == 0)
    #expect(sent.load.steps.map(\.counts) == [[.passed: 3], [.notRun: 3], [.passed: 3]])
    #expect(sent.load.elapsed == .seconds(6))
  }

  @Test func `the deadline of the run ends a load test with status 4`() async throws {
    let transport = MemoryTransport { _, _ in .init(after: .seconds(4)) }
    let sent = try await Self.send(
      "a: { get: /a }", LoadSettings(users: 1, repetitions: 100), transport, deadline: .seconds(10))
    #expect(sent.load.begun == 3 && sent.summary.earlyEnd?.cause == .deadline)
    #expect(sent.summary.exitStatus == 4)
    #expect(sent.load.ended == 2 && sent.load.failed == 0 && sent.load.repetition.most == .seconds(4))
  }

  @Test func `a load test counts steps that the deadline of the run has ended as errors of the kind 'deadline'`() async throws {
    let transport = MemoryTransport { _, _ in .init(after: .seconds(4)) }
    let sent = try await Self.send(
      "a: { get: /a }", LoadSettings(users: 2, repetitions: 100), transport, deadline: .seconds(10))
    #expect(sent.load.steps[0].errors == ["deadline": 2] && sent.load.steps[0].counts == [.passed: 4, .error: 2])
  }

  @Test func `if --expect permits the failures, a load test that is ended by the deadline of the run has the exit status 4`() async throws {
    let transport = MemoryTransport { _, _ in .init(after: .seconds(4)) }
    let sent = try await Self.send(
      "a: { get: /a }", LoadSettings(users: 1, repetitions: 100), transport, expecting: ["errors < 50%"], deadline: .seconds(10))
    #expect(sent.load.meetsExpectations && sent.summary.exitStatus == 4)
  }

  @Test func `cancelled repetitions of an interrupted load test are not part of its rate`() async throws {
    let transport = MemoryTransport { _, number in .init(after: .seconds(number < 4 ? 1 : 100)) }
    let sent = try await Self.send(
      "a: { get: /a }", LoadSettings(users: 2, duration: .seconds(1_000)), transport, expecting: ["rate > 1.2/s"]
    ) { load in
      _ = transport.perform(after: .seconds(4)) { load.interrupt(signal: "SIGINT") }
    }
    #expect(sent.load.begun == 6 && sent.load.ended == 4 && sent.load.cancelled == 2)
    #expect(sent.load.repetition.most == .seconds(1) && !sent.load.meetsExpectations)
  }

  @Test func `the reports of a load test receive one result for each step, and metrics every second`() async throws {
    let transport = MemoryTransport { _, _ in .init(after: .milliseconds(1)) }
    let sent = try await Self.send(
      "a: { get: /a }\nb: { get: /b }", LoadSettings(rate: 100, users: 10, duration: .milliseconds(2_500)), transport)
    let kinds = sent.observer.all.map { event in
      switch event {
      case .runStarted(let start): start.load == nil ? "started" : "load started"
      case .loadProgressed(let progress): "figures \(progress.elapsed.components.seconds)"
      case .stepEnded(let result): "\(result.step.id) \(result.outcome)"
      case .runEnded: "ended"
      default: "other"
      }
    }
    #expect(kinds == ["load started", "figures 1", "figures 2", "a passed", "b passed", "ended"])
    #expect(sent.load.ended == 250)
  }
}
