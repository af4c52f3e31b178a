import GarlandResults
import GarlandTransfer
import Synchronization
import Testing

@testable import GarlandRunner

/// Tests of hosts that are down at first or always, with probes from memory and simulated time.
@Suite(.timeLimit(.minutes(15))) struct SimulatedHostTests {
  private static let refused = NetworkingError.Reason.refused(host: "in.memory", port: 80)
  private static let silent = timeout(.connecting, .seconds(30))

  private static func timeout(_ phase: NetworkingError.Phase, _ duration: Duration) -> NetworkingError.Reason {
    .timeout(.init(limit: .connect, phase: phase, duration: duration))
  }

  /// Returns a transport whose hosts refuse connections before the given time.
  private static func late(_ start: Duration) -> MemoryTransport {
    MemoryTransport(obstacle: { _, now in now < start ? refused : nil })
  }

  // MARK: Steps that wait for a host

  @Test func `a reach step passes at the first probe after its host has started`() async throws {
    let transport = Self.late(.seconds(60))
    let run = try await TestRun.simulate(
      "ready: { reach: 'http://in.memory/', within: 2m }\nuse: { get: /use, after: ready }", transport)
    #expect(run.outcomes == ["ready passed", "use passed"])
    let probes = transport.probes.map { $0.at }
    #expect(probes.count { $0 >= .seconds(60) } == 1)
    // The pause between two probes is at most 2 s.
    let last = try #require(probes.last)
    #expect(last < .seconds(62))
    #expect(transport.sent.map { $0.at } == [last])
  }

  @Test func `a reach step whose host stays down is unreachable exactly at its time limit`() async throws {
    let transport = MemoryTransport(obstacle: { _, _ in Self.refused })
    let run = try await TestRun.simulate("a: { reach: 'db.memory:5432', within: 1h }\nb: { get: /b, after: a }", transport)
    #expect(run.outcomes == ["a unreachable", "b blocked"])
    #expect(
      try run.result("a").reason == "db.memory:5432 could not be reached within 1 h: connection refused (IPv4 192.0.2.1)")
    #expect(run.summary.wallTime == .seconds(3600) && run.summary.exitStatus == 3)
  }

  @Test func `if a host never responds, its last probe takes no longer than the rest of the time limit`() async throws {
    let transport = MemoryTransport(obstacle: { _, _ in Self.silent })
    let run = try await TestRun.simulate("a: { reach: 'db.memory:5432', within: 25s }", transport)
    // A probe takes at most 10 s. The pauses after the first two probes are 100 ms and 150 ms.
    #expect(transport.probes.map { $0.at } == [.zero, .milliseconds(10_100), .milliseconds(20_250)])
    #expect(run.summary.wallTime == .seconds(25))
  }

  @Test func `the error of a reach step says why TLS has failed`() async throws {
    let transport = MemoryTransport(obstacle: { _, _ in .tls(.untrusted, detail: "certificate has expired") })
    let run = try await TestRun.simulate("a: { reach: 'https://in.memory/', within: 5s }", transport)
    #expect(
      try run.result("a").reason
        == "https://in.memory/ could not be reached within 5 s: the server's certificate is not trusted: certificate has expired"
        + " (IPv4 192.0.2.1)")
  }

  @Test func `an interrupt ends a reach step between two probes`() async throws {
    let transport = MemoryTransport(obstacle: { _, _ in Self.refused })
    let run = try await TestRun.simulate("a: { reach: 'db.memory:5432', within: 1h }", transport) { _ in
    } react: { run, event in
      if case .stepWaits = event, transport.now >= .seconds(600) { run.interrupt(signal: "SIGINT") }
    }
    #expect(run.outcomes == ["a not run"] && run.summary.exitStatus == 130)
    #expect(transport.probes.count { $0.at >= .seconds(600) } == 1)
    #expect(transport.probes.last?.at == run.summary.wallTime)
  }

  @Test func `the deadline of the run ends a reach step`() async throws {
    let transport = MemoryTransport(obstacle: { _, _ in Self.refused })
    let run = try await TestRun.simulate("a: { reach: 'db.memory:5432', within: 2h }", transport) { $0.pace.deadline = .seconds(3600) }
    #expect(run.outcomes == ["a error"])
    #expect(try run.result("a").reason == "the run reached its deadline of 1 h")
    #expect(run.summary.wallTime == .seconds(3600))
  }

  // MARK: Before the run

  private static let threeHosts = """
    up: { get: 'http://up.memory/' }
    late: { get: 'http://late.memory/' }
    down: { get: 'http://down.memory/' }
    again: { get: 'http://down.memory/again' }
    """

  /// Returns a transport with a host that is up, one that starts after 30 s, and one that is always down.
  private static func unevenTransport() -> MemoryTransport {
    MemoryTransport(obstacle: { host, now in
      host == "down.memory" || host == "late.memory" && now < .seconds(30) ? refused : nil
    })
  }

  @Test func `preflight waits for hosts that are down until its time limit, and sends no request`() async throws {
    let transport = Self.unevenTransport()
    let run = try #require(try TestRun.prepare(Self.threeHosts, transport).run)
    let reports = await run.preflight(wait: .seconds(60))
    #expect(
      reports.map { "\($0.target) \($0.isReachable)" } == ["http://up.memory true", "http://late.memory true", "http://down.memory false"])
    func last(_ host: String) -> Duration? { transport.probes.last { $0.target == "http://\(host).memory" }?.at }
    #expect(last("up") == .zero)
    let late = try #require(last("late"))
    #expect(late < .seconds(32))
    #expect(last("down") == .seconds(60))
    #expect(transport.sent.isEmpty)
  }

  @Test func `without a time to wait, preflight probes each host once`() async throws {
    let transport = Self.unevenTransport()
    let run = try #require(try TestRun.prepare(Self.threeHosts, transport).run)
    #expect(await run.preflight().map(\.isReachable) == [true, false, false])
    #expect(transport.probes.count == 3 && transport.now == .zero)
  }

  @Test func `if preflight finds a host down, the steps of this host are unreachable, and no step is run`() async throws {
    let prepared = try TestRun.prepare(Self.threeHosts, Self.unevenTransport())
    let run = try #require(prepared.run)
    await run.refuse(down: await run.preflight(wait: .seconds(60)).filter { !$0.isReachable })
    let outcomes = prepared.observer.results.map { "\($0.step.id) \($0.outcome.rawValue)" }
    #expect(outcomes.sorted() == ["again unreachable", "down unreachable", "late not run", "up not run"])
  }

  // MARK: Requests to a host that is down

  @Test func `if the requests of several steps to a host fail at the same time, one probe finds the cause for all steps`() async throws {
    let transport = MemoryTransport(obstacle: { host, _ in host == "in.memory" ? Self.silent : nil })
    let steps = (0..<200).map { "s\($0): { get: /\($0) }" }.joined(separator: "\n") + "\nother: { get: 'http://other.memory/' }"
    let run = try await TestRun.simulate(steps, transport) { $0.pace.concurrency = 6 }
    #expect(run.summary.counts == [.unreachable: 200, .passed: 1])
    #expect(transport.probes.map { $0.target } == ["http://in.memory"])
    #expect(transport.sent.count { $0.url.hasPrefix("http://in.memory/") } <= 6)
    // The requests take 30 s, and the probe takes at most 3 s.
    #expect(run.summary.wallTime == .seconds(33))
    let unsent = run.results.filter { $0.outcome == .unreachable && $0.exchanges.isEmpty }
    #expect(unsent.count >= 194)
    #expect(
      unsent.allSatisfy { $0.reason?.hasPrefix("not sent, because http://in.memory can't be reached: timed out after 3 s") == true },
      "\(unsent.first?.reason ?? "")")
  }

  /// The host starts at 10 s. The trial of `c` fails; the next trial is allowed 2 s later.
  @Test func `after a trial request has succeeded, further steps send their requests to the host`() async throws {
    let transport = Self.late(.seconds(10))
    let run = try await TestRun.simulate(
      """
      a: { get: /a }
      b: { get: /b, after: { a: ended }, delay: 500ms }
      c: { get: /c, after: { a: ended }, delay: 5s }
      d: { get: /d, after: { a: ended }, delay: 6s }
      e: { get: /e, after: { a: ended }, delay: 20s }
      f: { get: /f, after: e }
      """, transport)
    #expect(run.outcomes == ["a unreachable", "b unreachable", "c unreachable", "d unreachable", "e passed", "f passed"])
    #expect(transport.sent.map { $0.url } == ["a", "c", "e", "f"].map { "http://in.memory/\($0)" })
    #expect(transport.probes.count == 1)
  }

  @Test func `if a host accepts connections, a connection that was lost does not keep other steps from sending their requests`()
    async throws
  {
    let transport = MemoryTransport(obstacle: { _, now in now == .zero ? .connectionLost(detail: "reset") : nil })
    let run = try await TestRun.simulate("a: { get: /a }\nb: { get: /b, after: { a: ended }, delay: 1s }", transport)
    #expect(run.outcomes == ["a error", "b passed"])
    #expect(transport.probes.count == 1)
  }

  /// The probe of `in.memory` takes from 30 s to 33 s.
  @Test func `an interrupt ends the steps that wait for the probe of their host`() async throws {
    let transport = MemoryTransport(
      answer: { _, _ in .init(after: .seconds(31)) }, obstacle: { host, _ in host == "in.memory" ? Self.silent : nil })
    let run = try await TestRun.simulate("a: { get: /a }\nb: { get: /b }\nalarm: { get: 'http://alarm.memory/' }", transport) {
      $0.pace.concurrency = 6
    } react: { run, event in
      if case .stepEnded(let result) = event, result.step.id == "alarm" { run.interrupt(signal: "SIGINT") }
    }
    #expect(run.outcomes == ["a unreachable", "b unreachable", "alarm passed"])
    #expect(run.results.map(\.endedAt) == [.seconds(31), .seconds(31), .seconds(31)])
    #expect(run.summary.exitStatus == 130)
  }
}
