import GarlandResults
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of multipart responses in the forms that different servers send, over sockets.
@Suite(.timeLimit(.minutes(15))) struct PartStreamTests {
  private static func carryOut(
    _ step: String, _ body: String, type: String? = "multipart/x-mixed-replace; boundary=b", hangs: Bool = false
  ) async throws -> TestRun {
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 200 OK\r\n\(type.map { "Content-Type: \($0)\r\n" } ?? "")Connection: close\r\n\r\n" + body)
      if hangs { connection.readToEnd() }
    }
    return try await TestRun.carryOut("garland: 1\nsteps:\n  s:\n    get: \(server.url)/\n    \(step)\n")
  }

  private static func failures(_ run: TestRun) throws -> [String] { try run.result("s").failures.map { "\($0.subject) \($0.message)" } }

  @Test func `each part of a multipart stream has its type, header fields, size, text and JSON`() async throws {
    let run = try await Self.carryOut(
      "parts: true\n    extract: { all: '${response.parts}' }",
      "--b\r\nContent-Type: application/json\r\nX-A: 1\r\nX-A: 2\r\n\r\n[1]\r\n--b\r\n\r\ntext\r\n--b--\r\n")
    #expect(
      try run.result("s").extracted.first?.value
        == #"[{"type":"application/json","headers":{"content-type":"application/json","x-a":["1","2"]},"size":3,"text":"[1]","json":[1]},{"type":"","headers":{},"size":4,"text":"text"}]"#
    )
  }

  @Test func `a multipart stream ends at its last boundary even if the connection stays open`() async throws {
    let run = try await Self.carryOut("parts: true\n    expect: { parts: { length: 1 } }", "--b\r\n\r\n1\r\n--b--\r\n", hangs: true)
    #expect(run.outcomes == ["s passed"])
  }

  @Test func `a multipart part that has a Content-Length is complete before the next boundary arrives`() async throws {
    let run = try await Self.carryOut("parts: { count: 1 }", "--b\r\nContent-Length: 1\r\n\r\n1", hangs: true)
    #expect(run.outcomes == ["s passed"])
  }

  @Test func `in the 'until' condition of a multipart stream, the names of a part's headers are case-insensitive`() async throws {
    let run = try await Self.carryOut(
      "parts: { until: \"${part.headers.X-LAST == 'yes'}\" }\n    expect: { parts: { length: 2 } }",
      "--b\r\n\r\n1\r\n--b\r\nx-last: yes\r\n\r\n2\r\n--b\r\n\r\n3\r\n--b--")
    #expect(run.outcomes == ["s passed"])
  }

  @Test func `a multipart Content-Type without a boundary fails the step`() async throws {
    let run = try await Self.carryOut("parts: true", "--b\r\n\r\n1\r\n--b--", type: "multipart/x-mixed-replace")
    #expect(try Self.failures(run) == ["parts can't be separated: the `Content-Type` of the response has no `boundary`"])
  }

  @Test func `a multipart body that does not contain its boundary fails the step`() async throws {
    let run = try await Self.carryOut("parts: true", "--c\r\n\r\n1\r\n--c--")
    #expect(try Self.failures(run) == ["parts can't be separated: no line of the body is the boundary `--b`"])
  }

  @Test func `a multipart stream is read if the step expects the media type of the stream`() async throws {
    let run = try await Self.carryOut(
      "parts: true\n    expect: { type: multipart/mixed, parts: { length: 1 } }", "--b\r\n\r\n1\r\n--b--",
      type: "multipart/mixed; boundary=b")
    #expect(run.outcomes == ["s passed"])
  }

  @Test func `if a part of a multipart response has an invalid header or length, the failure contains the part's number`() async throws {
    #expect(
      try Self.failures(try await Self.carryOut("parts: true", "--b\r\n\r\n1\r\n--b\r\nA\r\n\r\n2\r\n--b--"))
        == ["parts[1] has a line in its header that is not a header field: \"A\""])
    #expect(
      try Self.failures(try await Self.carryOut("parts: true", "--b\r\n\r\n1\r\n--b\r\nContent-Length: 1\r\n\r\n22\r\n--b--"))
        == ["parts[1] does not end after 1 byte, although its `Content-Length` is 1"])
    let long = try await Self.carryOut("parts: true", "--b\r\nA: \(String(repeating: "x", count: 70_000))")
    #expect(try Self.failures(long) == ["parts[0] has a header without an end within 65536 bytes"])
  }

  @Test func `expectations give the same result for a part of a multipart stream as for a whole response`() async throws {
    let run = try await Self.carryOut(
      "parts: { each: { type: image/*, headers: { X: '1' }, first_bytes: '3132', size: 2, json: { $: 12 }, body: '12', that: '${part.size == 2}', sha256: 6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918 } }",
      "--b\r\nContent-Type: image/png\r\nX: 1\r\n\r\n12\r\n--b\r\nContent-Type: text/plain\r\n\r\n13\r\n--b\r\n\r\n--b--")
    #expect(
      try run.result("s").failures.map(\.subject) == [
        "parts[1] type", "parts[1] headers.X", "parts[1] first_bytes", "parts[1] json $", "parts[1] body", "parts[1] sha256",
      ])
    #expect(try run.result("s").exchanges.last?.stream?.count == 2)
  }
}
