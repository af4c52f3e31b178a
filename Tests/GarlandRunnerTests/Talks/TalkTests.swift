import GarlandDiagnostics
import GarlandResults
import Synchronization
import TestSupport
import Testing
import TransferTestSupport

@testable import GarlandRunner

/// Steps with a WebSocket connection, against a server whose frames the test decides.
@Suite(.timeLimit(.minutes(15))) struct TalkTests {
  typealias Frame = FrameServer.Frame

  /// Carries out a step with these keys on a server; `server` is its URL with the scheme `ws`.
  private static func carryOut(
    _ step: String, _ more: String = "", on server: FrameServer
  ) async throws -> TestRun {
    try await TestRun.carryOut(
      "garland: 1\nvars: { server: 'ws://127.0.0.1:\(server.port)' }\n\(more)steps: { s: { websocket: '${vars.server}/chat', \(step) } }\n")
  }

  /// A server that echoes messages, and answers a close frame.
  private static func echo(_ noteHead: @escaping @Sendable (String) -> Void = { _ in }) throws -> FrameServer {
    try FrameServer { peer in
      noteHead(peer.head)
      while let frame = peer.read() {
        peer.send(frame)
        if frame.opcode == 8 { return }
      }
    }
  }

  private static func text(_ text: String, isFinal: Bool = true) -> Frame { Frame(1, Array(text.utf8), isFinal: isFinal) }
  private static func close(_ code: UInt16) -> Frame { Frame(8, [UInt8(code >> 8), UInt8(code & 0xFF)]) }

  @Test func `the handshake of a WebSocket step has the header fields, query and credentials of the step`() async throws {
    let (heads, add) = AsyncStream.makeStream(of: String.self)
    let server = try Self.echo { add.yield($0) }
    let run = try await Self.carryOut(
      "query: { room: 1 }, headers: { X-Room: blue }, cookies: { theme: dark }, basic: 'a:b', subprotocols: [one, two]", on: server)
    #expect(run.outcomes == ["s passed"])
    var iterator = heads.makeAsyncIterator()
    let head = try #require(await iterator.next())
    #expect(head.hasPrefix("GET /chat?room=1 HTTP/1.1\r\n"))
    for field in ["X-Room: blue", "Cookie: theme=dark", "Authorization: Basic YTpi", "Sec-WebSocket-Protocol: one, two"] {
      #expect(head.contains("\r\n\(field)\r\n"), "\(field) in \(head)")
    }
  }

  @Test func `a WebSocket step closes with code 1000 unless the step sets a close code`() async throws {
    for (talk, code) in [("[]", 1000), ("[close: { code: 3001 }]", 3001)] as [(String, UInt16)] {
      let (frames, add) = AsyncStream.makeStream(of: Frame.self)
      let server = try FrameServer { peer in
        if let frame = peer.read() {
          add.yield(frame)
          peer.send(frame)
        }
      }
      let run = try await Self.carryOut(talk == "[]" ? "retry: 0" : "talk: \(talk)", on: server)
      var iterator = frames.makeAsyncIterator()
      #expect(await iterator.next() == Self.close(code))
      #expect(run.outcomes == ["s passed"])
    }
  }

  @Test func `if the close reason of a WebSocket step is longer than a close frame allows, the step fails`() async throws {
    let server = try Self.echo()
    let run = try await Self.carryOut("talk: [close: { reason: \"${uuid()}${uuid()}${uuid()}${uuid()}\" }]", on: server)
    #expect(try run.result("s").failures.map(\.message) == ["the reason has 144 bytes, but at most 123 are allowed"])
  }

  @Test func `after a failed expectation of a WebSocket message, the connection is closed and no further message is sent`() async throws {
    let (frames, add) = AsyncStream.makeStream(of: [Frame].self)
    let server = try FrameServer { peer in
      peer.send(Self.text("no"))
      var all: [Frame] = []
      while let frame = peer.read() {
        all.append(frame)
        if frame.opcode == 8 {
          peer.send(frame)
          break
        }
      }
      add.yield(all)
    }
    let run = try await Self.carryOut("talk: [receive: { text: yes }, send: { text: late }]", on: server)
    var iterator = frames.makeAsyncIterator()
    #expect(await iterator.next() == [Self.close(1000)])
    #expect(try run.result("s").failures.map(\.subject) == ["talk[0].receive text"])
  }

  @Test func `if a WebSocket connection breaks, the error names the entry of 'talk' that was running`() async throws {
    let server = try FrameServer { peer in
      _ = peer.read()
      peer.send(Self.text("one"))
      peer.close()
    }
    let run = try await Self.carryOut("retry: { limit: 1, delay: 1ms }, talk: [send: { text: a }, receive: { count: 2 }]", on: server)
    #expect(run.outcomes == ["s error"])
    // There is no probe of the host, since it has answered.
    #expect(server.connectionCount == 2)
    let failure = try #require(try run.result("s").failures.first)
    #expect(failure.kind == .transport && failure.subject == "talk[1].receive" && failure.range?.text == "receive")
    let exchanges = try run.result("s").exchanges
    #expect(exchanges.count == 2)
    #expect(exchanges.last?.stream?.count == 1)
    #expect(exchanges.map(\.status) == [101, 101] && exchanges.allSatisfy { $0.error != nil })
  }

  // The deadline is long, since the handshake takes seconds while all other tests of the group compute.
  @Test func `the deadline of a WebSocket step ends its exchange of messages`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(prelude + "  s: { websocket: /ws, deadline: 20s, talk: [receive: {}] }", sandbox)
      #expect(run.outcomes == ["s error"])
      let failure = try #require(try run.result("s").failures.first)
      #expect(failure.subject == "talk[0].receive", "\(failure.subject): \(failure.message)")
    }
  }

  @Test func `a WebSocket message in fragments, with a ping between them, is one message`() async throws {
    let (frames, add) = AsyncStream.makeStream(of: [Frame].self)
    let server = try FrameServer { peer in
      peer.send(Self.text("{\"a\":", isFinal: false))
      peer.send(Frame(9, [1]))
      peer.send(Frame(0, Array("1}".utf8)))
      var all: [Frame] = []
      while let frame = peer.read() {
        all.append(frame)
        if frame.opcode == 8 {
          peer.send(frame)
          break
        }
      }
      add.yield(all)
    }
    let run = try await Self.carryOut("talk: [receive: { json: { $.a: 1 } }], expect: { messages: { length: 1 } }", on: server)
    #expect(run.outcomes == ["s passed"])
    var iterator = frames.makeAsyncIterator()
    #expect(await iterator.next() == [Frame(10, [1]), Self.close(1000)])
  }

  @Test func `a WebSocket message that is larger than max_body is refused`() async throws {
    let server = try FrameServer { peer in
      peer.send(Self.text(String(repeating: "x", count: 2_000)))
      _ = peer.readAll()
    }
    let run = try await Self.carryOut("max_body: 1KB, talk: [receive: {}]", on: server)
    #expect(run.outcomes == ["s error"])
    let failure = try #require(try run.result("s").failures.first)
    #expect(failure.subject == "talk[0].receive" && failure.message == "the received message is larger than the limit of 1000 bytes")
    let expected = try await Self.carryOut("max_body: 1KB, expect: { error: too_large }, talk: [receive: {}]", on: server)
    #expect(expected.outcomes == ["s passed"])
  }

  @Test func `the time limit for receiving several WebSocket messages applies to all messages together, not to each message`() async throws
  {
    let server = try FrameServer { peer in
      while peer.send(Self.text("drip")) { peer.pause(.milliseconds(20)) }
    }
    let run = try await Self.carryOut("talk: [receive: { count: 1000, within: 200ms }]", on: server)
    #expect(run.outcomes == ["s failed"])
    let failure = try #require(try run.result("s").failures.first)
    #expect(failure.subject == "talk[0].receive" && failure.message.hasSuffix("within 200 ms, expected 1000"), "\(failure.message)")
  }

  @Test func `after an interrupt, a WebSocket connection is closed with code 1001`() async throws {
    let (frames, add) = AsyncStream.makeStream(of: Frame?.self)
    let server = try FrameServer { peer in
      // Reports get no progress in the first tenth of a second.
      for _ in 0..<50 {
        peer.send(Self.text("hello"))
        peer.pause(.milliseconds(10))
      }
      let frame = peer.read()
      add.yield(frame)
      if let frame { peer.send(frame) }
    }
    let text =
      "garland: 1\nsteps: { s: { websocket: 'ws://127.0.0.1:\(server.port)/', talk: [receive: { matching: \"${message.text == 'never'}\" }] } }\n"
    let run = try await TestRun.carryOut(text) { _ in
    } react: { run, event in
      if case .stepProgressed = event { run.interrupt(signal: "SIGINT") }
    }
    var iterator = frames.makeAsyncIterator()
    #expect(await iterator.next() == Self.close(1001))
    #expect(run.outcomes == ["s not run"])
  }

  @Test(arguments: [false, true])
  func `if a run stops during a WebSocket step, the step sends close code 1001 and keeps extracted values for its cleanup`(
    isDeadline: Bool
  )
    async throws
  {
    let known = Mutex<Run?>(nil)
    let (frames, addFrame) = AsyncStream.makeStream(of: Frame?.self)
    let server = try FrameServer { peer in
      peer.send(Self.text(#"{"room": 7}"#))
      // The client sends this message after it has extracted the value.
      _ = peer.read()
      known.withLock { $0 }?.stop(for: isDeadline)
      let frame = peer.read()
      addFrame.yield(frame)
      if let frame { peer.send(frame) }
    }
    let (lines, addLine) = AsyncStream.makeStream(of: String.self)
    let cleaner = try RawServer { connection in
      addLine.yield(connection.readHead().split(separator: "\r\n").first.map(String.init) ?? "")
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }
    let talk = "[receive: { extract: { room: $.room } }, send: { text: next }, receive: { within: 1m }]"
    let prepared = try TestRun.prepare(
      "garland: 1\nsteps:\n  s: { websocket: 'ws://127.0.0.1:\(server.port)/', talk: \(talk) }\n"
        + "  tidy: { delete: '\(cleaner.url)/rooms/${s.room}', cleanup: s }\n")
    let run = try #require(prepared.run, "\(prepared.diagnostics.all.map(\.message))")
    known.withLock { $0 = run }
    let report = await run.start()
    let result = TestRun(observer: prepared.observer, report: report, redactor: prepared.redactor)
    var frameIterator = frames.makeAsyncIterator()
    #expect(await frameIterator.next() == Self.close(1001))
    #expect(result.outcomes == [isDeadline ? "s error" : "s not run", "tidy passed"])
    #expect(try result.result("s").exchanges.last?.stream?.count == 1)
    var lineIterator = lines.makeAsyncIterator()
    #expect(await lineIterator.next() == "DELETE /rooms/7 HTTP/1.1")
  }
}

extension Run {
  /// Stops the run by an interrupt, or as at its deadline.
  fileprivate nonisolated func stop(for isDeadline: Bool) {
    guard isDeadline else { return interrupt(signal: "SIGINT") }
    Task { await self.isOutOfTime(.seconds(1)) }
  }
}
