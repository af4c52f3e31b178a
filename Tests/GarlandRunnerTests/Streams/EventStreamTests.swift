import Dispatch
import GarlandResults
import Synchronization
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of event streams in the forms that different servers send, over sockets.
@Suite(.timeLimit(.minutes(15))) struct EventStreamTests {
  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
  private static let open = head + "Connection: close\r\n\r\n"

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

  @Test func `if a connection closes in the middle of an HTTP chunk, the error contains the number of events so far`() async throws {
    let run = try await Self.carryOut(
      "events: true", sends: [Self.head + "Transfer-Encoding: chunked\r\n\r\n", Self.chunk("data: 1\n\ndata: 2\n\nda"), "ff\r\nta"])
    #expect(run.outcomes == ["s error"])
    #expect(try run.result("s").exchanges.last?.stream?.count == 2)
  }

  @Test func `if a connection closes in the middle of an HTTP chunk after the last requested event, the step passes`() async throws {
    let run = try await Self.carryOut(
      "events: { count: 2 }", sends: [Self.head + "Transfer-Encoding: chunked\r\n\r\n", Self.chunk("data: 1\n\ndata: 2\n\n"), "ff\r\nta"])
    #expect(run.outcomes == ["s passed"])
  }

  @Test func `if an interrupted stream is retried, the events of the first attempt are not counted`() async throws {
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

  @Test func `a retry after a reconnection starts a new stream`() async throws {
    let server = try ScriptedStreams([
      Self.open + "retry: 1\nid: a\ndata: 1\n\n", Self.open + "data: bad\n\n", Self.open + "data: 1\n\ndata: 2\n\n",
    ])
    let run = try await TestRun.carryOut(
      """
      garland: 1
      steps:
        s:
          get: '\(server.url)'
          retry: { limit: 1, delay: 1ms, on: [expect] }
          events: { count: 2, reconnect: 3, each: { json: { $: { gte: 1 } } } }

      """)
    #expect(run.outcomes == ["s passed"])
    #expect(server.values("last-event-id") == [nil, "a", nil])
  }

  /// Events of JSON, the last of which may be a mark.
  private static func answer(_ last: String) -> String { open + "data: {\"n\": 1}\n\ndata: {\"n\": 2}\n\ndata: \(last)\n\n" }

  @Test(arguments: ["json: { $.n: { gte: 1 } }", "schema: { required: [n] }", "that: '${event.json.n > 0}'"])
  func `an expectation under 'each' that reads JSON is not checked for an event that ends the stream and is not JSON`(_ each: String)
    async throws
  {
    let events = "events: { until: \"${event.data == '[DONE]'}\", each: { \(each) } }\n    expect: { events: { length: 3 } }"
    #expect(try await Self.carryOut(events, sends: [Self.answer("[DONE]")]).outcomes == ["s passed"])
  }

  @Test func `an expectation under 'each' that does not read JSON is also checked for the event that ends the stream`() async throws {
    let events = "events: { until: \"${event.data == '[DONE]'}\", each: { json: { $.n: { gte: 1 } }, data: { contains: n } } }"
    let run = try await Self.carryOut(events, sends: [Self.answer("[DONE]")])
    #expect(try run.result("s").failures.map(\.subject) == ["events[2] data"])
  }

  @Test(arguments: [
    ("until: \"${event.json.n == 3}\"", "{\"n\": 3}"), ("until: \"${event.data == 'x'}\"", "[DONE]"), ("count: 3", "[DONE]"),
  ])
  func `an expectation under 'each' that reads JSON is checked for an event that is JSON or does not end the stream`(
    _ end: String, _ last: String
  ) async throws {
    let run = try await Self.carryOut("events: { \(end), each: { json: { $.n: { lt: 3 } } } }", sends: [Self.answer(last)])
    #expect(try run.result("s").failures.map(\.subject) == ["events[2] json $.n"])
  }

  @Test func `after a reconnection, the last event ID is sent and the count of events continues`() async throws {
    let server = try ScriptedStreams([
      Self.open + "retry: 1\nid: a\ndata: 1\n\nid: b\n\n", Self.open + "data: 2\n\n", Self.open + "data: 3\n\ndata: 4\n\n",
    ])
    let run = try await TestRun.carryOut(
      "garland: 1\nsteps: { s: { get: '\(server.url)', events: { count: 3, reconnect: 5 }, extract: { n: '${response.events | map(item.data) | join('''')}' } } }\n"
    )
    #expect(run.outcomes == ["s passed"])
    #expect(try run.result("s").extracted.first?.value == #""123""#)
    #expect(server.values("last-event-id") == [nil, "b", "b"])
    #expect(try run.result("s").exchanges.map(\.label) == ["connection 1", "connection 2", nil])
  }

  @Test func `a stream whose connection breaks continues on a new connection`() async throws {
    let server = try ScriptedStreams([
      Self.head + "Content-Length: 100\r\n\r\nretry: 1\nid: a\ndata: 1\n\n", Self.open + "data: 2\n\n",
    ])
    let run = try await TestRun.carryOut("garland: 1\nsteps: { s: { get: '\(server.url)', events: { count: 2, reconnect: 1 } } }\n")
    #expect(run.outcomes == ["s passed"])
    #expect(server.values("last-event-id") == [nil, "a"])
  }

  @Test func `a reconnection that gets no response is followed by another reconnection`() async throws {
    let server = try ScriptedStreams([Self.open + "retry: 1\nid: a\ndata: 1\n\n", "", "no HTTP\r\n\r\n", Self.open + "data: 2\n\n"])
    let run = try await TestRun.carryOut("garland: 1\nsteps: { s: { get: '\(server.url)', events: { count: 2, reconnect: 3 } } }\n")
    #expect(run.outcomes == ["s passed"])
    #expect(server.values("last-event-id") == [nil, "a", "a", "a"])
    #expect(try run.result("s").exchanges.map(\.stream?.count) == [1, 1, 1, 2])
  }

  @Test func `a stream continues after reconnections that are refused`() async throws {
    let reserved = ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let port = reserved.number
    let server = try Mutex<RawServer?>(
      RawServer(port: port) { connection in
        _ = connection.readHead()
        connection.send(Self.open + "retry: 1\nid: a\ndata: 1\n\n")
      })
    let waits = Mutex(0)
    let run = try await TestRun.carryOut(
      "garland: 1\nsteps: { s: { get: 'http://127.0.0.1:\(port)/', events: { count: 2, reconnect: 3 } } }\n",
      react: { _, event in
        guard case .stepWaits = event else { return }
        let count = waits.withLock { waits in
          waits += 1
          return waits
        }
        if count == 1 { server.withLock { $0 = nil } }
        guard count == 3 else { return }
        let second = try? RawServer(port: port) { connection in
          _ = connection.readHead()
          connection.send(Self.open + "data: 2\n\n")
        }
        server.withLock { $0 = second }
      })
    #expect(run.outcomes == ["s passed"])
    #expect(try run.result("s").exchanges.map { $0.error?.contains("connection refused") == true } == [false, true, true, false])
  }

  @Test func `if a connection of a stream sends nothing until the timeout of the step, the stream continues on a new connection`()
    async throws
  {
    let isFirst = Mutex(true)
    let server = try RawServer { connection in
      _ = connection.readHead()
      let hangs = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      connection.send(Self.open + (hangs ? "retry: 1\ndata: 1\n\n" : "data: 2\n\n"))
      if hangs { connection.readToEnd() }
    }
    let run = try await TestRun.carryOut(
      "garland: 1\nsteps: { s: { get: '\(server.url)', timeout: 3s, events: { count: 2, reconnect: 50 } } }\n")
    #expect(run.outcomes == ["s passed"])
    #expect(try run.result("s").exchanges.first?.error?.hasPrefix("no data for 3 s") == true)
  }

  /// The server is a SOCKS5 proxy (RFC 1928) that answers only its first client, so the second connection is never established.
  @Test func `if a stream reaches its deadline during a reconnection, its step is not reported as unreachable`() async throws {
    let isFirst = Mutex(true)
    let proxy = try RawServer { connection in
      let greeting = connection.read(2)
      let answers = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      guard answers, greeting.count == 2 else { return connection.readToEnd() }
      _ = connection.read(Int(greeting[1]))
      connection.send([5, 0])
      _ = connection.read(10)
      connection.send([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
      _ = connection.readHead()
      connection.send(Self.open + "retry: 1\ndata: 1\n\n")
    }
    let settings = "proxy: 'socks5://127.0.0.1:\(proxy.port)', deadline: 3s, events: { count: 2, reconnect: 3 }"
    let run = try await TestRun.carryOut("garland: 1\nsteps: { s: { get: 'http://127.0.0.1:1/', \(settings) } }\n")
    #expect(run.outcomes == ["s error"])
    #expect(try run.result("s").exchanges.map(\.stream?.count) == [1, 1])
  }

  @Test func `a refused first connection of an event stream is not repeated`() async throws {
    let reserved = ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let run = try await TestRun.carryOut(
      "garland: 1\nsteps: { s: { get: 'http://127.0.0.1:\(reserved.number)/', events: { count: 2, reconnect: 3 } } }\n")
    #expect(run.outcomes == ["s unreachable"])
    #expect(try run.result("s").exchanges.count == 1)
  }

  /// If each connection had a deadline of its own, the third one would send the last event.
  @Test func `the deadline of a step covers all connections of its stream together`() async throws {
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send(Self.open + "retry: 2000\ndata: 1\n\n")
    }
    let run = try await TestRun.carryOut(
      "garland: 1\nsteps: { s: { get: '\(server.url)', deadline: 3s, events: { count: 3, reconnect: 10, within: 20s } } }\n")
    #expect(run.outcomes == ["s failed"])
    let failure = try #require(try run.result("s").failures.first)
    #expect(failure.help?.hasSuffix("2 s, is longer than the rest of `deadline`") == true, "\(failure)")
  }

  @Test func `if a reconnected stream times out, the error names the deadline of the step and not the remaining time`() async throws {
    let isFirst = Mutex(true)
    let server = try RawServer { connection in
      _ = connection.readHead()
      let ends = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      connection.send(Self.open + "retry: 1\ndata: 1\n\n")
      if !ends { connection.readToEnd() }
    }
    let run = try await TestRun.carryOut(
      "garland: 1\nsteps: { s: { get: '\(server.url)', deadline: 1s, events: { count: 3, reconnect: 1 } } }\n")
    let error = try #require(try run.result("s").exchanges.last?.error)
    #expect(error.hasPrefix("timed out after 1 s "), "\(error)")
  }

  @Test func `after a response with status 204, an event stream makes no further reconnection`() async throws {
    let server = try ScriptedStreams([Self.open + "retry: 1\ndata: 1\n\n", "HTTP/1.1 204 No Content\r\n\r\n"])
    let run = try await TestRun.carryOut("garland: 1\nsteps: { s: { get: '\(server.url)', events: { count: 3, reconnect: 5 } } }\n")
    #expect(try run.result("s").failures.map(\.message) == ["1 event arrived before the server ended the stream, expected 3"])
    #expect(server.count == 2)
  }

  @Test(arguments: [
    "HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n",
  ])
  func `after a response with an error status or a wrong content type, an event stream makes no further reconnection`(answer: String)
    async throws
  {
    let server = try ScriptedStreams([Self.open + "retry: 1\ndata: 1\n\n", answer])
    let run = try await TestRun.carryOut("garland: 1\nsteps: { s: { get: '\(server.url)', events: { count: 3, reconnect: 5 } } }\n")
    #expect(run.outcomes == ["s failed"])
    #expect(server.count == 2)
  }

  @Test func `if the wait before a reconnection is longer than the time limit, the failure explains why there is no reconnection`()
    async throws
  {
    let server = try ScriptedStreams([Self.open + "retry: 3600000\ndata: 1\n\n"])
    let run = try await TestRun.carryOut(
      "garland: 1\nsteps: { s: { get: '\(server.url)', events: { count: 3, reconnect: 5, within: 10s } } }\n")
    let failure = try #require(try run.result("s").failures.first)
    #expect(failure.message == "1 event arrived before the server ended the stream, expected 3")
    #expect(failure.help?.hasPrefix("no reconnection, because the wait before it, ") == true, "\(failure.help ?? "")")
    #expect(server.count == 1)
  }

  @Test func `after an event that fails, the number of checked expectations does not include the expected count of events`() async throws {
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

  @Test func `a stream without data ends at the timeout of the step`() async throws {
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

  @Test func `at the time limit of a stream, the connection is closed and the step continues with its events`() async throws {
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

  @Test func `if an interrupt ends the stream of a step with a cleanup, the cleanup can use the values of the step`() async throws {
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

  @Test func `if an interrupt arrives before the response to a stream with a cleanup, the stream ends when the response arrives`()
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

/// A server that sends the next text in response to each request, and closes the connection.
private final class ScriptedStreams: Sendable {
  private let heads: HeadList
  private let server: RawServer

  private final class HeadList: Sendable {
    let all = Mutex<[String]>([])
  }

  var url: String { server.url + "/" }
  var count: Int { heads.all.withLock { $0.count } }

  init(_ answers: [String]) throws {
    let heads = HeadList()
    self.heads = heads
    server = try RawServer { connection in
      let head = connection.readHead()
      guard !head.isEmpty else { return }
      let number = heads.all.withLock { all in
        all.append(head)
        return all.count
      }
      if number <= answers.count { connection.send(answers[number - 1]) }
    }
  }

  /// Returns the value of a header field in each request; nil for a request without the field.
  func values(_ name: String) -> [String?] {
    heads.all.withLock { $0 }.map { head in
      head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name + ":") }.map {
        String($0.dropFirst(name.utf8.count + 1)).trimmed
      }
    }
  }
}
