import GarlandResults
import GarlandSandbox
import GarlandWorkflow
import TestSupport
import Testing

@Suite("The record of exchanges")
struct ExchangeTests {
  @Test func `the headers and bodies of a passed step are recorded only if a report needs them`() async throws {
    try await withSandbox { sandbox in
      let text = prelude + "  a: { post: /redirect/1?status=307, json: { x: 1 }, extract: { m: $.method } }"
      let brief = try await TestRun.carryOut(text, sandbox, detail: []).result("a")
      let full = try await TestRun.carryOut(text, sandbox).result("a")
      for result in [brief, full] {
        let exchange = try #require(result.exchanges.first)
        #expect(exchange.hops.map(\.status) == [307, 200])
        #expect(exchange.hops.map(\.method) == ["POST", "POST"])
        #expect(exchange.hops.last?.url.hasPrefix(sandbox.url + "/anything") == true)
        #expect(exchange.curlCommand == nil)
      }
      #expect(brief.exchanges[0].hops.allSatisfy { $0.responseFields.isEmpty && $0.requestFields.isEmpty })
      #expect(brief.exchanges[0].responseBody == nil && brief.exchanges[0].requestBody == nil && brief.extracted.isEmpty)
      #expect(full.exchanges[0].hops[1].requestFields.contains { $0.name.lowercased() == "content-type" })
      #expect(full.exchanges[0].hops[0].responseFields.contains { $0.name.lowercased() == "location" })
      #expect(full.exchanges[0].requestBody.map { String(decoding: $0.bytes, as: UTF8.self) } == #"{"x":1}"#)
      #expect(full.extracted.map(\.value) == [#""POST""#])
    }
  }

  @Test
  func `if a report shows the values that were checked, each step's result contains these values in a short form, such as 'a list of 2'`()
    async throws
  {
    try await withSandbox { sandbox in
      let text =
        prelude + """
            a:
              post: /anything
              json: { x: [1, 2], y: { z: 1 }, t: hello }
              expect: { status: 200, type: application/*, headers: { Content-Type: { contains: json } }, json: { $.json.x: { length: 2 }, $.json.y: { exists: true }, $.json.t: hello, $.nope: { exists: false } }, size: { gt: 10 } }
          """
      let full = try await TestRun.carryOut(text, sandbox).result("a")
      #expect(full.outcome == .passed && full.checkCount == 8)
      #expect(
        full.found.dropLast() == ["200", "application/json", "application/json", "a list of 2", "an object with 1 member", "hello", nil],
        "\(full.found)")
      #expect(full.found.last??.hasSuffix(" bytes") == true, "\(full.found)")
      let brief = try await TestRun.carryOut(text, sandbox, detail: [.fields]).result("a")
      #expect(brief.found.isEmpty && brief.checkCount == 8)
    }
  }

  @Test func `the recorded size of a multipart form is the size of the body that was sent`() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      try folder.write("big.bin", String(repeating: "x", count: 5_000))
      let text = prelude + "  a: { post: /anything, multipart: { caption: Front cover, image: { file: big.bin } } }"
      let exchange = try #require(try await TestRun.carryOut(text, sandbox, folder: folder).result("a").exchanges.first)
      let body = try #require(exchange.requestBody)
      #expect(body.size > 5_000 && body.size == exchange.hops[0].timing.sizes?.requestBody)
      #expect(String(decoding: body.bytes, as: UTF8.self).hasPrefix("caption: Front cover\nimage: @"))
      #expect(body.isComplete)
    }
  }

  @Test func `a recorded body is cut to the configured size`() async throws {
    try await withSandbox { sandbox in
      let result = try await TestRun.carryOut(prelude + "  a: { get: \"/bytes/5000?seed=1\" }", sandbox) {
        $0.recording.keptBodyBytes = 100
      }.result(
        "a")
      let body = try #require(result.exchanges.first?.responseBody)
      #expect(body.bytes.count == 100)
      #expect(body.size == 5000)
      #expect(!body.isComplete)
    }
  }

  @Test func `the headers and bodies of a failed step are recorded for every report`() async throws {
    try await withSandbox { sandbox in
      let result = try await TestRun.carryOut(prelude + "  a: { get: /status/500 }", sandbox, detail: []).result("a")
      let exchange = try #require(result.exchanges.first)
      #expect(exchange.hops.first?.responseFields.isEmpty == false)
      #expect(exchange.curlCommand?.hasPrefix("curl") == true)
    }
  }

  @Test func `each request of a redirect chain records when it began and when it was sent`() async throws {
    try await withSandbox { sandbox in
      let text = prelude + "  a: { post: /redirect/2?status=307, json: { x: 1 } }\n  b: { get: /health, after: a }"
      let run = try await TestRun.carryOut(text, sandbox)
      let hops = try run.result("a").exchanges[0].hops + run.result("b").exchanges[0].hops
      let starts = try hops.map { try #require($0.timing.startedAt) }
      #expect(starts == starts.sorted() && Set(starts).count == 4)
      #expect(try starts[0] >= run.result("a").readyAt && starts[2] + hops[2].timing.total <= run.result("b").readyAt)
      for hop in hops {
        let (left, answered) = (try #require(hop.timing.requestStart), try #require(hop.timing.firstByte))
        #expect(left <= answered && answered <= hop.timing.total)
      }
    }
  }

  @Test func `if a request gets a 401 and then a redirect, the times of the attempt with credentials are recorded`() async throws {
    let server = try RawServer { connection in
      while true {
        let head = connection.readHead()
        guard !head.isEmpty else { return }
        if head.hasPrefix("GET /end ") {
          connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        } else if head.lowercased().contains("\r\nauthorization:") {
          connection.pause(.milliseconds(100))
          connection.send("HTTP/1.1 302 Found\r\nLocation: /end\r\nContent-Length: 0\r\n\r\n")
        } else {
          let challenge = #"Digest realm="a", nonce="b", qop="auth""#
          connection.send("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: \(challenge)\r\nContent-Length: 0\r\n\r\n")
        }
      }
    }
    let text = "garland: 1\nsteps:\n  a: { get: \(server.url)/start, digest: \"user:pass\" }\n"
    let hops = try #require(try await TestRun.carryOut(text).result("a").exchanges.first).hops
    #expect(hops.map(\.status) == [302, 200])
    #expect(try #require(hops.first?.timing.firstByte) >= .milliseconds(100), "\(hops.map(\.timing))")
  }

  @Test func `in a large document, the recorded start of a request is never after the end of its step`() async throws {
    try await withSandbox { sandbox in
      let others = (0..<5_000).map { "  s\($0): { get: /health, when: false }\n" }.joined()
      let result = try await TestRun.carryOut(prelude + others + "  a: { get: /health }", sandbox).result("a")
      #expect(try #require(result.exchanges[0].hops[0].timing.startedAt) <= result.endedAt)
    }
  }

  @Test func `the start times of requests in a called document are relative to the start of the calling run`() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      try folder.write("child.yaml", prelude + "  b: { get: /health }")
      let run = try await TestRun.carryOut(
        prelude + "  a: { get: /delay/0.05 }\n  c: { call: child.yaml, after: a }", sandbox, folder: folder)
      let start = try #require(try run.result("c").exchanges[0].hops[0].timing.startedAt)
      #expect(try start >= run.result("a").endedAt)
    }
  }

  @Test func `for a streamed upload, the time at which the last piece was sent is recorded`() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      try folder.write("big.bin", String(repeating: "x", count: 3 << 20))
      let run = try await TestRun.carryOut(prelude + "  a: { post: /anything, body: { file: big.bin } }", sandbox, folder: folder)
      let timing = try #require(try run.result("a").exchanges[0].hops.last?.timing)
      let (start, sent) = (try #require(timing.requestStart), try #require(timing.requestSent))
      #expect(start <= sent && sent <= timing.total)
      #expect(timing.sizes?.requestBody == 3 << 20)
      #expect(try #require(timing.sizes).requestHead > 0)
    }
  }

  @Test func `if 40 uploads share a few connections, each request's recorded phases end no later than the request`() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      try folder.write("small.bin", "x")
      let run = try await TestRun.carryOut(
        prelude + "  a: { for_each: \"${40 | range}\", post: /anything, multipart: { f: { file: small.bin } } }", sandbox, folder: folder)
      for result in run.results {
        let timing = try #require(result.exchanges[0].hops.last?.timing)
        let (sent, answered) = (try #require(timing.requestSent), try #require(timing.firstByte))
        #expect(sent <= answered && answered <= timing.total, "\(timing)")
      }
    }
  }

  @Test func `the time to the first byte of a streamed upload includes the server's delay before its response`() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      try folder.write("big.bin", String(repeating: "x", count: 3 << 20))
      let run = try await TestRun.carryOut(prelude + "  a: { post: /delay/0.2, body: { file: big.bin } }", sandbox, folder: folder)
      let timing = try #require(try run.result("a").exchanges[0].hops.last?.timing)
      #expect(try #require(timing.firstByte) >= .milliseconds(200))
      #expect(timing.phases.wait > timing.phases.receive)
    }
  }

  @Test func `the certificate and the cipher of a TLS connection are reported`() async throws {
    let server = try NginxServer.shared()
    let folder = try TemporaryFolder()
    try folder.write(
      "ca.pem", String(decoding: try Array(SystemFiles().read(server.certificates.authority, limit: 1 << 20)), as: UTF8.self))
    let text = """
      garland: 1
      defaults: { base_url: "\(server.secureURL)", tls: { ca: ca.pem } }
      steps:
        a: { get: /json }
        b: { get: /json, after: a }
      """
    let run = try await TestRun.carryOut(text, folder: folder)
    for id in ["a", "b"] {
      let security = try #require(try run.result(id).exchanges[0].hops[0].timing.security)
      #expect(security.version.hasPrefix("1.") && !security.cipher.isEmpty && security.subject == "CN=server")
      #expect(security.expiresAt ?? 0 > 1_700_000_000)
    }
    let brief = try await TestRun.carryOut(text, folder: folder, detail: [])
    #expect(try brief.result("a").exchanges[0].hops[0].timing.security == nil)
  }

  @Test func `the record says that a request was sent again after its kept connection was lost`() async throws {
    let server = try await HTTP2Server(.close, answers: [1])
    let folder = try TemporaryFolder()
    try folder.write("ca.pem", String(decoding: try Array(SystemFiles().read(HTTP2Server.authority, limit: 1 << 20)), as: UTF8.self))
    let text = """
      garland: 1
      defaults: { base_url: "\(server.url)", tls: { ca: ca.pem } }
      steps:
        a: { get: / }
        b: { get: /, after: a }
      """
    let run = try await TestRun.carryOut(text, folder: folder)
    let exchanges = try ["a", "b"].flatMap { try run.result($0).exchanges }
    #expect(exchanges.map { $0.hops.map(\.timing.isSentAgain) } == [[false], [true]])
    #expect(exchanges.map(\.requestCount) == [1, 1])
    withExtendedLifetime(server) {}
  }

  @Test func `if a report needs source texts, the event 'runStarted' contains the source and expectations of each step`() async throws {
    try await withSandbox { sandbox in
      let text = prelude + "  a: { get: /health, expect: { status: 200, json: { $.status: { type: string } } } }\n  b:\n    get: /health\n"
      func start(_ detail: RunDetail) async throws -> RunStart? {
        let events = try await TestRun.carryOut(text, sandbox, detail: detail).observer.all
        return events.lazy.compactMap { if case .runStarted(let start) = $0 { start } else { nil } }.first
      }
      let sources = try #require(try await start(.sources)?.sources)
      #expect(sources.map { $0.checks.map(\.subject) } == [["status", "json $.status"], []])
      #expect(sources[0].checks[0].range.text == "200")
      #expect(sources[1].range.text.hasPrefix("b:"))
      #expect(try await start([])?.sources.isEmpty == true)
    }
  }

  @Test func `the expectations in a report include those under the keys 'each', 'count' and 'until'`()
    async throws
  {
    try await withSandbox { sandbox in
      let text =
        prelude + "  a: { get: /events?count=3, events: { count: 3, each: { json: { $.number: { gte: 1 } } } } }\n"
        + "  b: { get: /health, poll: { until: \"${response.status == 200}\" } }\n"
      let events = try await TestRun.carryOut(text, sandbox, detail: .sources).observer.all
      let start = events.lazy.compactMap { if case .runStarted(let start) = $0 { start } else { nil } }.first
      let subjects = start?.sources.map { $0.checks.map(\.subject) }
      #expect(subjects == [["events.each json $.number", "events.count"], ["poll.until"]])
    }
  }
}
