import GarlandResults
import Synchronization
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of event streams that continue on a new connection, over sockets.
@Suite(.timeLimit(.minutes(15))) struct EventReconnectionTests {
  private static let head = ScriptedStreams.head
  private static let open = ScriptedStreams.open

  @Test func `if a step is retried after its event stream reconnected, the retry starts without the earlier events`() async throws {
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

  @Test func `if an event stream reconnects, it continues from the last event ID and the number of events so far`() async throws {
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

  @Test func `if the connection of an event stream breaks, the stream continues on a new connection`() async throws {
    let server = try ScriptedStreams([
      Self.head + "Content-Length: 100\r\n\r\nretry: 1\nid: a\ndata: 1\n\n", Self.open + "data: 2\n\n",
    ])
    let run = try await TestRun.carryOut("garland: 1\nsteps: { s: { get: '\(server.url)', events: { count: 2, reconnect: 1 } } }\n")
    #expect(run.outcomes == ["s passed"])
    #expect(server.values("last-event-id") == [nil, "a"])
  }

  @Test func `if an event stream gets no response when it reconnects, it reconnects again`() async throws {
    let server = try ScriptedStreams([Self.open + "retry: 1\nid: a\ndata: 1\n\n", "", "no HTTP\r\n\r\n", Self.open + "data: 2\n\n"])
    let run = try await TestRun.carryOut("garland: 1\nsteps: { s: { get: '\(server.url)', events: { count: 2, reconnect: 3 } } }\n")
    #expect(run.outcomes == ["s passed"])
    #expect(server.values("last-event-id") == [nil, "a", "a", "a"])
    #expect(try run.result("s").exchanges.map(\.stream?.count) == [1, 1, 1, 2])
  }

  @Test func `an event stream continues after several refused attempts to reconnect`() async throws {
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

  @Test func `if an event stream receives nothing until the step's timeout, it continues on a new connection`()
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
  @Test func `if an event stream reaches its deadline while it reconnects, the step is not reported as unreachable`() async throws {
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

  @Test func `if the first connection of an event stream is refused, the stream does not reconnect`() async throws {
    let reserved = ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let run = try await TestRun.carryOut(
      "garland: 1\nsteps: { s: { get: 'http://127.0.0.1:\(reserved.number)/', events: { count: 2, reconnect: 3 } } }\n")
    #expect(run.outcomes == ["s unreachable"])
    #expect(try run.result("s").exchanges.count == 1)
  }

  /// If each connection had a deadline of its own, the third one would send the last event.
  @Test func `the deadline of a step applies to all connections of its event stream together`() async throws {
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

  @Test func `if a reconnected event stream reaches the step's deadline, the error contains the configured deadline`()
    async throws
  {
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

  @Test func `after a response with status 204, an event stream does not reconnect`() async throws {
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

  @Test func `if an event stream does not reconnect because the wait would be too long, the failure names this reason`()
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
}
