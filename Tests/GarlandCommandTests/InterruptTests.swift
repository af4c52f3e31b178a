import FoundationEssentials
import GarlandJSON
import GarlandSandbox
import Glibc
import Synchronization
import TestSupport
import Testing
import TransferTestSupport

/// Tests of Ctrl-C, SIGTERM, SIGHUP and SIGXCPU: running steps are cancelled, cleanups run, and reports are complete.
@Suite(.timeLimit(.minutes(15))) struct InterruptTests {
  static let workflow = """
    garland: 1
    defaults: { base_url: "${env.GARLAND_SANDBOX}" }
    steps:
      create: { post: /anything/create }
      hanging: { get: "/fault/hang?after=${create.status}" }
      later: { get: /anything/later, after: hanging }
      tidy: { delete: "/anything/tidy/${create.status}", cleanup: create }
      farewell: { get: /anything/farewell, after: { hanging: ended }, always: true }

    """

  /// Runs `w.yaml`, and keeps the process in `child`. The thread of a server waits for the lock, so that it always finds the process.
  private static func start(
    _ child: borrowing Mutex<ChildProcess?>, report: String = "json=report.json", environment: [String: String?] = [:],
    in folder: TemporaryFolder
  ) throws -> ChildProcess {
    try child.withLock { child in
      let started = try Garland.start(["run", "w.yaml", "--report", report], environment: environment, in: folder.path)
      child = started
      return started
    }
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129), (SIGXCPU, 152)] as [(Int32, Int32)])
  func `after a signal, a run executes its cleanups and exits with the status of the signal`(signal: Int32, status: Int32)
    async throws
  {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.workflow)
    let child = try Garland.start(
      ["run", "w.yaml", "--report", "json=report.json", "--report", "junit=report.xml"], environment: ["GARLAND_SANDBOX": sandbox.url],
      in: folder.path)
    await sandbox.waitForRequest { $0.target.hasPrefix("/fault/hang") }
    child.signal(signal)
    // When a terminal is closed, the shell sends the same signal again.
    if signal == SIGHUP { child.signal(signal) }
    let result = await child.result
    #expect(result.status == status, "\(result.output)\(result.error)")
    let paths = sandbox.records.map { $0.target.prefix { $0 != "?" } }
    #expect(paths.contains("/anything/tidy/200") && paths.contains("/anything/farewell"))
    #expect(!paths.contains("/anything/later"))
    let names = [SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP", SIGXCPU: "SIGXCPU"]
    #expect(result.output.contains("Interrupted by \(names[signal] ?? "")"))

    let report = try JSONValue(parsing: try folder.read("report.json"))
    let outcomes = (report["results"]?.arrayValue ?? []).compactMap { $0["outcome"]?.stringValue }
    #expect(outcomes == ["passed", "not run", "not run", "passed", "passed"])
    #expect(report["run"]?["exitStatus"]?.intValue == Int(status))
    let lint = try await ChildProcess.run("/usr/bin/xmllint", ["--noout", folder.path + "/report.xml"])
    #expect(lint.status == 0, "\(lint.error)")
    #expect(folder.names == ["report.json", "report.xml", "w.yaml"])
    await sandbox.stop()
  }

  @Test(arguments: [(SIGINT, "SIGINT"), (SIGTERM, "SIGTERM")])
  func `a signal stops the evaluation of an expression, and the cleanup of the step still runs`(signal: Int32, name: String)
    async throws
  {
    let child = Mutex<ChildProcess?>(nil)
    // The server signals from its own thread, since other tests may occupy all threads for tasks for 30 s, after which the expression ends
    // by itself.
    let server = try RawServer { connection in
      while true {
        let head = connection.readHead()
        guard !head.isEmpty else { return }
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        if head.hasPrefix("POST /made ") { child.withLock { $0?.signal(signal) } }
      }
    }
    let folder = try TemporaryFolder()
    let endless = "${1000000 | range | map(1000000 | range | map(item + 1) | length) | length}"
    try folder.write(
      "w.yaml",
      """
      garland: 1
      defaults: { base_url: "\(server.url)" }
      steps:
        made: { post: /made }
        slow: { get: /slow, after: made, headers: { X: "\(endless)" } }
        tidy: { delete: /tidy, cleanup: made }

      """)
    let result = try await Self.start(child, in: folder).result
    #expect(result.status == 128 + signal, "\(result.output)\(result.error)")
    let report = try JSONValue(parsing: try folder.read("report.json"))
    let results = report["results"]?.arrayValue ?? []
    #expect(results.compactMap { $0["outcome"]?.stringValue } == ["passed", "not run", "passed"], "\(result.output)")
    #expect(results.dropFirst().first?["reason"]?.stringValue == "interrupted by \(name)")
  }

  @Test(
    arguments: [
      ("events", "text/event-stream", "data: 1\n\n"), ("lines", "application/jsonl", "1\n"),
      ("parts", "multipart/x-mixed-replace; boundary=b", "--b\r\n\r\none\r\n--b\r\n"),
    ] as [(String, String, String)])
  func `if SIGINT interrupts a step that reads a stream, the connection is closed and the step counts as not run`(
    key: String, type: String, item: String
  ) async throws {
    let child = Mutex<ChildProcess?>(nil)
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let server = try RawServer { connection in
      let head = connection.readHead()
      guard head.hasPrefix("GET /feed ") else {
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        return
      }
      connection.send("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nConnection: close\r\n\r\n\(item)")
      child.withLock { $0?.signal(SIGINT) }
      // Ends when the client closes the connection.
      connection.readToEnd()
      end.finish()
    }
    let folder = try TemporaryFolder()
    try folder.write(
      "w.yaml",
      """
      garland: 1
      defaults: { base_url: "\(server.url)" }
      steps:
        made: { post: /made }
        feed: { get: /feed, after: made, \(key): { count: 1000000 } }
        tidy: { delete: /tidy, cleanup: made }

      """)
    let result = try await Self.start(child, in: folder).result
    for await _ in ends {}
    #expect(result.status == 130, "\(result.output)\(result.error)")
    let results = try JSONValue(parsing: try folder.read("report.json"))["results"]?.arrayValue ?? []
    #expect(results.compactMap { $0["outcome"]?.stringValue } == ["passed", "not run", "passed"], "\(result.output)")
  }

  @Test func `if SIGINT interrupts a run, an open WebSocket connection is closed with code 1001`() async throws {
    let child = Mutex<ChildProcess?>(nil)
    let (frames, add) = AsyncStream.makeStream(of: FrameServer.Frame?.self)
    let socket = try FrameServer { peer in
      _ = peer.read()
      child.withLock { $0?.signal(SIGINT) }
      let frame = peer.read()
      add.yield(frame)
      if let frame { peer.send(frame) }
    }
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    try folder.write(
      "w.yaml",
      """
      garland: 1
      defaults: { base_url: "${env.GARLAND_SANDBOX}" }
      steps:
        made: { post: /anything/made }
        chat: { websocket: "ws://127.0.0.1:\(socket.port)/", after: made, talk: [send: { text: hello }, receive: {}] }
        tidy: { delete: /anything/tidy, cleanup: made }

      """)
    let result = try await Self.start(child, environment: ["GARLAND_SANDBOX": sandbox.url], in: folder).result
    var iterator = frames.makeAsyncIterator()
    #expect(await iterator.next() == FrameServer.Frame(8, [0x03, 0xE9]))
    #expect(result.status == 130, "\(result.output)\(result.error)")
    let results = try JSONValue(parsing: try folder.read("report.json"))["results"]?.arrayValue ?? []
    #expect(results.compactMap { $0["outcome"]?.stringValue } == ["passed", "not run", "passed"], "\(result.output)")
    await sandbox.stop()
  }

  @Test func `if an OpenTelemetry collector does not respond, a signal ends the upload of the trace`() async throws {
    let child = Mutex<ChildProcess?>(nil)
    let server = try RawServer { connection in
      while true {
        let head = connection.readHead()
        guard !head.isEmpty else { return }
        if head.hasPrefix("POST /v1/traces ") {
          child.withLock { $0?.signal(SIGINT) }
        } else {
          connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
      }
    }
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", "garland: 1\nsteps: { a: { get: '\(server.url)/a' } }\n")
    let result = try await Self.start(child, report: "otlp=\(server.url)", in: folder).result
    #expect(result.status == 130 && result.output.contains("1 passed"), "\(result.output)\(result.error)")
    #expect(result.error.contains("interrupted"), "\(result.error)")
  }

  @Test func `a run ignores a signal that was already ignored when the run started`() async throws {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.workflow)
    let child = try ChildProcess(
      "/bin/sh", ["-c", "trap '' HUP INT; exec \"$0\" run w.yaml", Garland.path],
      environment: ["GARLAND_SANDBOX": sandbox.url, "CI": nil, "GITHUB_ACTIONS": nil], in: folder.path)
    await sandbox.waitForRequest { $0.target.hasPrefix("/fault/hang") }
    child.signal(SIGHUP)
    child.signal(SIGINT)
    child.signal(SIGTERM)
    let result = await child.result
    #expect(result.status == 143, "\(result.output)\(result.error)")
    #expect(!result.output.contains("SIGHUP") && !result.output.contains("SIGINT"))
    await sandbox.stop()
  }

  @Test func `a second signal ends a run without waiting for its cleanups`() async throws {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    try folder.write(
      "w.yaml",
      Self.workflow.replacing("delete: \"/anything/tidy/${create.status}\"", with: "get: \"/fault/hang?tidy=${create.status}\""))
    let child = try Garland.start(
      ["run", "w.yaml", "--report", "json=report.json"], environment: ["GARLAND_SANDBOX": sandbox.url], in: folder.path)
    await sandbox.waitForRequest { $0.target.hasPrefix("/fault/hang?after") }
    child.signal(SIGINT)
    await sandbox.waitForRequest { $0.target.hasPrefix("/fault/hang?tidy") }
    child.signal(SIGINT)
    let result = await child.result
    #expect(result.status == 130, "\(result.output)\(result.error)")
    #expect(folder.names.allSatisfy { !$0.hasSuffix(".tmp") })
    // The cleanup was sent, so the object that it should remove may still exist.
    #expect(
      result.output.contains("not run: interrupted by SIGINT while the step ran; data of the step `create` may remain"), "\(result.output)")
    await sandbox.stop()
  }

  @Test func `an interrupt ends a run even if no process reads its output`() async throws {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    let items = (1...400).map(String.init).joined(separator: ", ")
    try folder.write(
      "w.yaml", "garland: 1\nsteps: { a: { for_each: [\(items)], get: \"${env.GARLAND_SANDBOX}/anything/${item}\" } }\n")
    // The shell keeps the reading end open, so that a write neither completes nor fails.
    let child = try ChildProcess(
      "/bin/sh", ["-c", "mkfifo out && exec 3<>out && exec \"$0\" run w.yaml --verbose >out", Garland.path],
      environment: ["GARLAND_SANDBOX": sandbox.url], in: folder.path)
    // The output of these steps is larger than a pipe can hold.
    await sandbox.waitForRequest { $0.target.hasSuffix("/390") }
    // The system may combine two signals of the same kind.
    child.signal(SIGINT)
    child.signal(SIGTERM)
    let status = await child.result.status
    #expect([130, 143].contains(status))
    await sandbox.stop()
  }

  @Test func `an interrupt ends the command 'garland sandbox' with status 130`() async throws {
    let child = try Garland.start(["sandbox", "--port", "0"])
    #expect(await child.sees("http://127.0.0.1:"))
    child.signal(SIGINT)
    #expect(await child.result.status == 130)
  }
}
