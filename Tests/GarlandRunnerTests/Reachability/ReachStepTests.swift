import GarlandTransfer
import GarlandResults
import GarlandSandbox
import GarlandWorkflow
import Synchronization
import TestSupport
import Testing

@testable import GarlandRunner

@Suite(.timeLimit(.minutes(15))) struct ReachStepTests {
  @Test func `a reach step passes for hosts, ports and URLs that respond`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            port: { reach: "${env.SANDBOX | replace('http://', '')}" }
            url: { reach: "${env.SANDBOX}/status/503" }
            path: { reach: /get, within: 5s }
            after: { get: /get, after: [port, url, path] }
          """, sandbox)
      #expect(run.outcomes == ["port passed", "url passed", "path passed", "after passed"], "\(run.results.map(\.reason))")
      #expect(run.summary.exitStatus == 0)
    }
  }

  @Test func `a reach step fails when its time limit is reached`() async throws {
    let reserved = ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let port = reserved.number
    let silent = try RawServer { $0.readToEnd() }
    let run = try await TestRun.carryOut(
      """
      garland: 1
      steps:
        host: { reach: '127.0.0.1:\(port)', within: 3s }
        url: { reach: '\(silent.url)/', within: 3s }
        after: { get: '\(silent.url)/', after: host }
      """)
    #expect(run.outcomes == ["host unreachable", "url unreachable", "after blocked"])
    #expect(
      try run.result("host").reason == "127.0.0.1:\(port) could not be reached within 3 s: connection refused (IPv4 127.0.0.1)")
    #expect(try run.result("url").reason?.contains("connected, but received no HTTP") == true)
    #expect(run.summary.exitStatus == 3)
  }

  @Test func `a reach step waits for a server that starts late`() async throws {
    let reserved = ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let port = reserved.number
    let server = Mutex<RawServer?>(nil)
    let run = try await TestRun.carryOut(
      """
      garland: 1
      steps:
        ready: { reach: 'http://127.0.0.1:\(port)/', within: 50s }
        use: { get: 'http://127.0.0.1:\(port)/', after: ready }
      """, configure: { _ in }
    ) { _, event in
      // The server starts after a step has waited for it once.
      guard case .stepWaits(_, _, let reason, _) = event else { return }
      #expect(reason == "for http://127.0.0.1:\(port)/: connection refused (IPv4 127.0.0.1)")
      server.withLock { server in
        guard server == nil else { return }
        server = try? RawServer(port: port) { connection in
          while connection.readRequest() != nil { connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
        }
      }
    }
    #expect(run.outcomes == ["ready passed", "use passed"])
  }

  @Test func `if the target of a 'reach' step is invalid, the step fails, and its error says why`() async throws {
    let run = try await TestRun.carryOut("garland: 1\nvars: { host: db }\nsteps:\n  a: { reach: '${vars.host}' }\n")
    let failure = try #require(try run.result("a").failures.first)
    #expect(try run.result("a").outcome == .failed)
    #expect(failure.message == "is neither a URL nor HOST:PORT" && failure.actual == "db")
    #expect(failure.help?.hasPrefix("there is no port") == true)
  }

  @Test func `an interrupt of the run ends a reach step`() async throws {
    let reserved = ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let port = reserved.number
    let run = try await TestRun.carryOut("garland: 1\nsteps:\n  a: { reach: '127.0.0.1:\(port)', within: 1h }\n", configure: { _ in }) {
      run, event in
      if case .stepWaits = event { run.interrupt(signal: "SIGINT") }
    }
    #expect(run.outcomes == ["a not run"])
    #expect(run.summary.exitStatus == 130)
  }

  // MARK: Before the run

  private func preflight(_ text: String, wait: Duration = .zero) async throws -> [ProbeReport] {
    let preparation = try TestRun.prepare(text)
    let run = try #require(preparation.run, "\(preparation.diagnostics.all.map(\.message))")
    return await run.preflight(wait: wait)
  }

  @Test func `with the key 'preflight', the reachability of each origin is checked once before the run`() async throws {
    let server = try RawServer { $0.readToEnd() }
    let reserved = ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let dead = reserved.number
    let reports = try await preflight(
      """
      garland: 1
      vars: { base: '\(server.url)' }
      defaults: { base_url: '${vars.base}' }
      steps:
        a: { get: /a, extract: { next: $.next } }
        b: { get: /b }
        c: { get: 'http://127.0.0.1:\(dead)/' }
        d: { get: '${a.next}' }
        e: { reach: '127.0.0.1:1' }
        f: { get: 'http://elsewhere.invalid:\(server.port)/', resolve: { 'elsewhere.invalid:\(server.port)': 127.0.0.1 } }
      """)
    #expect(
      reports.map { "\($0.target) \($0.isReachable)" } == [
        "\(server.url) true", "http://127.0.0.1:\(dead) false", "http://elsewhere.invalid:\(server.port) true",
      ])
    #expect(reports.allSatisfy { $0.paths.allSatisfy { $0.status == nil } })
  }

  @Test func `with the key 'preflight', the hosts of called documents are also checked before the run`() async throws {
    let server = try RawServer { $0.readToEnd() }
    let folder = try TemporaryFolder()
    _ = try folder.write("called.yaml", "garland: 1\ninputs: { base: { type: string } }\nsteps:\n  a: { get: '${inputs.base}/a' }\n")
    let preparation = try TestRun.prepare(
      """
      garland: 1
      steps:
        one: { call: called.yaml, with: { base: '\(server.url)' } }
        late: { call: called.yaml, with: { base: '${known.url}' } }
        known: { get: '\(server.url)/' }
      """, folder: folder)
    let run = try #require(preparation.run, "\(preparation.diagnostics.all.map(\.message))")
    // The target of the second call is not known yet.
    #expect(await run.preflight().map { "\($0.target) \($0.isReachable)" } == ["\(server.url) true"])
  }
}
