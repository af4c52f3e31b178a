import TestSupport
import Testing

@testable import GarlandTransfer

@Suite struct WebSocketEndpointTests {
  /// An endpoint in a class, so that the macro `#expect` can call its mutating methods.
  private final class Peer {
    private var endpoint: WebSocketEndpoint

    init(deflate: WebSocketDeflate? = nil, mask: UInt32 = 0) throws {
      endpoint = try WebSocketEndpoint(limit: 1_000, deflate: deflate) { mask }
    }

    func receive(_ bytes: [UInt8]) -> [WebSocketEndpoint.Event] {
      var events: [WebSocketEndpoint.Event] = []
      bytes.withUnsafeBytes { endpoint.receive($0) { events.append($0) } }
      return events
    }

    @discardableResult func send(_ message: WebSocketMessage) -> Bool { endpoint.send(message) }
    func ping() -> Bool { endpoint.ping([]) }
    func close(_ close: WebSocketClose) { endpoint.close(close) }
    func output() -> [UInt8] { endpoint.takeOutput() }
    var hasEnded: Bool { endpoint.hasEnded }
    var isInMessage: Bool { endpoint.isInMessage }
  }

  @Test func `a WebSocket client sends a message as one masked frame`() throws {
    let peer = try Peer(mask: 0x37FA_213D)
    #expect(peer.send(.text("Hello")))
    // The examples of RFC 6455, section 5.7.
    #expect(peer.output() == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
    #expect(peer.output().isEmpty)
  }

  @Test(
    arguments: [(125, [0x82, 0xFD]), (126, [0x82, 0xFE, 0, 126]), (65_536, [0x82, 0xFF, 0, 0, 0, 0, 0, 1, 0, 0])] as [(Int, [UInt8])])
  func `the length of a WebSocket frame is encoded in as few bytes as possible`(_ size: Int, _ head: [UInt8]) throws {
    let peer = try Peer()
    peer.send(.binary(Array(repeating: 0, count: size)))
    let output = peer.output()
    #expect(Array(output.prefix(head.count)) == head && output.count == head.count + 4 + size)
  }

  @Test func `a compressed WebSocket message is shorter and has the compression bit set`() throws {
    let peer = try Peer(deflate: WebSocketDeflate())
    peer.send(.text("Hello"))
    #expect(peer.output() == [0xC1, 0x87, 0, 0, 0, 0, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00])
  }

  @Test func `if the WebSocket server requires a compression window too small for zlib, messages are sent uncompressed`() throws {
    var deflate = WebSocketDeflate()
    deflate.clientWindowBits = 8
    let peer = try Peer(deflate: deflate)
    peer.send(.text("Hello"))
    #expect(peer.output().prefix(2) == [0x81, 0x85])
  }

  @Test func `a WebSocket ping is answered by a pong with its payload, also between the fragments of a message`() throws {
    let peer = try Peer()
    #expect(peer.receive([0x01, 0x01, 0x61, 0x89, 0x01, 0x07, 0x80, 0x01, 0x62]) == [.message(.text("ab"))])
    #expect(peer.output() == [0x8A, 0x81, 0, 0, 0, 0, 0x07])
  }

  @Test func `a WebSocket close frame is answered with the same code, and no frame is sent afterwards`() throws {
    let peer = try Peer()
    #expect(peer.receive([0x88, 0x03, 0x0B, 0xB8, 0x78, 0x81, 0x00]) == [.closed(WebSocketClose(.init(rawValue: 3000), reason: "x"))])
    #expect(peer.output() == [0x88, 0x82, 0, 0, 0, 0, 0x0B, 0xB8])
    #expect(peer.hasEnded && !peer.send(.text("x")) && !peer.ping())
    peer.close(WebSocketClose(.normal))
    #expect(peer.output().isEmpty)
  }

  @Test func `after a WebSocket close frame is sent, messages are still received until the peer answers`() throws {
    let peer = try Peer()
    peer.close(WebSocketClose(.normal, reason: "bye"))
    #expect(peer.output() == [0x88, 0x85, 0, 0, 0, 0, 0x03, 0xE8] + Array("bye".utf8))
    // After the close frame, a ping is not answered.
    let events = peer.receive([0x89, 0x00, 0x81, 0x01, 0x61, 0x88, 0x02, 0x03, 0xE8])
    #expect(events == [.message(.text("a")), .closed(WebSocketClose(.normal))])
    #expect(peer.output().isEmpty)
  }

  @Test func `a violation of the WebSocket protocol is answered with a close frame after earlier messages are delivered`() throws {
    let peer = try Peer()
    let events = peer.receive([0x81, 0x01, 0x61, 0x89, 0x00, 0x83, 0x00, 0x81, 0x00])
    #expect(events == [.message(.text("a")), .failed(WebSocketViolation(.protocolError, "a frame with the reserved opcode 3"))])
    #expect(peer.output() == [0x8A, 0x80, 0, 0, 0, 0, 0x88, 0x82, 0, 0, 0, 0, 0x03, 0xEA])
    #expect(peer.receive([0x81, 0x00]).isEmpty)
  }

  @Test func `a WebSocket close reason is cut to at most 123 bytes, but not in the middle of a character`() throws {
    let peer = try Peer()
    peer.close(WebSocketClose(.normal, reason: String(repeating: "\u{E9}", count: 100)))
    #expect(peer.output().count == 2 + 4 + 2 + 122)
  }

  @Test func `a WebSocket endpoint knows whether it has received only a part of a message`() throws {
    for (bytes, isInMessage) in [([0x81], true), ([0x81, 0x02, 0x61], true), ([0x01, 0x01, 0x61], true), ([0x81, 0x01, 0x61], false)]
      as [([UInt8], Bool)]
    {
      let peer = try Peer()
      _ = peer.receive(bytes)
      #expect(peer.isInMessage == isInMessage)
    }
  }
}
