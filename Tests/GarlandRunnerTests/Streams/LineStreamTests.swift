import GarlandResults
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of JSON lines in the forms that different servers send, over sockets.
@Suite(.timeLimit(.minutes(15))) struct LineStreamTests {
  private static func carryOut(_ step: String, _ body: String, type: String? = "application/x-ndjson") async throws -> TestRun {
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 200 OK\r\n\(type.map { "Content-Type: \($0)\r\n" } ?? "")Connection: close\r\n\r\n" + body)
    }
    return try await TestRun.carryOut("garland: 1\nsteps:\n  s:\n    get: \(server.url)/\n    \(step)\n")
  }

  @Test(arguments: ["application/jsonl", "text/plain", nil])
  func `a line stream is read with any content type, and with or without a final line feed`(_ type: String?) async throws {
    let run = try await Self.carryOut("lines: true\n    extract: { all: '${response.lines}' }", "{\"a\": 1}\n\n[2]\r\n\"3\"", type: type)
    #expect(run.outcomes == ["s passed"])
    #expect(try run.result("s").extracted.first?.value == #"[{"a":1},[2],"3"]"#)
    #expect(try run.result("s").exchanges.last?.stream?.count == 3)
  }

  @Test func `if a line of a JSON Lines response is not JSON, the step fails and reads no further lines`() async throws {
    let run = try await Self.carryOut("lines: true", "1\n{\"a\": \n3\n")
    #expect(run.outcomes == ["s failed"])
    let failure = try #require(run.result("s").failures.first)
    #expect(failure.subject == "lines[1]" && failure.message.hasPrefix("is not JSON: "))
    #expect(try run.result("s").exchanges.last?.stream?.count == 2)
  }

  @Test func `the last line of a stream is checked even if it has no line feed`() async throws {
    let run = try await Self.carryOut("lines: { each: { json: { $: { lt: 3 } } } }", "1\n2\n3")
    #expect(try run.result("s").failures.map(\.subject) == ["lines[2] json $"])
  }

  @Test func `the last line of a stream is counted even if it has no line feed`() async throws {
    let run = try await Self.carryOut("lines: { count: 2 }", "1\n2")
    #expect(run.outcomes == ["s passed"])
  }

  @Test func `a step that reads a stream of lines fails when a line without an end exceeds the size limit`() async throws {
    let run = try await Self.carryOut("max_body: 1KB\n    lines: true", String(repeating: "1", count: 2_000))
    #expect(
      try run.result("s").failures.map { "\($0.subject) \($0.message)" } == [
        "lines[0] the received line is larger than the limit of 1000 bytes"
      ])
  }
}
