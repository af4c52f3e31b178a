import GarlandJSON
import Glibc
import TestSupport
import Testing
import TransferTestSupport

/// Tests of processes with strict resource limits. Each must end by itself and report the reason.
@Suite(.timeLimit(.minutes(15))) struct ResourceLimitTests {
  private static let one = "garland: 1\nsteps: { a: { get: '${env.GARLAND_SANDBOX}/get' } }\n"

  private static func run(after limit: String, _ line: String, in folder: TemporaryFolder) async throws -> ChildProcess.Result {
    try await ChildProcess.run(
      "/bin/sh", ["-c", "\(limit); exec '\(Garland.path)' \(line)"],
      environment: ["CI": nil, "GITHUB_ACTIONS": nil, "GARLAND_SANDBOX": nil, "SWIFT_BACKTRACE": "enable=no"], in: folder.path)
  }

  /// The sizes are too small for the program, just enough to start, or nearly enough. With too little memory for threads, libdispatch would
  /// wait forever.
  @Test(arguments: [60, 80, 90, 100, 110, 120, 130, 150])
  func `if the address space is too small, a run ends with an error instead of a hang`(
    megabytes: Int
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.one)
    let result = try await Self.run(after: "ulimit -v \(megabytes * 1000)", "run w.yaml --sandbox", in: folder)
    #expect(result.status != 0 || result.output.contains("1 passed"))
    #expect(result.status == 0 || !result.error.isEmpty)
  }

  @Test(arguments: [20, 25, 30, 35])
  func `if ulimit -d is too small for a run, the run ends with an error that names the limit`(megabytes: Int) async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.one)
    let result = try await Self.run(after: "ulimit -d \(megabytes * 1000)", "run w.yaml --sandbox", in: folder)
    #expect(result.status != 0 || result.output.contains("1 passed"))
    #expect(result.status == 0 || result.error.contains("(`ulimit -d`)"), "\(result.error)")
  }

  @Test func `if 'ulimit -v' is too low to create threads, the error names this limit`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.one)
    var told = false
    // At some size in this range, the program starts but cannot create threads.
    for megabytes in stride(from: 80, to: 200, by: 10) where !told {
      let result = try await Self.run(after: "ulimit -v \(megabytes * 1000)", "run w.yaml --sandbox", in: folder)
      told = result.status == 4 && result.error.contains("allow the process more address space (`ulimit -v`)")
    }
    #expect(told)
  }

  /// The limit does not apply to root, so root starts the program as a user who has no other processes.
  @Test func `if ulimit -u is too small for threads, the error names the limit`() async throws {
    let user = getuid() == 0 ? "setpriv --reuid 64999 --clear-groups " : ""
    let result = try await ChildProcess.run(
      "/bin/bash", ["-c", "ulimit -u 1; exec \(user)'\(Garland.path)' run - --sandbox <<<'\(Self.one.replacing("'", with: "\""))'"],
      environment: ["CI": nil, "GITHUB_ACTIONS": nil, "GARLAND_SANDBOX": nil, "HOME": "/nonexistent"])
    #expect(result.status == 4 && result.error.contains("more threads (`ulimit -u`)"), "\(result.output)\(result.error)")
  }

  /// Starts a server with a page of 11,000 small elements, and a few bytes that unpack to a gigabyte.
  private static func server() throws -> RawServer {
    let elements = (0..<11_000).map { "<div class=\"c\($0)\"><p>text \($0)</p></div>\n" }.joined()
    let page = "<!doctype html><html><body>\(elements)</body></html>"
    return try RawServer { connection in
      while true {
        let head = connection.readHead()
        guard !head.isEmpty else { return }
        if head.hasPrefix("GET /page") {
          connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: \(page.utf8.count)\r\n\r\n\(page)")
        } else {
          connection.send(CompressedGigabyte.head)
          connection.send(CompressedGigabyte.body)
        }
      }
    }
  }

  /// If the memory for a body is not available, its step has an error. A limit with which the program can hardly start is reported as well.
  @Test(arguments: [150, 160, 170, 180, 190, 200, 220, 250], ["page", "bomb"])
  func `if a response body does not fit into memory, its step ends with an error`(megabytes: Int, kind: String) async throws {
    let server = try Self.server()
    let folder = try TemporaryFolder()
    let expectation = kind == "page" ? "xpath: { 'count(//p)': 11000 }" : "body: nothing"
    try folder.write("w.yaml", "garland: 1\nsteps:\n  a: { get: '\(server.url)/\(kind)', expect: { \(expectation) } }\n")
    let result = try await Self.run(after: "ulimit -v \(megabytes * 1000)", "run w.yaml --report json=report.json", in: folder)
    // If the memory is too small to start, the loader or the program reports this.
    guard folder.names.contains("report.json") else {
      #expect(result.status != 0 && !result.error.isEmpty, "\(result.output)\(result.error)")
      return
    }
    #expect(result.status == 4 || (kind == "page" && result.status == 0), "\(result.output)\(result.error)")
    if result.status == 4 {
      let reasons = ["(`ulimit -v`)", "libxml2 could not be loaded"]
      #expect(reasons.contains(where: result.output.contains) && result.output.contains("--> w.yaml:3:"), "\(result.output)")
    }
  }

  /// Starts a server that responds to `GET` with about 9.6 MB of JSON: a list at `/list`, and an object with one text at `/text`.
  private static func serverOfLargeValues() throws -> RawServer {
    let items = (0..<9_400).map { "{\"id\":\($0),\"text\":\"\(String(repeating: "x", count: 1_000))\"}" }
    let list = "[" + items.joined(separator: ",") + "]"
    let text = "{\"text\":\"" + String(repeating: "x", count: 9_600_000) + "\"}"
    return try RawServer { connection in
      while let request = connection.readRequest() {
        let body = !request.head.hasPrefix("GET") ? "{}" : request.head.hasPrefix("GET /list") ? list : text
        connection.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n")
        connection.send(body)
      }
    }
  }

  private typealias LargeValue = (megabytes: Int, path: String, value: String, body: String)

  /// Limits of the memory, and uses of large values. `make test` has each use with one limit, and `make test-deep` with each of them: a debug
  /// build needs 3 s of CPU time for each.
  private static let largeValues: [LargeValue] = {
    let limits = [350, 275, 400]
    let uses = [
      (path: "/list", value: "$", body: "json: '${g.v}'"), (path: "/list", value: "$", body: "multipart: { a: { json: '${g.v}' } }"),
      (path: "/text", value: "$.text", body: "form: { a: '${g.v}', b: 'x${g.v}' }"),
      (path: "/text", value: "$.text", body: "body: 'x${g.v}'"),
    ]
    return uses.enumerated().flatMap { number, use in
      (DeepTests.areRun ? limits : [limits[number % limits.count]]).map { ($0, use.path, use.value, use.body) }
    }
  }()

  /// Each value is received, parsed, stored, shown in the reports, and sent again, while the other values are in memory too. Some limits are
  /// sufficient.
  @Test(arguments: largeValues)
  func `if large values do not fit into memory together, the run ends with status 4, executes its cleanups and writes its reports`(
    megabytes: Int, path: String, value: String, body: String
  ) async throws {
    let server = try Self.serverOfLargeValues()
    let folder = try TemporaryFolder()
    var lines = ["garland: 1", "defaults: { base_url: '\(server.url)' }", "steps:", "  made: { post: /made }"]
    lines.append("  tidy: { delete: /made, cleanup: made }")
    for number in 0..<6 {
      lines.append("  g\(number): { get: \(path), extract: { v: \(value) } }")
      lines.append("  s\(number): { post: /sent, \(body.replacing("g.v", with: "g\(number).v")) }")
    }
    try folder.write("w.yaml", lines.joined(separator: "\n") + "\n")
    let result = try await Self.run(
      after: "ulimit -v \(megabytes * 1000)", "run w.yaml --report json=report.json --report html=report.html", in: folder)
    #expect(result.status == 0 || result.status == 4, "\(result.output)\(result.error)")
    #expect(result.status == 0 || result.output.contains("(`ulimit -v`)"), "\(result.output)")
    let report = try JSONValue(parsing: try folder.read("report.json"))
    let results = report["results"]?.arrayValue ?? []
    #expect(results.count == 14 && results.allSatisfy { $0["id"]?.stringValue != "tidy" || $0["outcome"]?.stringValue == "passed" })
    #expect(folder.names.contains("report.html"))
  }

  /// The message contains a text of 9 MB twice. The server responds with the size of each message. Some limits are sufficient, or too small
  /// to start the program.
  @Test(arguments: [200, 220, 240, 600])
  func `if a WebSocket message does not fit into memory, it is not sent, and its step ends with an error`(megabytes: Int) async throws {
    let server = try FrameServer { peer in
      while let frame = peer.read() {
        peer.send(frame.opcode == 8 ? frame : FrameServer.Frame(1, Array("\(frame.payload.count)".utf8)))
        if frame.opcode == 8 { return }
      }
    }
    let folder = try TemporaryFolder()
    try folder.write("large.txt", String(repeating: "x", count: 9_000_000))
    let talk = "[send: { json: ['${vars.t}', '${vars.t}'] }, receive: { text: '18000007', within: 1m }]"
    try await Self.expectErrorOrPass(
      "garland: 1\nvars: { t: \"${file('large.txt')}\" }\n"
        + "steps:\n  a: { websocket: 'ws://127.0.0.1:\(server.port)/', talk: \(talk) }\n", megabytes: megabytes, in: folder)
  }

  /// Runs a document under a limit of its address space. If the memory is enough to start, the run writes its report and passes, or ends
  /// with an error that names the limit.
  private static func expectErrorOrPass(_ document: String, megabytes: Int, in folder: TemporaryFolder) async throws {
    try folder.write("w.yaml", document)
    let result = try await run(after: "ulimit -v \(megabytes * 1000)", "run w.yaml --report json=report.json", in: folder)
    guard folder.names.contains("report.json") else {
      #expect(result.status == 127 || (result.status == 4 && !result.error.isEmpty), "\(result.status) \(result.output)\(result.error)")
      return
    }
    #expect(result.status == 0 || result.status == 4, "\(result.output)\(result.error)")
    #expect(result.status == 0 || result.output.contains("(`ulimit -v`)"), "\(result.output)")
  }

  /// The compressed message is nearly as large as the message, and is copied into a frame. The last limit is sufficient.
  @Test(arguments: [160, 165, 170, 600])
  func `if a compressed WebSocket message does not fit into memory, the step that sends the message ends with an error`(
    megabytes: Int
  ) async throws {
    let server = try FrameServer(fields: ["Sec-WebSocket-Extensions: permessage-deflate"]) { peer in
      guard peer.read() != nil else { return }
      peer.send(FrameServer.Frame(1, Array("received".utf8)))
      _ = peer.readAll()
    }
    let folder = try TemporaryFolder()
    let random = "head -c 12000000 /dev/urandom | base64 -w 0 >large.txt"
    #expect(try await ChildProcess.run("/bin/bash", ["-c", random], in: folder.path).status == 0)
    let talk = "[send: { text: \"${file('large.txt')}\" }, receive: { text: received, within: 1m }]"
    try await Self.expectErrorOrPass(
      "garland: 1\nsteps:\n  a: { websocket: 'ws://127.0.0.1:\(server.port)/', talk: \(talk) }\n", megabytes: megabytes, in: folder)
  }

  /// The sandbox is in the process of the run, and would need several copies of the message.
  @Test(arguments: [165, 180, 200])
  func `if memory is limited, a run that sends the sandbox a WebSocket message of 16 MB fails, but writes its report`(megabytes: Int)
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write("large.txt", String(repeating: "x", count: 16_000_000))
    let talk = "[send: { text: \"${file('large.txt')}\" }, receive: { text: { length: 16000000 } }]"
    try folder.write("w.yaml", "garland: 1\nsteps:\n  a: { websocket: '${env.GARLAND_SANDBOX}/ws', talk: \(talk) }\n")
    let result = try await Self.run(
      after: "ulimit -v \(megabytes * 1000)", "run w.yaml --sandbox --report json=report.json", in: folder)
    #expect(result.status == 1 || result.status == 4, "\(result.output)\(result.error)")
    #expect(folder.names.contains("report.json"))
  }

  /// Limits for a message or an item that does not fit into memory. `make test-deep` adds a limit that is sufficient: a debug build needs
  /// several seconds of CPU time to judge a text of that size.
  private static let limits = [165, 180] + (DeepTests.areRun ? [600] : [])

  /// The server sends a text of 30 MB, in one frame or in fragments.
  @Test(arguments: limits, [false, true])
  func `if a received WebSocket message does not fit into memory, its step ends with an error`(
    megabytes: Int, isFragmented: Bool
  ) async throws {
    let text = Array(("[\"" + String(repeating: "x", count: 30_000_000) + "\"]").utf8)
    let server = try FrameServer { peer in
      let size = isFragmented ? 1_000_000 : text.count
      for start in stride(from: 0, to: text.count, by: size) {
        let end = min(start + size, text.count)
        peer.send(FrameServer.Frame(start == 0 ? 1 : 0, Array(text[start..<end]), isFinal: end == text.count))
      }
      _ = peer.readAll()
    }
    let talk = "[receive: { json: { \"$[0]\": { length: 30000000 } }, within: 1m }]"
    try await Self.expectErrorOrPass(
      "garland: 1\nsteps:\n  a: { websocket: 'ws://127.0.0.1:\(server.port)/', talk: \(talk), expect: { messages: { length: 1 } } }\n",
      megabytes: megabytes, in: try TemporaryFolder())
  }

  /// The item has 20 MB.
  @Test(
    arguments: limits,
    [
      (key: "events", type: "text/event-stream", before: "data: ", after: "\n\n"),
      (key: "lines", type: "application/jsonl", before: "", after: "\n"),
      (key: "parts", type: "multipart/x-mixed-replace; boundary=b", before: "--b\r\n\r\n", after: "\r\n--b--\r\n"),
    ])
  func `if an item of a stream does not fit into memory, its step ends with an error`(
    megabytes: Int, stream: (key: String, type: String, before: String, after: String)
  ) async throws {
    let body = stream.before + "[\"" + String(repeating: "x", count: 20_000_000) + "\"]" + stream.after
    let server = try RawServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: \(stream.type)\r\n\r\n")
      connection.send(body)
    }
    let each = "each: { json: { \"$[0]\": { length: 20000000 } } }"
    try await Self.expectErrorOrPass(
      "garland: 1\nsteps:\n  a: { get: '\(server.url)/', \(stream.key): { \(each) }, expect: { \(stream.key): { length: 1 } } }\n",
      megabytes: megabytes, in: try TemporaryFolder())
  }

  /// The failure of `until` shows the last event as a JSON value, for which the data is parsed. The tree needs much more memory than its
  /// text.
  @Test(arguments: [260, 350])
  func `if the last event of a stream is too large to be parsed as JSON in memory, the run still writes its report`(megabytes: Int)
    async throws
  {
    let body = "data: [" + String(repeating: "1,", count: 15_000_000) + "1]\n\n"
    let server = try RawServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/event-stream\r\n\r\n")
      connection.send(body)
    }
    let folder = try TemporaryFolder()
    try folder.write(
      "w.yaml",
      "garland: 1\nsteps:\n  a: { get: '\(server.url)/', events: { until: \"${event.type == 'end'}\", keep: 1 } }\n")
    let result = try await Self.run(after: "ulimit -v \(megabytes * 1000)", "run w.yaml --report json=report.json", in: folder)
    #expect(result.status == 1 || result.status == 4, "\(result.output)\(result.error)")
    #expect(result.output.contains(result.status == 1 ? "was not true before" : "(`ulimit -v`)"), "\(result.output)")
    #expect(folder.names.contains("report.json"))
  }

  /// The decoder pauses after each few pieces of such a body, so that other transfers can run.
  @Test(arguments: ["ulimit -v", "ulimit -d"])
  func `if the decompression of a body needs too much memory, the error names the memory limit`(limit: String) async throws {
    let zeros = try await ChildProcess.run("/bin/bash", ["-c", "head -c 1000000000 /dev/zero | gzip -9"]).outputBytes
    let server = try RawServer { connection in
      while !connection.readHead().isEmpty {
        connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(zeros.count)\r\n\r\n")
        connection.send(zeros)
      }
    }
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", "garland: 1\nsteps:\n  a: { get: '\(server.url)/', expect: { body: nothing } }\n")
    let result = try await Self.run(after: "\(limit) 500000", "run w.yaml", in: folder)
    #expect(result.status == 4 && result.output.contains("(`\(limit)`)"), "\(result.output)\(result.error)")
  }

  @Test(arguments: [
    "expect: { xpath: { //p: x } }", "extract: { p: { xpath: //p } }", "expect: { plist: { $.a: 1 } }",
    "poll: { until: { xpath: { //p: x } }, every: 10ms, within: 1s }",
  ])
  func `if libxml2 can't be loaded, the run exits with status 4`(lines: String) async throws {
    let folder = try TemporaryFolder()
    // The loader finds these files first, and they are not libraries.
    for name in ["libxml2.so.2", "libxml2.so.16"] { try folder.write("lib/" + name, "x") }
    let path = lines.contains("plist") ? "/xml" : "/html"
    try folder.write("w.yaml", "garland: 1\nsteps:\n  a: { get: '${env.GARLAND_SANDBOX}\(path)', \(lines) }\n")
    let result = try await Self.run(after: "export LD_LIBRARY_PATH=$PWD/lib:$LD_LIBRARY_PATH", "run w.yaml --sandbox", in: folder)
    #expect(result.status == 4, "\(result.output)\(result.error)")
    #expect(result.output.contains("libxml2 could not be loaded"), "\(result.output)")
  }

  @Test func `before the processor time of a run is used up, the run executes its cleanups and writes its report`() async throws {
    let folder = try TemporaryFolder()
    let endless = "${1000000 | range | map(1000000 | range | map(item + 1) | length) | length}"
    try folder.write(
      "w.yaml",
      """
      garland: 1
      defaults: { base_url: "${env.GARLAND_SANDBOX}" }
      steps:
        made: { post: /anything/made }
        slow: { get: /anything/slow, after: made, headers: { X: "\(endless)" } }
        tidy: { delete: /anything/tidy, cleanup: made }

      """)
    let result = try await Self.run(after: "ulimit -t 4", "run w.yaml --sandbox --report json=report.json", in: folder)
    #expect(result.status == 152 && result.output.contains("Interrupted by SIGXCPU"), "\(result.output)\(result.error)")
    let report = try JSONValue(parsing: try folder.read("report.json"))
    let outcomes = (report["results"]?.arrayValue ?? []).compactMap { $0["outcome"]?.stringValue }
    #expect(outcomes == ["passed", "not run", "passed"], "\(outcomes)")
  }

  @Test func `if a report becomes larger than 'ulimit -f' permits, the run exits with status 4`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.one)
    let result = try await Self.run(after: "ulimit -f 1", "run w.yaml --sandbox --report json=report.json", in: folder)
    #expect(result.status == 4, "\(result.output)\(result.error)")
    #expect(result.error.contains("File too large"), "\(result.error)")
  }

  @Test func `if one of several files would exceed the file size limit, --fix changes no file`() async throws {
    let folder = try TemporaryFolder()
    let wrong = Self.one.replacing("get:", with: "gett:")
    try folder.write("a.yaml", wrong)
    try folder.write("b.yaml", wrong + String(repeating: "# a long comment\n", count: 1000))
    let result = try await Self.run(after: "ulimit -f 8", "check --fix a.yaml b.yaml", in: folder)
    #expect(result.status == 4 && result.error.contains("b.yaml` can't be written: File too large"), "\(result.error)")
    #expect(String(decoding: try folder.read("a.yaml"), as: UTF8.self) == wrong)
  }

  @Test(arguments: [
    "--help >out", "run --help >out", "--version --verbose >out", "schema >out", "completions bash >out", "init", "init - >out",
    "import c.sh -o imported.yaml", "check w.yaml >out", "plan w.yaml >out", "list w.yaml >out",
  ]) func `a command whose output exceeds the file size limit exits with status 4`(_ line: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.one)
    try folder.write("c.sh", "curl http://127.0.0.1:1/\n")
    let result = try await Self.run(after: "ulimit -f 0", line, in: folder)
    #expect(result.status == 4, "\(result.output)\(result.error)")
    #expect(result.error.contains("File too large"), "\(result.error)")
  }

  @Test(arguments: ["schema", "--help", "completions bash"])
  func `a command whose output pipe is closed exits with status 0 and without a message`(_ line: String)
    async throws
  {
    let result = try await ChildProcess.run("/bin/bash", ["-c", "'\(Garland.path)' \(line) | true; echo ${PIPESTATUS[0]}"])
    #expect(result.output == "0\n" && result.error.isEmpty, "\(result.output)\(result.error)")
  }
}
