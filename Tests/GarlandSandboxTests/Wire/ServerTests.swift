import GarlandJSON
import GarlandSandbox
import TestSupport
import Testing

@Suite struct ServerTests {
  @Test func `the sandbox starts on a free port and releases it when it stops`() async throws {
    let first = try await Sandbox.start()
    let second = try await Sandbox.start()
    #expect(first.port != second.port)
    #expect(first.url == "http://127.0.0.1:\(first.port)")
    await #expect(throws: SandboxError.cannotListen(port: first.port, reason: "another program listens there already")) {
      _ = try await Sandbox.start(port: first.port)
    }
    await #expect(throws: SandboxError.cannotListen(port: 70_000, reason: "a port is a number from 0 to 65535")) {
      _ = try await Sandbox.start(port: 70_000)
    }
    await first.stop()
    await first.stop()
    #expect(throws: RawClient.Failure.self) { try RawClient(port: first.port) }
    let port = second.port
    await second.stop()
    let again = try await Sandbox.start(port: port)
    #expect(again.port == port)
    await again.stop()
  }

  @Test func `stopping the sandbox closes open connections`() async throws {
    let sandbox = try await Sandbox.start()
    let client = try sandbox.connection("/fault/hang")
    while sandbox.records.isEmpty { await Task.yield() }
    await sandbox.stop()
    #expect(client.rest().end != .silence)
  }

  @Test func `the sandbox reuses a connection for further requests until a request asks to close it`() async throws {
    try await withSandbox { sandbox in
      let client = try RawClient(port: sandbox.port)
      for number in 1...3 {
        try client.send("GET /get HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try client.response().json["connection"]?["request"] == JSONValue(number))
      }
      try client.send("GET /get HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      #expect(try client.response().first("Connection") == "close")
      #expect(client.rest().end == .closed)
      #expect(Set(sandbox.records.map(\.connection)) == [1])
      #expect(sandbox.connections.accepted == 1)
    }
  }

  @Test func `the sandbox closes an HTTP 1.0 connection after a response unless the request asks for keep-alive`() async throws {
    try await withSandbox { sandbox in
      let client = try RawClient(port: sandbox.port)
      try client.send("GET /get HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
      #expect(try client.response().first("Connection") == "keep-alive")
      try client.send("GET /stream-bytes/10 HTTP/1.0\r\n\r\n")
      let response = try client.response()
      #expect(response.first("Transfer-Encoding") == nil)
      #expect(response.body.count == 10)
    }
  }

  @Test func `pipelined requests get their responses in order`() async throws {
    try await withSandbox { sandbox in
      let client = try RawClient(port: sandbox.port)
      let requests = (0..<200).map { "POST /anything/\($0) HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab" }
      try client.send("GET /delay/0.02 HTTP/1.1\r\nHost: x\r\n\r\n" + requests.joined())
      #expect(try client.response().json["path"] == "/delay/0.02")
      for number in 0..<200 { #expect(try client.response().json["path"]?.stringValue == "/anything/\(number)") }
    }
  }

  @Test func `a request that is sent byte by byte gets a response`() async throws {
    try await withSandbox { sandbox in
      let client = try RawClient(port: sandbox.port)
      for byte in Array("POST /anything HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc".utf8) { try client.send([byte]) }
      #expect(try client.response().json["body"]?["text"] == "abc")
    }
  }

  static let malformed: [(String, Int)] = [
    ("nonsense\r\n\r\n", 400), ("GET / HTTP/9.9\r\n\r\n", 400), ("GET /\r\nHost: x\r\n\r\n", 400), ("\u{16}\u{3}\u{1}\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost x\r\n\r\n", 400), ("POST /post HTTP/1.1\r\nContent-Length: x\r\n\r\n", 400),
    ("POST /post HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
    ("POST /post HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n", 400),
    ("GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 200_000))\r\n\r\n", 431),
  ]

  @Test(arguments: malformed) func `a malformed request gets an error response, and its connection is closed`(
    text: String, status: Int
  )
    async throws
  {
    try await withSandbox { sandbox in
      let client = try RawClient(port: sandbox.port)
      try client.send(text)
      let response = try client.response()
      #expect([status, 505, 501].contains(response.status), "\(response.statusLine)")
      #expect(response.first("Connection") == "close")
      #expect(try sandbox.get("/health").status == 200)
    }
  }

  /// The server must respond correctly after any input.
  @Test func `the sandbox still responds after random input`() async throws {
    try await withSandbox { sandbox in
      var generator = SeededRandom(seed: 99)
      let pieces = [
        "GET ", "POST ", "/anything", "/fault/close", "/range/10", " HTTP/1.1\r\n", "Host: x\r\n", "Content-Length: 5\r\n",
        "Transfer-Encoding: chunked\r\n", "Content-Type: multipart/form-data; boundary=b\r\n", "\r\n", "\r\n\r\n", "--b\r\n", "--b--",
        "5\r\nhello\r\n",
        "0\r\n\r\n", "Expect: 100-continue\r\n", "Range: bytes=-\r\n", "Authorization: Basic ====\r\n", "%", "%%%zz?&&==&%ff", "\u{0}", "é",
        "Cookie: ;=;a\r\n", "Upgrade: h2c\r\nConnection: upgrade\r\n",
      ]
      for _ in 0..<300 {
        let client = try RawClient(port: sandbox.port)
        let text = (0..<Int.random(in: 1...12, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
        try? client.send(text)
      }
      #expect(try sandbox.get("/health").status == 200)
    }
  }

  @Test func `a connection above the connection limit of the sandbox gets status 503`() async throws {
    var options = SandboxOptions()
    options.connectionLimit = 2
    try await withSandbox(options) { sandbox in
      let first = try sandbox.connection("/get")
      let second = try sandbox.connection("/get")
      _ = try first.response()
      _ = try second.response()
      let third = try RawClient(port: sandbox.port)
      #expect(try third.response().status == 503)
      #expect(sandbox.connections.refused == 1)
      #expect(sandbox.connections.peak == 2)
    }
  }

  @Test func `the sandbox closes an idle connection, but not one that waits for a delayed response`() async throws {
    var options = SandboxOptions()
    options.idleTimeout = .seconds(2)
    try await withSandbox(options) { sandbox in
      let silent = try RawClient(port: sandbox.port)
      #expect(silent.rest().end == .closed)
      #expect(try sandbox.get("/delay/3").status == 200, "a delay is not idleness")
    }
  }

  @Test func `the sandbox's record of a request keeps its method, headers, body and outcome until it is deleted`() async throws {
    try await withSandbox { sandbox in
      _ = try sandbox.request("POST", "/anything?x=1", ["X-Sandbox-Tenant: t", "a: 1", "A: 2"], json: "{}")
      _ = try sandbox.get("/status/404")
      let records = sandbox.records
      #expect(records.map(\.sequence) == [1, 2])
      #expect(records.map(\.connection) == [1, 2])
      #expect(records[0].method == "POST")
      #expect(records[0].target == "/anything?x=1")
      #expect(records[0].tenant == "t")
      #expect(records[0].values(of: "a") == ["1", "2"])
      #expect(records[0].headers.map(\.name).contains("A"))
      #expect(records[0].body.text == "{}")
      #expect(records[1].status == 404)
      #expect(records[0].outcome == .completed)
      let finished = try #require(records[0].finished)
      #expect(records[0].arrived <= finished)
      #expect(finished <= records[1].arrived)

      let listed = try sandbox.get("/_sandbox/requests").json["requests"]
      #expect(listed?.arrayValue?.count == 2, "looking is not recorded")
      #expect(listed?[0]?["headers"]?[1] == ["X-Sandbox-Tenant", "t"])
      #expect(listed?[0]?["body"]?["sha256"]?.stringValue == records[0].body.sha256)
      #expect((listed?[0]?["arrived_ns"]?.intValue ?? 0) > 0)
      #expect(try sandbox.get("/_sandbox/requests?since=1").json["requests"]?.arrayValue?.count == 1)
      #expect(try sandbox.get("/_sandbox/requests?tenant=t").json["requests"]?.arrayValue?.count == 1)
      #expect(try sandbox.request("DELETE", "/_sandbox/requests").status == 204)
      #expect(sandbox.records.isEmpty)
      _ = try sandbox.get("/get")
      #expect(sandbox.records.map(\.sequence) == [3])
      sandbox.clearRecords()
      #expect(sandbox.records.isEmpty)
    }
  }

  @Test func `if five requests overlap, the sandbox records that all five arrived before any of them was finished`() async throws {
    try await withSandbox { sandbox in
      let clients = try (0..<5).map { _ in try sandbox.connection("/delay/0.05") }
      for client in clients { _ = try client.response() }
      let records = sandbox.records
      let lastArrival = try #require(records.map(\.arrived).max())
      let firstEnd = try #require(records.compactMap(\.finished).min())
      #expect(lastArrival < firstEnd, "all were there before any was answered")
      #expect(try sandbox.get("/_sandbox/state").json["requests"]?["peak_in_flight"] == 5)
    }
  }

  @Test func `if the sandbox reaches its limit for recorded requests, it discards the oldest records`() async throws {
    var options = SandboxOptions()
    options.recordLimit = 10
    try await withSandbox(options) { sandbox in
      let client = try RawClient(port: sandbox.port)
      for number in 0..<50 {
        try client.send("GET /anything/\(number) HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = try client.response()
      }
      #expect(sandbox.records.map(\.target) == (40..<50).map { "/anything/\($0)" })
      #expect(sandbox.records.allSatisfy { $0.outcome == .completed })
    }
  }

  @Test func `a client can read and reset the state that the sandbox keeps, such as counters`() async throws {
    try await withSandbox { sandbox in
      _ = try sandbox.get("/counter/a")
      _ = try sandbox.login()
      let state = try sandbox.get("/_sandbox/state").json
      #expect(state["tenant"]?["counters"] == ["counter/a": 1])
      #expect(state["tenant"]?["tokens"]?["issued"] == 1)
      #expect(state["requests"]?["total"] == 2)
      #expect(try sandbox.request("DELETE", "/_sandbox/state").status == 204)
      #expect(try sandbox.get("/counter/a").json["count"] == 1)
      #expect(try sandbox.request("POST", "/_sandbox/clock?advance=x").status == 400)
    }
  }
}
