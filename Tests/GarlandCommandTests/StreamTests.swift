import GarlandSandbox
import TestSupport
import Testing
import TransferTestSupport

/// Tests of streams with the command.
@Suite(.timeLimit(.minutes(15))) struct StreamTests {
  private static func folder(_ step: String, base: String = "${env.GARLAND_SANDBOX}") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", "garland: 1\ndefaults: { base_url: \"\(base)\" }\nsteps:\n  feed: \(step)\n")
    return folder
  }

  private static func text(_ name: String, _ folder: TemporaryFolder) throws -> String {
    String(decoding: try folder.read(name), as: UTF8.self)
  }

  @Test func `'garland run' and 'garland report' show the number of events of a stream`() async throws {
    let folder = try Self.folder("{ get: '/events?count=3', events: true }")
    let run = try await Garland.run(
      ["run", "w.yaml", "--sandbox", "--verbose", "--report", "json=r.json", "--report", "har=r.har"], in: folder.path)
    #expect(run.status == 0, "\(run.output)\(run.error)")
    #expect(run.output.contains("* 4 events, the first after "))
    let shown = try await Garland.run(["report", "r.json", "--verbose"], in: folder.path)
    #expect(shown.output.contains("* 4 events, the first after "), "\(shown.output)\(shown.error)")
    #expect(try Self.text("r.json", folder).contains("\"stream\""))
    #expect(try Self.text("r.har", folder).contains("4 events"))
  }

  @Test func `the curl command of an event stream turns off buffering`() async throws {
    let folder = try Self.folder("{ get: /events, events: { count: 1 } }", base: "http://127.0.0.1:1")
    let result = try await Garland.run(["curl", "w.yaml", "feed"], in: folder.path)
    #expect(result.output.contains("--no-buffer") && result.output.contains("Accept: text/event-stream"))
    #expect(result.error.contains("without the limits of `events`"))
  }

  @Test(
    arguments: [
      ("events", "text/event-stream", "data: ", "\n\n", "events: { count: 2, each: { data: { contains: '-' } } }", "data"),
      ("lines", "application/jsonl", "\"", "\"\n", "lines: { count: 2, each: { text: { contains: '-' } } }", nil),
      (
        "parts", "multipart/x-mixed-replace; boundary=b", "--b\r\n\r\n", "\r\n--b--\r\n",
        "parts: { count: 2, each: { body: { contains: '-' } } }",
        "text"
      ),
    ] as [(String, String, String, String, String, String?)])
  func `a secret that is split across two chunks of a stream is masked`(
    _ key: String, _ type: String, _ start: String, _ end: String, _ stream: String, _ member: String?
  ) async throws {
    let secret = "b8Kd-2x9Qw-7fLm3"
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nTransfer-Encoding: chunked\r\n\r\n")
      for piece in ["\(start)\(secret.prefix(8))", "\(secret.dropFirst(8))\(end)"] {
        connection.send("\(String(piece.utf8.count, radix: 16))\r\n\(piece)\r\n")
      }
      connection.send("0\r\n\r\n")
    }
    let item = "response.\(key)[0]" + (member.map { ".\($0)" } ?? "")
    let step =
      "{ get: /, headers: { X: '${secrets.KEY}' }, \(stream), extract: { all: '${response.\(key)}' }, expect: { that: \"${\(item) == 'x'}\" } }"
    let folder = try Self.folder(step, base: server.url)
    let run = try await Garland.run(
      [
        "run", "w.yaml", "--secret", "KEY=\(secret)", "--verbose", "--show", "all", "--report", "json=r.json", "--report", "har=r.har",
        "--report", "html=r.html",
      ],
      in: folder.path)
    #expect(run.status == 1)
    #expect((run.output + run.error).contains("***"))
    for text in try [run.output, run.error, Self.text("r.json", folder), Self.text("r.har", folder), Self.text("r.html", folder)] {
      #expect(!text.contains(secret))
    }
  }

  @Test func `a secret that is split between two frames of a WebSocket message is masked`() async throws {
    let secret = "b8Kd-2x9Qw-7fLm3"
    let server = try FrameServer { peer in
      peer.send(FrameServer.Frame(1, Array(secret.utf8.prefix(8)), isFinal: false))
      peer.send(FrameServer.Frame(0, Array(secret.utf8.dropFirst(8))))
      if let frame = peer.read() { peer.send(frame) }
    }
    let step =
      "{ websocket: /, headers: { X: '${secrets.KEY}' }, talk: [receive: { extract: { all: '${message.text}' }, text: other }], extract: { list: '${response.messages}' } }"
    let folder = try Self.folder(step, base: "http://127.0.0.1:\(server.port)")
    let run = try await Garland.run(
      [
        "run", "w.yaml", "--secret", "KEY=\(secret)", "--verbose", "--show", "all", "--report", "json=r.json", "--report", "har=r.har",
        "--report", "html=r.html",
      ],
      in: folder.path)
    #expect(run.status == 1)
    #expect((run.output + run.error).contains("***"))
    for text in try [run.output, run.error, Self.text("r.json", folder), Self.text("r.har", folder), Self.text("r.html", folder)] {
      #expect(!text.contains(secret) && !text.contains(secret.dropFirst(8)))
    }
  }

  @Test func `the number of messages of a WebSocket connection is in the console output and the reports`() async throws {
    let folder = try Self.folder("{ websocket: /ws, talk: [send: { json: { type: count, to: 3 } }, receive: { count: 3 }] }")
    let run = try await Garland.run(
      ["run", "w.yaml", "--sandbox", "--verbose", "--report", "json=r.json", "--report", "har=r.har"], in: folder.path)
    #expect(run.status == 0, "\(run.output)\(run.error)")
    #expect(run.output.contains("* 3 messages, the first after "), "\(run.output)")
    let shown = try await Garland.run(["report", "r.json", "--verbose"], in: folder.path)
    #expect(shown.output.contains("* 3 messages, the first after "), "\(shown.output)\(shown.error)")
    #expect(try Self.text("r.har", folder).contains("3 messages, the first after "))
    #expect(try Self.text("r.har", folder).contains("_webSocketMessages"))
  }

  @Test func `the curl command of a WebSocket step opens the connection, and a note says that no messages are sent`() async throws {
    let folder = try Self.folder("{ websocket: 'wss://127.0.0.1:1/ws', talk: [send: { text: a }] }", base: "http://127.0.0.1:1")
    let result = try await Garland.run(["curl", "w.yaml", "feed"], in: folder.path)
    #expect(result.output.contains("https://127.0.0.1:1/ws") && result.output.contains("Upgrade: websocket"), "\(result.output)")
    #expect(result.error.contains("does not send the messages of `talk`"), "\(result.error)")
  }

  @Test func `WebSocket messages that no later step uses are not kept in memory`() async throws {
    let sandbox = try await Sandbox.start()
    func peak(_ count: Int) async throws -> Double {
      let folder = try Self.folder(
        "{ websocket: /ws, talk: [send: { json: { type: count, to: \(count) } }, receive: { count: \(count), within: 5m, json: { $.type: chat } }] }",
        base: sandbox.url)
      let (status, megabytes, output) = try await MemoryTests.peakMemory(["run", "w.yaml"], in: folder.path)
      #expect(status == 0, "\(output)")
      return megabytes
    }
    let (few, many) = (try await peak(1_000), try await peak(20_000))
    #expect(many - few < 4, "\(few) and \(many) MB")
  }

  /// Runs a talk that receives messages of 1.5 MB from a server that sends them as fast as it can.
  private static func flood(_ count: Int, _ receive: String, _ more: String = "") async throws
    -> (status: Int32, megabytes: Double, output: String)
  {
    let message = FrameServer.Frame(1, Array("\"\(String(repeating: "x", count: 1_500_000))\"".utf8)).bytes()
    let server = try FrameServer { peer in
      for _ in 0..<count { guard peer.send(message) else { return } }
      if let close = peer.read() { peer.send(close) }
    }
    let step = "{ websocket: /, max_body: 2MB, talk: [receive: { count: \(count), within: 5m, \(receive) }]\(more) }"
    let folder = try folder(step, base: "http://127.0.0.1:\(server.port)")
    return try await MemoryTests.peakMemory(["run", "w.yaml"], in: folder.path)
  }

  @Test func `if a server sends messages faster than a WebSocket step receives them, memory use does not increase`() async throws {
    let receive = "json: { $: { type: string } }"
    let (few, many) = (try await Self.flood(4, receive), try await Self.flood(80, receive))
    #expect(few.status == 0 && many.status == 0, "\(many.output)")
    #expect(many.megabytes - few.megabytes < 8, "\(few.megabytes) and \(many.megabytes) MB")
  }

  @Test func `if the stored messages of a WebSocket step exceed max_body, the step fails and memory use stays bounded`() async throws {
    let keep = ", extract: { all: '${response.messages}' }"
    let (few, many) = (try await Self.flood(40, "text: { exists: true }", keep), try await Self.flood(200, "text: { exists: true }", keep))
    for result in [few, many] {
      #expect(result.status == 1)
      #expect(
        result.output.contains("messages have a total size above the limit of 2000000 bytes; 2 messages are kept"),
        "\(result.output)")
      #expect(result.output.contains("`max_body` limits their size"))
    }
    #expect(many.megabytes - few.megabytes < 8, "\(few.megabytes) and \(many.megabytes) MB")
  }

  @Test func `if no later step uses the events of a stream, the events are not kept in memory`() async throws {
    let sandbox = try await Sandbox.start()
    func peak(_ count: Int) async throws -> Double {
      let folder = try Self.folder("{ get: '/events?count=\(count)', events: { each: { data: { exists: true } } } }", base: sandbox.url)
      let (status, megabytes, output) = try await MemoryTests.peakMemory(["run", "w.yaml"], in: folder.path)
      #expect(status == 0, "\(output)")
      return megabytes
    }
    let (few, many) = (try await peak(1_000), try await peak(20_000))
    #expect(many - few < 4, "\(few) and \(many) MB")
  }
}
