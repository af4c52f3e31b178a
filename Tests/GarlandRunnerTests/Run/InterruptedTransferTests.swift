import Dispatch
import GarlandJSON
import GarlandResults
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of interrupts while a run waits for something other than a plain response. The server sends the interrupt, so that the run is in
/// the intended state.
@Suite(.timeLimit(.minutes(15))) struct InterruptedTransferTests {
  private typealias Answer = @Sendable (_ request: String, _ connection: RawConnection, _ run: Run?) -> Void

  private static func ok(_ body: String, _ fields: String = "") -> String {
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  /// Runs steps with a server that can interrupt the run.
  private static func carryOut(
    _ text: (_ url: String) -> String, configure: (inout RunConfiguration) -> Void = { _ in },
    react: @escaping @Sendable (RunEvent) -> Void = { _ in }, _ answer: @escaping Answer
  ) async throws -> TestRun {
    let known = Mutex<Run?>(nil)
    let server = try RawServer { connection in
      while true {
        let head = connection.readHead()
        guard !head.isEmpty else { return }
        answer(head.split(separator: "\r\n").first.map(String.init) ?? "", connection, known.withLock { $0 })
      }
    }
    let prepared = try TestRun.prepare(text(server.url), configure: configure)
    let run = try #require(prepared.run, "\(prepared.diagnostics.all.map(\.message))")
    prepared.observer.react(react)
    known.withLock { $0 = run }
    let report = await run.start()
    return TestRun(observer: prepared.observer, report: report, redactor: prepared.redactor)
  }

  private static func sendBomb(_ connection: RawConnection) {
    connection.send(CompressedGigabyte.head)
    connection.send(CompressedGigabyte.body)
  }

  @Test func `an interrupt stops the decoding of a small response that unpacks to a gigabyte`() async throws {
    let run = try await Self.carryOut({ "garland: 1\nsteps: { a: { get: '\($0)/' } }\n" }) { _, connection, run in
      Self.sendBomb(connection)
      run?.interrupt(signal: "SIGINT")
    }
    #expect(run.outcomes == ["a not run"])
    #expect(try run.result("a").reason == "interrupted by SIGINT while the step ran")
    #expect(run.summary.exitStatus == 130)
  }

  @Test func `an interrupt does not stop the decoding of a cleanup's response`() async throws {
    let run = try await Self.carryOut({
      "garland: 1\ndefaults: { base_url: '\($0)' }\nsteps:\n  made: { post: /made }\n  tidy: { delete: /tidy, cleanup: made }\n"
    }) { request, connection, run in
      guard request.hasPrefix("DELETE") else {
        connection.send(Self.ok("{}"))
        return
      }
      run?.interrupt(signal: "SIGINT")
      Self.sendBomb(connection)
    }
    #expect(run.outcomes == ["made passed", "tidy passed"])
  }

  /// The server responds when the step `other`, which has no cleanup, was stopped.
  @Test(arguments: [false, true])
  func `if a run is stopped during a compressed response that a cleanup uses, the response is still decoded`(
    isDeadline: Bool
  ) async throws {
    let requests = Mutex<[String]>([])
    let isStopped = DispatchSemaphore(value: 0)
    let body = try ContentEncoder.encoded("gzip", Array(#"{"id":7}"#.utf8))
    let run = try await Self.carryOut(
      {
        "garland: 1\ndefaults: { base_url: '\($0)' }\nsteps:\n  made: { post: /made, extract: { id: $.id } }\n"
          + "  other: { get: /other }\n  tidy: { delete: '/made/${made.id}', cleanup: made }\n"
      }, configure: { if isDeadline { $0.pace.deadline = .seconds(3) } },
      react: { event in
        if case .stepEnded(let result) = event, result.step.id == "other" { isStopped.signal() }
      }
    ) { request, connection, run in
      guard !request.hasPrefix("GET") else { return connection.readToEnd() }
      requests.withLock { $0.append(request) }
      guard request.hasPrefix("POST") else {
        connection.send(Self.ok("{}"))
        return
      }
      if !isDeadline { run?.interrupt(signal: "SIGINT") }
      isStopped.wait()
      connection.send(
        Array("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n".utf8)
          + body)
    }
    #expect(run.outcomes == ["made passed", isDeadline ? "other error" : "other not run", "tidy passed"])
    #expect(requests.withLock { $0 } == ["POST /made HTTP/1.1", "DELETE /made/7 HTTP/1.1"])
  }

  @Test func `the run's deadline stops the decoding of a small response that unpacks to a gigabyte`() async throws {
    let run = try await Self.carryOut(
      { "garland: 1\nsteps: { a: { get: '\($0)/' } }\n" }, configure: { $0.pace.deadline = .milliseconds(200) }
    ) { _, connection, _ in Self.sendBomb(connection) }
    #expect(run.outcomes == ["a error"])
    #expect(try run.result("a").reason?.hasPrefix("the run reached its deadline of 200 ms") == true)
  }

  @Test func `the decoding of a response that unpacks to a gigabyte does not delay the response of another step`() async throws {
    let isSent = DispatchSemaphore(value: 0)
    let run = try await Self.carryOut({
      "garland: 1\ndefaults: { base_url: '\($0)' }\nsteps: { large: { get: /large }, small: { get: /small } }\n"
    }) { request, connection, _ in
      guard request.contains("/large") else {
        isSent.wait()
        connection.send(Self.ok("{}"))
        return
      }
      Self.sendBomb(connection)
      isSent.signal()
    }
    #expect(run.outcomes == ["large passed", "small passed"])
    #expect(try run.result("small").endedAt < run.result("large").endedAt)
  }

  private static let login =
    "auth: { shop: { oauth2: { grant: client_credentials, token_url: /token, client_id: me, client_secret: hush-hush } } }\n"

  @Test func `an interrupt ends a step that waits for its OAuth token`() async throws {
    let run = try await Self.carryOut({
      "garland: 1\ndefaults: { base_url: '\($0)' }\n\(Self.login)steps: { a: { get: /a, auth: shop } }\n"
    }) { _, _, run in run?.interrupt(signal: "SIGINT") }
    #expect(run.outcomes == ["a not run"])
    #expect(run.summary.exitStatus == 130)
  }

  @Test func `an interrupt ends the second attempt of a request, which uses a new OAuth token`() async throws {
    let requests = Mutex<[String]>([])
    let run = try await Self.carryOut({
      "garland: 1\ndefaults: { base_url: '\($0)' }\n\(Self.login)steps: { a: { get: /a, auth: shop } }\n"
    }) { request, connection, run in
      let isFirst = requests.withLock { requests in
        defer { requests.append(request) }
        return !requests.contains(request)
      }
      if request.hasPrefix("POST /token") {
        connection.send(Self.ok(#"{"access_token":"t-1234567","token_type":"Bearer","expires_in":3600}"#))
      } else if isFirst {
        connection.send("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer error=\"invalid_token\"\r\nContent-Length: 0\r\n\r\n")
      } else {
        run?.interrupt(signal: "SIGINT")
      }
    }
    #expect(requests.withLock { $0 }.count == 4)
    #expect(run.outcomes == ["a not run"])
    #expect(try run.result("a").reason == "interrupted by SIGINT while the step ran")
    #expect(run.summary.exitStatus == 130)
  }

  @Test func `an interrupt ends the transfer of a body that arrives slowly`() async throws {
    let run = try await Self.carryOut({ "garland: 1\nsteps: { a: { get: '\($0)/', max_body: 1MiB } }\n" }) { _, connection, run in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nbeginning")
      run?.interrupt(signal: "SIGINT")
    }
    #expect(run.outcomes == ["a not run"])
    #expect(try run.result("a").reason == "interrupted by SIGINT while the step ran")
  }

  @Test func `a step is reported as interrupted if SIGINT arrives while its 'error' expectation is evaluated`() async throws {
    let endless = "1000000 | range | map(1000000 | range | map(item + 1) | length) | length"
    let interrupt = ComputationInterrupt()
    let run = try await Self.carryOut(
      {
        "garland: 1\ndefaults: { base_url: '\($0)' }\nsteps:\n  first: { get: /first }\n"
          + "  a: { get: /a, expect: { error: { message: { contains: '${first.status + (\(endless)) | string}' } } } }\n"
      }, configure: { $0.interrupt = interrupt }
    ) { request, connection, _ in
      guard request.hasPrefix("GET /a") else {
        connection.send(Self.ok("{}"))
        return
      }
      // The interrupt is raised as a signal handler does it: the engine's thread notices it only during an evaluation.
      interrupt.raise(.stop, signal: SIGINT)
      connection.send("no HTTP at all\r\n\r\n")
    }
    #expect(run.outcomes == ["first passed", "a not run"])
    #expect(try run.result("a").reason == "interrupted by SIGINT while the step ran")
  }

  @Test func `if a variable that is built from other variables exceeds the size limit of a text, the error names the variable`()
    async throws
  {
    let lines = (1...30).map { "  v\($0): '${vars.v\($0 - 1)}${vars.v\($0 - 1)}'\n" }.joined()
    let run = try await Self.carryOut({
      "garland: 1\nvars:\n  v0: \(String(repeating: "x", count: 16))\n\(lines)steps: { a: { get: '\($0)/?n=${vars.v30}' } }\n"
    }) { _, connection, _ in connection.send(Self.ok("{}")) }
    let failure = try #require(try run.result("a").failures.first)
    #expect(failure.subject == "v23" && failure.message == "the text is larger than 64 MiB")
  }
}
