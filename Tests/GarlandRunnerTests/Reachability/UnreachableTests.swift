import Foundation
import GarlandTransfer
import GarlandResults
import GarlandSandbox
import Synchronization
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of hosts that are down in different ways. The exit status and messages are correct, and no step waits for a failure that is
/// already known.
@Suite(.timeLimit(.minutes(15))) struct UnreachableTests {
  /// Returns the given number of independent steps.
  private func steps(_ count: Int, _ base: String, _ settings: String = "") -> String {
    var text = "garland: 1\ndefaults: { base_url: '\(base)', timeout: 300ms \(settings) }\nsteps:\n"
    for index in 0..<count { text += "  s\(index): { get: /\(index) }\n" }
    return text
  }

  /// Runs the steps one after another, so that the first step fails first.
  private func serially(_ text: String, in folder: TemporaryFolder? = nil) async throws -> TestRun {
    try await TestRun.carryOut(text, folder: folder, configure: { $0.pace.isSerial = true })
  }

  private func expectSpared(_ run: TestRun, _ words: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    for result in run.results where result.step.id != "s0" {
      #expect(result.outcome == .unreachable, sourceLocation: sourceLocation)
      #expect(result.exchanges.isEmpty, sourceLocation: sourceLocation)
      let reason = result.reason ?? ""
      #expect(reason.hasPrefix("not sent, because ") && reason.contains(words), "\(reason)", sourceLocation: sourceLocation)
      #expect(reason.hasSuffix("(detected by `s0`)"), "\(reason)", sourceLocation: sourceLocation)
      #expect(result.failures.count == 1 && result.failures.first?.kind == .transport, sourceLocation: sourceLocation)
    }
  }

  @Test func `if fifty steps use a port on which no server listens, only the first step sends its request`() async throws {
    let reserved = ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let port = reserved.number
    let run = try await serially(steps(50, "http://127.0.0.1:\(port)"))
    let first = try run.result("s0")
    #expect(first.outcome == .unreachable && first.reason == "connection refused by 127.0.0.1:\(port)")
    try expectSpared(run, "http://127.0.0.1:\(port) can't be reached: connection refused (IPv4 127.0.0.1)")
    #expect(run.summary.exitStatus == 3)
    #expect(run.summary.requestCount == 1)
  }

  @Test func `if a host is down, requests are sent for only the first few of 200 concurrent steps`() async throws {
    let nobody = ReservedPort()
    defer { withExtendedLifetime(nobody) {} }
    let run = try await TestRun.carryOut(steps(200, "http://127.0.0.1:\(nobody.number)"))
    #expect(run.summary.counts == [.unreachable: 200])
    // Before the diagnosis, at most as many requests are sent as there are slots.
    #expect((1...6).contains(run.summary.requestCount))
  }

  @Test func `after a timeout at a host that accepts connections but never responds, the host's reachability is checked`() async throws {
    let server = try RawServer { $0.readToEnd() }
    let run = try await serially(steps(20, server.url))
    let first = try run.result("s0")
    #expect(first.outcome == .error && first.reason == "no data for 300 ms while waiting for the response")
    try expectSpared(run, "connected, but received no HTTP response within 500 ms")
    // One connection is from the first step, and one from the probe.
    #expect(server.connectionCount == 2)
    #expect(run.summary.exitStatus == 4)
  }

  @Test func `if a host resets every connection, the request of every step is still sent to the host`() async throws {
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.reset()
    }
    let run = try await serially(steps(20, server.url))
    #expect(run.summary.counts == [.error: 20])
    #expect(run.results.allSatisfy { $0.reason?.contains("the connection was lost") == true })
    #expect(run.summary.exitStatus == 4)
  }

  @Test func `all steps whose host has an invalid certificate are reported as unreachable`() async throws {
    let nginx = try NginxServer.shared()
    for (url, words) in [(nginx.expiredURL, "certificate has expired"), (nginx.wrongHostURL, "is for another host")] {
      let folder = try TemporaryFolder()
      try FileManager.default.copyItem(atPath: nginx.certificates.authority, toPath: folder.path + "/ca.pem")
      let run = try await serially(steps(10, url, ", tls: { ca: ca.pem }"), in: folder)
      let first = try run.result("s0")
      #expect(first.outcome == .unreachable && first.reason?.contains(words) == true, "\(first.reason ?? "")")
      try expectSpared(run, words)
      #expect(run.summary.exitStatus == 3)
    }
  }

  @Test func `if a certificate does not match the requested host, the failure names the hosts of the certificate`() async throws {
    let nginx = try NginxServer.shared()
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: nginx.certificates.authority, toPath: folder.path + "/ca.pem")
    let run = try await serially(steps(2, nginx.wrongHostURL, ", tls: { ca: ca.pem }"), in: folder)
    for result in run.results {
      #expect(result.reason?.contains(": the certificate names `example.com`, but not `") == true, "\(result.reason ?? "")")
    }
  }

  @Test func `after a failed request to a host that still responds to other requests, further requests are sent to the host`() async throws
  {
    let server = try RawServer { connection in
      while let request = connection.readRequest() {
        if request.head.hasPrefix("GET /1 ") { return connection.readToEnd() }
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      }
    }
    let run = try await serially(steps(4, server.url))
    // The probe found that the host responds.
    #expect(run.outcomes == ["s0 passed", "s1 error", "s2 passed", "s3 passed"])
  }

  @Test func `if a host is down, a step that connects to another address with 'connect_to' still sends its request`()
    async throws
  {
    let server = try RawServer { connection in
      while connection.readRequest() != nil { connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
    }
    let reserved = ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let dead = reserved.number
    let run = try await serially(
      """
      garland: 1
      defaults: { base_url: 'http://127.0.0.1:\(dead)' }
      steps:
        s0: { get: / }
        s1: { get: / }
        s2: { get: /, connect_to: { '127.0.0.1:\(dead)': '127.0.0.1:\(server.port)' } }
        s3: { get: '\(server.url)/' }
        s4: { get: /, wait_for_connectivity: true }
        s5: { get: / }
      """)
    #expect(
      run.outcomes == ["s0 unreachable", "s1 unreachable", "s2 passed", "s3 passed", "s4 unreachable", "s5 unreachable"])
    // A step that waits for the network is always sent.
    #expect(run.results.map { $0.exchanges.count } == [1, 0, 1, 1, 1, 0])
  }

  @Test func `a request to a host that is down is still sent if its step expects an error or may retry`() async throws {
    let nobody = ReservedPort()
    defer { withExtendedLifetime(nobody) {} }
    let run = try await serially(
      """
      garland: 1
      defaults: { base_url: 'http://127.0.0.1:\(nobody.number)' }
      steps:
        s0: { get: / }
        s1: { get: /, expect: { error: refused } }
        s2: { get: /, retry: { limit: 2, delay: 1ms } }
        s3: { get: / }
      """)
    #expect(run.outcomes == ["s0 unreachable", "s1 passed", "s2 unreachable", "s3 unreachable"])
    #expect(run.results.map { $0.exchanges.count } == [1, 1, 3, 0])
  }

  /// Diagnoses of a called document are shared with the calling run, and vice versa.
  @Test func `if a called document finds that a host is down, the calling document sends no request to this host`() async throws {
    let nobody = ReservedPort()
    defer { withExtendedLifetime(nobody) {} }
    let folder = try TemporaryFolder()
    _ = try folder.write(
      "called.yaml", "garland: 1\ninputs: { n: 0 }\nsteps:\n  inner: { get: 'http://127.0.0.1:\(nobody.number)/inner/${inputs.n}' }\n")
    let run = try await serially(
      """
      garland: 1
      steps:
        first: { call: called.yaml }
        outer: { get: 'http://127.0.0.1:\(nobody.number)/', after: {first: ended} }
        again: { call: called.yaml, with: { n: 1 }, after: {outer: ended} }
        many: { for_each: [1, 2, 3], call: called.yaml, with: { n: "${item}" }, after: {again: ended} }
      """, in: folder)
    #expect(run.results.allSatisfy { $0.outcome == .unreachable }, "\(run.outcomes)")
    #expect(run.results.map { $0.exchanges.count } == [1, 0, 0, 0, 0, 0])
    let reason = try run.result("outer").reason ?? ""
    #expect(reason.hasSuffix("(detected by `called.yaml#inner`)"), "\(reason)")
    #expect(run.summary.exitStatus == 3)
  }

  @Test func `if a redirect leads to a host that is down, the host that sent the redirect counts as reachable`() async throws {
    let reserved = ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let dead = reserved.number
    let server = try RawServer { connection in
      while let request = connection.readRequest() {
        let isFirst = request.head.hasPrefix("GET /0 ")
        connection.send(
          isFirst
            ? "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:\(dead)/\r\nContent-Length: 0\r\n\r\n"
            : "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      }
    }
    let run = try await serially(steps(3, server.url))
    #expect(run.outcomes == ["s0 unreachable", "s1 passed", "s2 passed"])
  }

  @Test func `the dependents of an unreachable step are blocked, and its cleanup is skipped`() async throws {
    let nobody = ReservedPort()
    defer { withExtendedLifetime(nobody) {} }
    let run = try await serially(
      """
      garland: 1
      defaults: { base_url: 'http://127.0.0.1:\(nobody.number)' }
      steps:
        s0: { get: / }
        made: { post: / }
        used: { get: /, after: made }
        removed: { delete: /, cleanup: made }
      """)
    #expect(run.outcomes == ["s0 unreachable", "made unreachable", "used blocked", "removed skipped"])
    #expect(try run.result("used").reason == "needs the step `made`, which could not reach its host")
  }

  /// A server that a test can stop and start again.
  private final class Service: Sendable {
    private let server = Mutex<RawServer?>(nil)
    private let reserved = ReservedPort()
    let answered = Atomic<Int>(0)
    let lifetime: Int
    private let redirects: [String: String]

    /// Creates the server.
    ///
    /// - Parameters:
    ///   - lifetime: the number of responses after which the server stops.
    ///   - redirects: the targets of redirects, by path.
    init(lifetime: Int = .max, redirects: [String: String] = [:]) {
      self.lifetime = lifetime
      self.redirects = redirects
    }

    var port: UInt16 { reserved.number }

    func start() throws {
      let started = try RawServer(port: port) { [weak self] connection in
        while let self, let request = connection.readRequest() {
          let count = answered.wrappingAdd(1, ordering: .relaxed).newValue
          guard count <= lifetime else { return stop() }
          let status = redirects.first { request.head.hasPrefix("GET \($0.key) ") }.map { "302 Found\r\nLocation: \($0.value)" } ?? "200 OK"
          connection.send("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")
        }
      }
      server.withLock { $0 = started }
    }

    func stop() { server.withLock { $0 = nil } }
  }

  @Test func `if a host stops responding after 500 of 1,000 steps, few further requests are sent to it`() async throws {
    let service = Service(lifetime: 500)
    try service.start()
    let run = try await TestRun.carryOut(steps(1000, "http://127.0.0.1:\(service.port)"))
    // A response that was counted may not have been sent when the server stopped, at most one for each connection.
    let passed = try #require(run.summary.counts[.passed])
    #expect((500 - 32...500).contains(passed))
    #expect(run.summary.counts[.failed] == nil && run.summary.counts[.blocked] == nil)
    // Requests in progress may fail when the server stops; later requests are not sent at all.
    let unanswered = run.results.filter { $0.outcome != .passed }
    #expect(unanswered.count == 1000 - passed)
    #expect(unanswered.filter { !$0.exchanges.isEmpty }.count <= 64)
    #expect(unanswered.filter { $0.outcome == .error }.count <= 48)
    #expect(run.summary.exitStatus == 3 || run.summary.exitStatus == 4)
    let spared = try #require(unanswered.first { $0.exchanges.isEmpty })
    #expect(spared.reason?.hasPrefix("not sent, because http://127.0.0.1:\(service.port) can't be reached: ") == true)
  }

  /// A clock that advances only on command.
  private final class ManualClock: Sendable {
    private let time = Mutex(Duration.zero)
    func advance(by duration: Duration) { time.withLock { $0 += duration } }
    var now: Duration { time.withLock { $0 } }
  }

  @Test func `when a host is reachable again, the remaining steps send their requests to it`() async throws {
    let service = Service()
    let clock = ManualClock()
    let run = try await TestRun.carryOut(
      steps(6, "http://127.0.0.1:\(service.port)"),
      configure: {
        $0.pace.isSerial = true
        $0.clock = { clock.now }
      }
    ) { _, event in
      guard case .stepEnded(let result) = event else { return }
      if result.step.id == "s2" { #expect(throws: Never.self) { try service.start() } }
      clock.advance(by: result.step.id == "s2" ? .seconds(2) : .zero)
    }
    // The third step is the last one that is not sent. The fourth step's trial request succeeds and closes the circuit for the others.
    #expect(run.outcomes == ["s0 unreachable", "s1 unreachable", "s2 unreachable", "s3 passed", "s4 passed", "s5 passed"])
    #expect(run.results.map { $0.exchanges.count } == [1, 0, 0, 1, 1, 1])
  }

  /// The trial request is redirected to a host that is down or to an unknown host, but its own host has responded.
  @Test(arguments: ["/", "http://127.0.0.1:DEAD/"])
  func `if a host that was down responds with a redirect, requests of further steps are sent to the host`(_ target: String) async throws {
    let nobody = ReservedPort()
    defer { withExtendedLifetime(nobody) {} }
    let service = Service(redirects: ["/1": target.replacing("DEAD", with: "\(nobody.number)")])
    let clock = ManualClock()
    let run = try await TestRun.carryOut(
      steps(4, "http://127.0.0.1:\(service.port)"),
      configure: {
        $0.pace.isSerial = true
        $0.clock = { clock.now }
      }
    ) { _, event in
      guard case .stepEnded(let result) = event, result.step.id == "s0" else { return }
      #expect(throws: Never.self) { try service.start() }
      clock.advance(by: .seconds(2))
    }
    #expect(run.outcomes == ["s0 unreachable", target == "/" ? "s1 passed" : "s1 unreachable", "s2 passed", "s3 passed"])
    #expect(run.results.map { $0.exchanges.count } == [1, 1, 1, 1])
  }

  @Test func `while a host is down, only one step after each pause sends its request to the host, as a trial`() async throws {
    let clock = ManualClock()
    let nobody = ReservedPort()
    defer { withExtendedLifetime(nobody) {} }
    let run = try await TestRun.carryOut(
      steps(8, "http://127.0.0.1:\(nobody.number)"),
      configure: {
        $0.pace.isSerial = true
        $0.clock = { clock.now }
      }
    ) { _, event in
      if case .stepEnded = event { clock.advance(by: .milliseconds(600)) }
    }
    // The trials are 1 s and then 2 s apart.
    #expect(run.results.map { $0.exchanges.count } == [1, 0, 1, 0, 0, 0, 1, 0])
    #expect(run.summary.counts == [.unreachable: 8])
  }

  @Test func `an interrupt ends the reachability check of a host`() async throws {
    let server = try RawServer { $0.readToEnd() }
    let run = try await TestRun.carryOut(steps(20, server.url).replacing("300ms", with: "1h"), configure: { _ in }) { run, event in
      guard case .stepStarted = event else { return }
      run.interrupt(signal: "SIGINT")
    }
    #expect(run.summary.exitStatus == 130)
    #expect(run.summary.counts == [.notRun: 20])
  }
}
