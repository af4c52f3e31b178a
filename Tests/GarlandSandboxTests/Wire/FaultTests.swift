import GarlandJSON
import Testing

@testable import GarlandSandbox

@Suite struct FaultTests {
  static let endings: [(String, String, RawClient.End)] = [
    ("reset", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"items\": [1, 2, 3, ", .reset),
    ("reset-before-headers", "", .reset), ("close", "", .closed),
    ("truncate", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"items\": [1, 2, 3, ", .closed),
    ("lying-length", "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello and more than that", .closed),
    (
      "bad-chunk",
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nZZ\r\nworld\r\n0\r\n\r\n", .closed
    ),
    (
      "truncated-chunk", "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA\r\nwor", .closed
    ),
    ("status-line", "HTTP/1.1 OK\r\nContent-Length: 0\r\n\r\n", .closed),
    ("status-line?line=ICY%20200%20OK", "ICY 200 OK\r\nContent-Length: 0\r\n\r\n", .closed),
  ]

  @Test(arguments: endings) func `a fault route of the sandbox sends the expected bytes and then closes or resets the connection`(
    fault: String, bytes: String, end: RawClient.End
  ) async throws {
    try await withSandbox { sandbox in
      let (received, ended) = try sandbox.connection("/fault/\(fault)").rest()
      #expect(String(decoding: received, as: UTF8.self) == bytes)
      #expect(ended == end)
      let record = try #require(sandbox.records.first)
      #expect(record.outcome == .broken)
      #expect(record.status == nil)
    }
  }

  @Test func `the garbage route of the sandbox sends bytes that are not HTTP and closes the connection`() async throws {
    try await withSandbox { sandbox in
      let (bytes, end) = try sandbox.connection("/fault/garbage").rest()
      #expect(bytes.starts(with: [0x16, 0x03, 0x01]))
      #expect(end == .closed)
    }
  }

  @Test func `a hanging route of the sandbox stops sending and keeps the connection open`() async throws {
    try await withSandbox { sandbox in
      let silent = try sandbox.connection("/fault/hang", patience: 0.05).rest()
      #expect(silent.bytes.isEmpty)
      #expect(silent.end == .silence)
      // The machine may need any time to send the first half; only after it, nothing may arrive.
      let half = try sandbox.connection("/fault/hang-mid-body", patience: 60)
      #expect(half.reads(upTo: "3, "))
      half.wait(atMost: 0.05)
      #expect(half.rest().end == .silence)
    }
  }

  @Test func `the sandbox records that a client has disconnected`() async throws {
    try await withSandbox { sandbox in
      do { _ = try sandbox.connection("/fault/hang", patience: 0.05).rest() }
      while sandbox.connections.open > 0 { await Task.yield() }
      #expect(sandbox.records.first?.outcome == .disconnected)
      #expect(sandbox.records.first?.finished != nil)
    }
  }

  @Test func `an endless response of the sandbox goes on until the client disconnects`() async throws {
    try await withSandbox { sandbox in
      let headers = try sandbox.connection("/fault/endless-headers").rest(limit: 3_000_000)
      #expect(headers.end == nil)
      #expect(String(decoding: headers.bytes.prefix(30), as: UTF8.self).hasPrefix("HTTP/1.1 200 OK\r\nX-Endless: aa"))
      #expect(try sandbox.connection("/fault/endless-body").drain(upTo: 3_000_000) >= 3_000_000)
      let huge = try sandbox.connection("/fault/huge-header?size=100001").response()
      #expect(huge.first("X-Huge")?.utf8.count == 100_001)
    }
  }

  @Test func `the sandbox has routes that send invalid JSON, invalid UTF-8 or invalid gzip`() async throws {
    try await withSandbox { sandbox in
      let half = try sandbox.get("/fault/invalid-json")
      #expect(half.first("Content-Type") == "application/json")
      #expect(half.json == .null)
      let malformed = try sandbox.get("/fault/invalid-utf8")
      #expect(String(validating: malformed.body, as: UTF8.self) == nil)
      #expect(try sandbox.get("/fault/bad-gzip").first("Content-Encoding") == "gzip")
      #expect(try sandbox.get("/fault/bad-gzip?kind=x").status == 400)
    }
  }

  @Test func `a sandbox response whose headers are sent slowly arrives completely`() async throws {
    try await withSandbox { sandbox in
      let response = try sandbox.connection("/fault/slow-headers?interval=0.001").response()
      #expect(response.text == "slow\n")
      #expect(try sandbox.connection("/fault/slow-headers?interval=99").response().status == 400)
    }
  }
}
