import Dispatch
import GarlandResults
import Synchronization
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of event streams in the forms that different servers send, over sockets.
@Suite(.timeLimit(.minutes(15))) struct EventStreamTests {
  private static let head = ScriptedStreams.head
  private static let open = ScriptedStreams.open

  /// Runs a step with a server that sends the given pieces, and then closes the connection.
  private static func carryOut(_ step: String, sends pieces: [String]) async throws -> TestRun {
    let server = try RawServer { connection in
      _ = connection.readHead()
      for piece in pieces { connection.send(piece) }
    }
    return try await TestRun.carryOut("garland: 1\nsteps:\n  s:\n    get: \(server.url)/\n    \(step)\n")
  }

  private static func chunk(_ text: String) -> String { "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n" }

  @Test func `fields, lines and characters of an event stream may be split across HTTP chunks`() async throws {
    let parts = ["da", "ta: caf\u{E9}", "\r", "\ndata: b\n", "\n", "event: x\ndata: 2\n\n"].map(Self.chunk)
    let run = try await Self.carryOut(
      "events: true\n    extract: { all: \"${response.events | map(item.data) | join(',')}\" }",
      sends: [Self.head + "Transfer-Encoding: chunked\r\n\r\n"] + parts + ["0\r\n\r\n"])
    #expect(run.outcomes == ["s passed"])
    #expect(try run.result("s").extracted.first?.value == #""café\nb,2""#)
  }

  @Test
  func `if the connection of an event stream breaks within an HTTP chunk, the result counts the events that arrived before the break`()
    async throws
  {
    let run = try await Self.carryOut(
      "events: true", sends: [Self.head + "Transfer-Encoding: chunked\r\n\r\n", Self.chunk("data: 1\n\ndata: 2\n\nda"), "ff\r\nta"])
    #expect(run.outcomes == ["s error"])
    #expect(try run.result("s").exchanges.last?.stream?.count == 2)
  }

  @Test func `if a connection breaks within an HTTP chunk after the last event that the step requires, the step passes`() async throws {
    let run = try await Self.carryOut(
      "events: { count: 2 }", sends: [Self.head + "Transfer-Encoding: chunked\r\n\r\n", Self.chunk("data: 1\n\ndata: 2\n\n"), "ff\r\nta"])
    #expect(run.outcomes == ["s passed"])
  }

  @Test func `if a step is retried after its event stream broke, the events of the first attempt are not counted`() async throws {
    let server = try ScriptedStreams([
      Self.head + "Content-Length: 100\r\n\r\nid: 7\ndata: 1\n\n", Self.open + "data: 1\n\ndata: 2\n\n",
    ])
    let run = try await TestRun.carryOut(
      "garland: 1\nsteps: { s: { get: '\(server.url)', retry: { limit: 1, delay: 1ms }, events: { count: 2 }, extract: { n: '${response.events | length}' } } }\n"
    )
    #expect(run.outcomes == ["s passed"])
    #expect(try run.result("s").extracted.first?.value == "2")
    #expect(server.values("last-event-id") == [nil, nil])
  }

  /// Events of JSON, the last of which may be a mark.
  private static func answer(_ last: String) -> String { open + "data: {\"n\": 1}\n\ndata: {\"n\": 2}\n\ndata: \(last)\n\n" }

  @Test(arguments: ["json: { $.n: { gte: 1 } }", "schema: { required: [n] }", "that: '${event.json.n > 0}'"])
  func `if the event that ends a stream is not JSON, the JSON expectations under 'each' skip this event`(_ each: String)
    async throws
  {
    let events = "events: { until: \"${event.data == '[DONE]'}\", each: { \(each) } }\n    expect: { events: { length: 3 } }"
    #expect(try await Self.carryOut(events, sends: [Self.answer("[DONE]")]).outcomes == ["s passed"])
  }

  @Test func `if a stream's last event is not JSON, all expectations under 'each' except 'json' still check this event`() async throws {
    let events = "events: { until: \"${event.data == '[DONE]'}\", each: { json: { $.n: { gte: 1 } }, data: { contains: n } } }"
    let run = try await Self.carryOut(events, sends: [Self.answer("[DONE]")])
    #expect(try run.result("s").failures.map(\.subject) == ["events[2] data"])
  }

  @Test(arguments: [
    ("until: \"${event.json.n == 3}\"", "{\"n\": 3}"), ("until: \"${event.data == 'x'}\"", "[DONE]"), ("count: 3", "[DONE]"),
  ])
  func `JSON expectations under 'each' skip the last event only if the event fulfils 'until' and is not JSON`(
    _ end: String, _ last: String
  ) async throws {
    let run = try await Self.carryOut("events: { \(end), each: { json: { $.n: { lt: 3 } } } }", sends: [Self.answer(last)])
    #expect(try run.result("s").failures.map(\.subject) == ["events[2] json $.n"])
  }

  @Test func `if an event fails an expectation, the required number of events ('count') is not checked`() async throws {
    let server = try ScriptedStreams([Self.open + "data: 1\n\ndata: 2\n\ndata: 3\n\n"])
    let run = try await TestRun.carryOut(
      "garland: 1\nsteps: { s: { get: '\(server.url)', events: { count: 3, each: { json: { $: { lt: 2 } } } } } }\n")
    let result = try run.result("s")
    #expect(result.failures.map(\.subject) == ["events[1] json $"])
    // The expectations are the status, and that of the first two events.
    #expect(result.checkCount == 3)
  }

  @Test func `a request for events has an Accept header for event streams unless the step sets its own`() async throws {
    let server = try ScriptedStreams([Self.open, Self.open])
    let text =
      "garland: 1\nsteps:\n  a: { get: '\(server.url)', events: true }\n  b: { get: '\(server.url)', after: a, headers: { Accept: '*/*' }, events: true }\n"
    _ = try await TestRun.carryOut(text)
    #expect(server.values("accept") == ["text/event-stream", "*/*"])
  }

  @Test func `an event stream that receives no further data ends at the timeout of the step`() async throws {
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send(Self.open + "data: 1\n\n")
      // Waits until the client closes the connection.
      _ = connection.readHead()
    }
    let run = try await TestRun.carryOut("garland: 1\nsteps: { s: { get: '\(server.url)', timeout: 3s, events: { count: 2 } } }\n")
    #expect(run.outcomes == ["s error"])
    #expect(try run.result("s").exchanges.last?.stream?.count == 1)
  }

  @Test func `a step ends with an error if the server sends no response within the stream's time limit`() async throws {
    let server = try RawServer { connection in
      _ = connection.readHead()
      _ = connection.readHead()
    }
    let run = try await TestRun.carryOut("garland: 1\nsteps: { s: { get: '\(server.url)', events: { within: 3s } } }\n")
    #expect(run.outcomes == ["s error"])
  }

  @Test func `if an event stream reaches its time limit, the connection is closed, and the received events are checked`() async throws {
    let (closed, isClosed) = AsyncStream.makeStream(of: Void.self)
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send(Self.open + "data: 1\n\n")
      connection.readToEnd()
      isClosed.finish()
    }
    let run = try await TestRun.carryOut(
      "garland: 1\nsteps: { s: { get: '\(server.url)', events: { within: 3s }, expect: { events: { length: 1 } } } }\n")
    #expect(run.outcomes == ["s passed"])
    // Ends when the connection is closed.
    for await _ in closed {}
  }

  @Test func `an interrupt closes the connection of a stream and runs the cleanup`() async throws {
    let known = Mutex<Run?>(nil)
    let server = try RawServer { connection in
      while true {
        let head = connection.readHead()
        guard !head.isEmpty else { return }
        if head.hasPrefix("GET") {
          connection.send(Self.open + "data: 1\n\n")
          known.withLock { $0 }?.interrupt(signal: "SIGINT")
        } else {
          connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
      }
    }
    let text =
      "garland: 1\ndefaults: { base_url: '\(server.url)' }\nsteps:\n  made: { post: / }\n  s: { get: /, after: made, events: { count: 2 } }\n  tidy: { delete: /, cleanup: made }\n"
    let prepared = try TestRun.prepare(text)
    let run = try #require(prepared.run)
    known.withLock { $0 = run }
    _ = await run.start()
    let result = TestRun(observer: prepared.observer, report: Run.Report(summary: RunSummary(), prints: []), redactor: prepared.redactor)
    #expect(result.outcomes == ["made passed", "s not run", "tidy passed"])
  }

  @Test func `if an interrupt ends an event stream, the step's cleanup can use the values from the received events`() async throws {
    let (lines, addLine) = AsyncStream.makeStream(of: String.self)
    let server = try RawServer { connection in
      let head = connection.readHead()
      guard head.hasPrefix("GET") else {
        addLine.yield(head.split(separator: "\r\n").first.map(String.init) ?? "")
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        return
      }
      connection.send(Self.open)
      while connection.send("data: {\"id\": 7}\n\n") { connection.pause(.milliseconds(10)) }
    }
    let text =
      "garland: 1\ndefaults: { base_url: '\(server.url)' }\nsteps:\n"
      + "  s: { get: /, events: { count: 1000000, keep: 1, within: 1m }, extract: { id: '${response.events[0].json.id}' } }\n"
      + "  tidy: { delete: '/${s.id}', cleanup: s }\n"
    let run = try await TestRun.carryOut(text) { _ in
    } react: { run, event in
      if case .stepProgressed(_, _, let progress) = event, (progress.items?.count ?? 0) > 0 { run.interrupt(signal: "SIGINT") }
    }
    #expect(run.outcomes == ["s not run", "tidy passed"])
    #expect(try run.result("s").reason == "interrupted by SIGINT while the step ran")
    #expect(try run.result("s").failures.isEmpty)
    var iterator = lines.makeAsyncIterator()
    #expect(await iterator.next() == "DELETE /7 HTTP/1.1")
  }

  @Test func `after an interrupt, a stream of a step with a cleanup continues until the response header arrives`()
    async throws
  {
    let known = Mutex<Run?>(nil)
    let isInterrupted = DispatchSemaphore(value: 0)
    let server = try RawServer { connection in
      let head = connection.readHead()
      guard head.hasPrefix("GET") else {
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        return
      }
      known.withLock { $0 }?.interrupt(signal: "SIGINT")
      isInterrupted.wait()
      connection.send(Self.head + "X-Room: 7\r\nConnection: close\r\n\r\n")
      connection.readToEnd()
    }
    let text =
      "garland: 1\ndefaults: { base_url: '\(server.url)' }\nsteps:\n"
      + "  s: { get: /, events: { count: 2, within: 1m }, extract: { room: { header: X-Room } } }\n"
      + "  tidy: { delete: '/${s.room}', cleanup: s }\n"
    let prepared = try TestRun.prepare(text)
    let run = try #require(prepared.run)
    prepared.observer.react { event in
      if case .interrupted = event { isInterrupted.signal() }
    }
    known.withLock { $0 = run }
    let report = await run.start()
    let result = TestRun(observer: prepared.observer, report: report, redactor: prepared.redactor)
    #expect(result.outcomes == ["s not run", "tidy passed"])
  }

  @Test func `if a regular expression on an event takes too long, the step still ends at its deadline`() async throws {
    let run = try await Self.carryOut(
      "deadline: 1s\n    events: { until: \"${event.data | match('^(a+)+$') != null}\" }",
      sends: [Self.open + "data: \(String(repeating: "a", count: 40))b\n\n"])
    #expect(run.outcomes == ["s error"] || run.outcomes == ["s failed"])
  }
}
