import GarlandResults
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of each kind of stream with each fault of a server, over sockets.
@Suite(.timeLimit(.minutes(15))) struct StreamFaultTests {
  /// A kind of stream, and the bytes that a server sends for it.
  struct Kind: Sendable, CustomTestStringConvertible {
    let key, type: String
    /// A complete item, and the beginning of an item.
    let item, cut: String
    /// The bytes before the first item.
    var start = ""
    /// The failure of a step that reads to the end of the stream, if the stream ends within an item; nil if this is no failure.
    let cutFailure: String?

    var testDescription: String { key }
    var itemName: String { String(key.dropLast()) }
  }

  static let kinds = [
    Kind(key: "events", type: "text/event-stream", item: "data: {\"n\": 1}\n\n", cut: "data: {\"n", cutFailure: nil),
    Kind(
      key: "lines", type: "application/jsonl", item: "{\"n\": 1}\n", cut: "{\"n",
      cutFailure: "lines[1] is not JSON: the text ends within the string that began at byte 1 at line 1, column 4"),
    Kind(
      key: "parts", type: "multipart/x-mixed-replace; boundary=b", item: "A: 1\r\n\r\n{\"n\": 1}\r\n--b\r\n", cut: "A: 1\r\n\r\n{\"n",
      start: "--b\r\n", cutFailure: "parts[1] is cut off by the end of the stream"),
  ]

  private static func head(_ kind: Kind, type: String? = nil, _ more: String = "Connection: close\r\n") -> String {
    "HTTP/1.1 200 OK\r\nContent-Type: \(type ?? kind.type)\r\n\(more)\r\n"
  }

  /// Runs a step with a server that sends the given pieces. If `hangs` is false, the server then closes the connection.
  private static func carryOut(_ step: String, hangs: Bool = false, sends pieces: [[UInt8]]) async throws -> TestRun {
    let server = try RawServer { connection in
      _ = connection.readHead()
      for piece in pieces where !connection.send(piece) { return }
      if hangs { connection.readToEnd() }
    }
    return try await TestRun.carryOut("garland: 1\nsteps: { s: { get: '\(server.url)/', \(step) } }\n")
  }

  private static func carryOut(_ step: String, hangs: Bool = false, _ text: String) async throws -> TestRun {
    try await carryOut(step, hangs: hangs, sends: [Array(text.utf8)])
  }

  private static func failures(_ run: TestRun) throws -> [String] { try run.result("s").failures.map { "\($0.subject) \($0.message)" } }
  private static func count(_ run: TestRun) throws -> Int? { try run.result("s").exchanges.last?.stream?.count }

  @Test(arguments: kinds) func `a stream that ends in the middle of an item fails, unless the item is a server-sent event`(
    _ kind: Kind
  )
    async throws
  {
    let run = try await Self.carryOut("\(kind.key): true", Self.head(kind) + kind.start + kind.item + kind.cut)
    #expect(try Self.failures(run) == (kind.cutFailure.map { [$0] } ?? []))
  }

  @Test(arguments: kinds)
  func `if a connection ends before the whole stream arrived, the error contains the number of items so far`(
    _ kind: Kind
  )
    async throws
  {
    let run = try await Self.carryOut(
      "\(kind.key): true", Self.head(kind, "Content-Length: 1000\r\n") + kind.start + kind.item + kind.cut)
    #expect(run.outcomes == ["s error"])
    #expect(try Self.count(run) == 1)
  }

  @Test(arguments: kinds) func `if a server stops sending a stream, the stream ends at the timeout of the step`(_ kind: Kind) async throws {
    let run = try await Self.carryOut(
      "timeout: 3s, \(kind.key): { count: 2 }", hangs: true, Self.head(kind) + kind.start + kind.item)
    #expect(run.outcomes == ["s error"])
    #expect(try Self.count(run) == 1)
  }

  @Test(arguments: kinds) func `an item of a stream is read correctly if it arrives byte by byte`(_ kind: Kind) async throws {
    let body = kind.start + kind.item + kind.item
    let run = try await Self.carryOut(
      "\(kind.key): { count: 2, each: { json: { $.n: 1 } } }", sends: [Array(Self.head(kind).utf8)] + body.utf8.map { [$0] })
    #expect(run.outcomes == ["s passed"])
    #expect(try Self.count(run) == 2)
  }

  @Test(arguments: kinds) func `a stream ends at its time limit even if bytes of an incomplete item still arrive`(_ kind: Kind)
    async throws
  {
    let server = try RawServer { connection in
      _ = connection.readHead()
      _ = connection.send(Self.head(kind) + kind.start + kind.cut)
      while connection.send("x") { connection.pause(.milliseconds(5)) }
    }
    let run = try await TestRun.carryOut("garland: 1\nsteps: { s: { get: '\(server.url)/', \(kind.key): { count: 1, within: 3s } } }\n")
    #expect(try Self.failures(run) == ["\(kind.key).count 0 \(kind.key) arrived within 3 s, expected 1"])
  }

  @Test(arguments: kinds) func `an incomplete item of a stream is refused when it exceeds the size limit`(_ kind: Kind) async throws {
    let run = try await Self.carryOut(
      "max_body: 1KB, \(kind.key): true", hangs: true,
      Self.head(kind) + kind.start + kind.item + kind.cut + String(repeating: "x", count: 2_000))
    #expect(run.outcomes == ["s error"])
    #expect(try Self.failures(run) == ["\(kind.key)[1] the received \(kind.itemName) is larger than the limit of 1000 bytes"])
    #expect(try run.result("s").failures.first?.errorKind == "body_too_large")
    #expect(try Self.count(run) == 1)
  }

  @Test(arguments: kinds) func `a step that expects the error 'too_large' passes if an item of its stream exceeds the size limit`(
    _ kind: Kind
  ) async throws {
    let run = try await Self.carryOut(
      "max_body: 1KB, \(kind.key): true, expect: { error: too_large }", hangs: true,
      Self.head(kind) + kind.start + kind.item + kind.cut + String(repeating: "x", count: 2_000))
    #expect(run.outcomes == ["s passed"])
  }

  @Test(arguments: kinds) func `the key max_body limits the total size of the stream items in memory`(_ kind: Kind) async throws {
    let run = try await Self.carryOut(
      "max_body: 5KB, \(kind.key): { keep: 1000 }", hangs: true,
      Self.head(kind) + kind.start + String(repeating: kind.item, count: 100))
    #expect(try #require(try Self.failures(run).first).hasPrefix("\(kind.key) have a total size above the limit of 5000 bytes; "))
  }

  @Test(arguments: kinds.filter { $0.key != "lines" })
  func `a step fails if the media type of its response is not the type of the stream that the step expects`(
    _ kind: Kind
  )
    async throws
  {
    let run = try await Self.carryOut("\(kind.key): true", Self.head(kind, type: "text/html") + kind.start + kind.item)
    let wanted = try #require(kind.type.split(separator: ";").first)
    #expect(try Self.failures(run) == ["type is `text/html`, expected `\(wanted)`"])
    #expect(try Self.count(run) == nil)
  }

  @Test(arguments: kinds, ["gzip", "br", "zstd"]) func `a compressed stream of items is decoded`(_ kind: Kind, _ coding: String)
    async throws
  {
    let body = try ContentEncoder.encoded(coding, Array((kind.start + String(repeating: kind.item, count: 50)).utf8))
    let run = try await Self.carryOut(
      "\(kind.key): { each: { json: { $.n: 1 } } }",
      sends: [Array(Self.head(kind, "Content-Encoding: \(coding)\r\nConnection: close\r\n").utf8)]
        + stride(from: 0, to: body.count, by: 7).map { Array(body[$0..<min($0 + 7, body.count)]) })
    #expect(run.outcomes == ["s passed"])
    #expect(try Self.count(run) == 50)
  }

  @Test(arguments: kinds, ["gzip", "br", "zstd"])
  func `if a compressed stream is incomplete, the step ends with an error`(_ kind: Kind, _ coding: String) async throws {
    let body = try ContentEncoder.encoded(coding, Array((kind.start + String(repeating: kind.item, count: 50)).utf8))
    let run = try await Self.carryOut(
      "\(kind.key): true",
      sends: [Array(Self.head(kind, "Content-Encoding: \(coding)\r\nConnection: close\r\n").utf8), body.dropLast(3)])
    #expect(run.outcomes == ["s error"])
  }

  @Test(arguments: kinds) func `a step passes if all requested items of an incomplete compressed stream have arrived`(_ kind: Kind)
    async throws
  {
    let body = try ContentEncoder.encoded("gzip", Array((kind.start + String(repeating: kind.item, count: 50)).utf8))
    let run = try await Self.carryOut(
      "\(kind.key): { count: 50 }", hangs: true,
      sends: [Array(Self.head(kind, "Content-Encoding: gzip\r\nConnection: close\r\n").utf8), body])
    #expect(run.outcomes == ["s passed"])
  }

  @Test(arguments: kinds) func `a stream fails if the server closes the connection before the required number of items has arrived`(
    _ kind: Kind
  ) async throws {
    let run = try await Self.carryOut("\(kind.key): { count: 2 }", Self.head(kind) + kind.start + kind.item)
    #expect(try Self.failures(run) == ["\(kind.key).count 1 \(kind.itemName) arrived before the server ended the stream, expected 2"])
  }

  @Test(arguments: kinds) func `a step without expectations passes if its stream has no items`(_ kind: Kind)
    async throws
  {
    let run = try await Self.carryOut("\(kind.key): true", Self.head(kind))
    #expect(run.outcomes == ["s passed"])
    #expect(try Self.count(run) == 0)
  }

  @Test(arguments: kinds) func `if the connection of a stream is reset, the error contains the number of received items`(_ kind: Kind)
    async throws
  {
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send(Self.head(kind, "Transfer-Encoding: chunked\r\n"))
      let body = kind.start + kind.item
      connection.send("\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n")
      connection.reset()
    }
    let run = try await TestRun.carryOut("garland: 1\nsteps: { s: { get: '\(server.url)/', \(kind.key): true } }\n")
    #expect(run.outcomes == ["s error"])
    #expect(try Self.count(run) == 1)
  }
}
