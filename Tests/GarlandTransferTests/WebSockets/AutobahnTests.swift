import Synchronization
import TestSupport
import Testing
import TransferTestSupport

@testable import GarlandTransfer

/// Runs the cases of the Autobahn test suite, sections 1 to 10, 12 and 13, with a server that sends raw frames.
@Suite(.timeLimit(.minutes(10))) struct AutobahnTests {
  typealias Frame = FrameServer.Frame

  private let engine = Engine()

  /// Echoes all messages of a server until the connection ends.
  private func echo(_ server: FrameServer, compresses: Bool = false) async throws {
    var options = WebSocketOptions()
    options.compresses = compresses
    let connection = WebSocketConnection(
      request: TransferRequest(url: "http://127.0.0.1:\(server.port)/"), options: options, engine: engine)
    _ = try await connection.open()
    while let message = try? await connection.receive(timeout: .seconds(60)) {
      // The server may have ended the connection by now.
      try? await connection.send(message)
    }
    connection.cancel()
  }

  @Test(arguments: AutobahnCase.all) func `a WebSocket client that echoes messages passes each case of the Autobahn test suite`(
    _ autobahn: AutobahnCase
  )
    async throws
  {
    let (results, add) = AsyncStream.makeStream(of: [Frame].self)
    let server = try FrameServer { peer in
      var frames: [Frame] = []
      for (bytes, replies) in autobahn.steps {
        for start in stride(from: 0, to: bytes.count, by: autobahn.chop ?? max(bytes.count, 1)) {
          peer.send(Array(bytes[start..<min(bytes.count, start + (autobahn.chop ?? bytes.count))]))
        }
        for _ in replies { if let frame = peer.read() { frames.append(frame) } }
      }
      if case .closes = autobahn.end { peer.send(Frame(8, AutobahnCase.code(1000))) }
      if let last = peer.read() { frames.append(last) }
      peer.close()
      add.yield(frames)
    }
    try await echo(server)
    var iterator = results.makeAsyncIterator()
    #expect(await iterator.next() == autobahn.reaction)
  }

  @Test func `an empty WebSocket close frame is answered by an empty close frame (Autobahn case 7.3.1)`() async throws {
    let (results, add) = AsyncStream.makeStream(of: Frame?.self)
    let server = try FrameServer { peer in
      peer.send(Frame(8, []))
      add.yield(peer.read())
    }
    try await echo(server)
    var iterator = results.makeAsyncIterator()
    #expect(await iterator.next() == .some(Frame(8, [])))
  }

  // MARK: 12 and 13. Compression

  /// The sections with the content of their messages, and the compression parameters of the server's response.
  static let sections: [(id: String, content: AutobahnContent, parameters: String)] = [
    ("12.1", .json, ""), ("12.2", .picture, ""), ("12.3", .noise, ""), ("12.4", .prose, ""), ("12.5", .html, ""), ("13.1", .json, ""),
    ("13.2", .json, "; client_no_context_takeover; server_no_context_takeover"),
    ("13.3", .json, "; client_max_window_bits=8; server_max_window_bits=9"),
    ("13.4", .json, "; client_max_window_bits=15; server_max_window_bits=15"),
    ("13.5", .json, "; client_max_window_bits=9; client_no_context_takeover; server_max_window_bits=9; server_no_context_takeover"),
    ("13.6", .json, "; client_max_window_bits=15; client_no_context_takeover; server_no_context_takeover"),
    ("13.7", .json, "; client_no_context_takeover"),
  ]

  /// The sizes of messages and of their fragments; 0 for a message without fragments.
  static let sizes: [(message: Int, fragment: Int)] = [
    (16, 0), (64, 0), (256, 0), (1_024, 0), (4_096, 0), (8_192, 0), (16_384, 0), (32_768, 0), (65_536, 0), (131_072, 0), (8_192, 256),
    (16_384, 256), (32_768, 256), (65_536, 256), (131_072, 256), (131_072, 1_024), (131_072, 4_096), (131_072, 32_768),
  ]

  @Test(arguments: sections)
  func `a WebSocket client echoes compressed messages of each size that the Autobahn test suite uses`(
    _ id: String, _ content: AutobahnContent, _ parameters: String
  ) async throws {
    let rounds = DeepTests.rounds(100, otherwise: 2)
    let problems = Mutex<[String]>([])
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let server = try FrameServer(fields: ["Sec-WebSocket-Extensions: permessage-deflate\(parameters)"]) { peer in
      // The test uses one connection for all sizes, so that the windows fill up.
      let coders = Coders(parameters)
      for (size, fragment) in Self.sizes {
        if let problem = Self.exchange(peer, coders, content, size: size, fragment: fragment, rounds: rounds) {
          problems.withLock { $0.append("\(id), \(size) in fragments of \(fragment): \(problem)") }
          break
        }
      }
      peer.send(Frame(8, AutobahnCase.code(1000)))
      _ = peer.readAll()
      end.finish()
    }
    try await echo(server, compresses: true)
    for await _ in ends {}
    #expect(problems.withLock { $0 }.isEmpty)
  }

  /// The compressor and decompressor of the server.
  private struct Coders {
    let deflater: MessageDeflater?
    let inflater: MessageInflater?
    /// Whether the client cannot compress, since zlib supports no window that is small enough.
    let isOneWay: Bool

    init(_ parameters: String) {
      deflater = MessageDeflater(
        windowBits: parameters.contains("server_max_window_bits=9") ? 9 : 15,
        keepsContext: !parameters.contains("server_no_context_takeover"))
      inflater = try? MessageInflater(windowBits: 15, keepsContext: !parameters.contains("client_no_context_takeover"))
      isOneWay = parameters.contains("client_max_window_bits=8")
    }
  }

  /// Sends messages and compares the echoed messages with them. Returns a description of the first difference;
  /// nil without one.
  private static func exchange(
    _ peer: FrameServer.Peer, _ coders: Coders, _ content: AutobahnContent, size: Int, fragment: Int, rounds: Int
  ) -> String? {
    guard let deflater = coders.deflater, let inflater = coders.inflater else { return "zlib can't be started" }
    for round in 0..<rounds {
      let message = content.bytes(size, round: round)
      guard let compressed = message.withUnsafeBytes({ deflater.compress($0) }) else { return "the message can't be compressed" }
      let step = fragment == 0 ? max(compressed.count, 1) : fragment
      for start in stride(from: 0, to: compressed.count, by: step) {
        let end = min(compressed.count, start + step)
        peer.send(
          Frame(start == 0 ? content.opcode : 0, Array(compressed[start..<end]), isFinal: end == compressed.count, isCompressed: start == 0)
        )
      }
      guard let frame = peer.read(), frame.opcode == content.opcode, frame.isFinal else { return "no echo" }
      var echoed = frame.payload
      if frame.isCompressed {
        var plain: [UInt8] = []
        do throws(WebSocketViolation) {
          let result = echoed.withUnsafeBytes { bytes in
            Result { () throws(WebSocketViolation) in try inflater.inflate(bytes) { plain.append(contentsOf: $0) } }
          }
          try result.get()
          try inflater.finish { plain.append(contentsOf: $0) }
        } catch {
          return error.detail
        }
        echoed = plain
      } else if !coders.isOneWay {
        return "the echo is not compressed"
      }
      guard echoed == message else { return "another message came back" }
    }
    return nil
  }
}
