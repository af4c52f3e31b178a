import GarlandResults
import GarlandTransfer
import Testing

@testable import GarlandRunner

/// Tests of WebSocket steps with a server from memory and simulated time.
@Suite(.timeLimit(.minutes(15))) struct SimulatedTalkTests {
  private static let hour = Duration.seconds(3600)

  /// Runs a WebSocket step with these keys on a server that follows a script.
  private static func carryOut(_ keys: String, _ transport: MemoryTransport) async throws -> TestRun {
    try await TestRun.simulate("s: { websocket: 'ws://in.memory/chat', \(keys) }", transport)
  }

  @Test func `the messages of a WebSocket step are sent and received in the order of its talk`() async throws {
    let transport = MemoryTransport(talk: [.send("hello"), .hear, .send("a"), .send("b"), .hear, .send("bye")])
    let run = try await Self.carryOut(
      "talk: [receive: { text: hello }, send: { text: one }, receive: { text: a }, receive: { text: b }, send: { text: two }, "
        + "receive: { text: bye }]", transport)
    #expect(run.outcomes == ["s passed"])
    #expect(transport.messages.map { $0.text } == ["one", "two", "close 1000"])
    let transcript = try run.result("s").exchanges.last?.stream?.messages.map { ($0.isSent ? "> " : "< ") + $0.text }
    #expect(transcript == ["< hello", "> one", "< a", "< b", "> two", "< bye"])
  }

  @Test func `each message of a WebSocket step is recorded with the time of its arrival`() async throws {
    let transport = MemoryTransport(talk: [.pause(Self.hour), .send("a"), .pause(Self.hour), .send("b")])
    let run = try await Self.carryOut("talk: [receive: { count: 2, within: 3h }]", transport)
    #expect(run.outcomes == ["s passed"])
    #expect(try run.result("s").exchanges.last?.stream?.messages.map(\.time) == [Self.hour, Self.hour * 2])
  }

  @Test func `if no message arrives within the time limit, the step fails, and the connection is closed at this time`() async throws {
    let transport = MemoryTransport(talk: [.pause(Self.hour * 2), .send("late")])
    let run = try await Self.carryOut("talk: [receive: { within: 1h }]", transport)
    #expect(run.outcomes == ["s failed"])
    #expect(try run.result("s").failures.map(\.message) == ["0 messages arrived within 1 h, expected 1"])
    #expect(transport.messages.map { $0.text } == ["close 1000"])
    #expect(transport.messages.map { $0.at } == [Self.hour] && run.summary.wallTime == Self.hour)
  }

  @Test func `the time limit of an entry begins when the entry begins`() async throws {
    let transport = MemoryTransport(talk: [.pause(.seconds(3000)), .send("a"), .pause(.seconds(3000)), .send("b")])
    let run = try await Self.carryOut("talk: [receive: { within: 1h }, receive: { within: 1h }]", transport)
    #expect(run.outcomes == ["s passed"] && run.summary.wallTime == .seconds(6000))
  }

  @Test func `if the server closes the connection, the failure has the code and the reason of its close frame`() async throws {
    let transport = MemoryTransport(talk: [.send("a"), .close(WebSocketClose(WebSocketCloseCode(rawValue: 4001), reason: "no more"))])
    let run = try await Self.carryOut("talk: [receive: { count: 2 }]", transport)
    #expect(
      try run.result("s").failures.map(\.message) == [
        "1 message arrived before the server closed the connection with the code 4001 and the reason \"no more\", expected 2"
      ])
  }

  @Test func `a WebSocket step with retry opens a new connection after the pause if its connection breaks`() async throws {
    let transport = MemoryTransport(talk: [.pause(Self.hour), .lose])
    let run = try await Self.carryOut(
      "retry: { limit: 1, delay: 2h, max_delay: 1d, jitter: 0 }, talk: [receive: { within: 3h }]", transport)
    #expect(run.outcomes == ["s error"])
    #expect(transport.sent.map { $0.at } == [.zero, Self.hour * 3])
    #expect(transport.probes.isEmpty, "the server has answered")
  }

  @Test func `the deadline of a WebSocket step ends its wait for a message`() async throws {
    let run = try await Self.carryOut("deadline: 1h, talk: [receive: { within: 3h }]", MemoryTransport())
    #expect(run.outcomes == ["s error"])
    #expect(try run.result("s").failures.map(\.subject) == ["talk[0].receive"])
    #expect(run.summary.wallTime == Self.hour)
  }

  @Test func `an interrupt ends the wait for a message, and the connection is closed with code 1001`() async throws {
    let transport = MemoryTransport(talk: [.pause(Self.hour), .send("tick")])
    let run = try await TestRun.simulate(
      "s: { websocket: 'ws://in.memory/chat', talk: [receive: { count: 2, within: 5h }] }", transport
    ) { _ in
    } react: { run, event in
      if case .stepProgressed = event { run.interrupt(signal: "SIGINT") }
    }
    #expect(run.outcomes == ["s not run"])
    #expect(transport.messages.map { $0.text } == ["close 1001"])
    #expect(run.summary.wallTime == Self.hour)
  }

  @Test func `a WebSocket step whose host is down is unreachable, and its host is probed`() async throws {
    let transport = MemoryTransport(obstacle: { _, _ in .refused(host: "in.memory", port: 80) })
    let run = try await Self.carryOut("talk: [receive: {}]", transport)
    #expect(run.outcomes == ["s unreachable"])
    #expect(transport.probes.count == 1)
  }
}
