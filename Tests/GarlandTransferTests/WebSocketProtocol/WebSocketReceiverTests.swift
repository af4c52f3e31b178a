import GarlandText
import TestSupport
import Testing

@testable import GarlandTransfer

@Suite struct WebSocketReceiverTests {
  typealias Item = WebSocketReceiver.Item

  /// Receives bytes in pieces of these sizes, and the rest in one piece.
  static func items(
    _ bytes: [UInt8], pieces: [Int] = [], limit: Int = 1 << 20, masked: Bool = false, deflate: WebSocketDeflate? = nil
  ) -> (items: [Item], violation: WebSocketViolation?) {
    var items: [Item] = []
    do throws(WebSocketViolation) {
      var inflater: MessageInflater?
      if let deflate { inflater = try MessageInflater(windowBits: deflate.serverWindowBits, keepsContext: deflate.serverKeepsContext) }
      var receiver = WebSocketReceiver(limit: limit, expectsMask: masked, inflater: inflater)
      var start = 0
      for size in pieces + [bytes.count] {
        let end = min(bytes.count, start + size)
        let piece = Array(bytes[start..<end])
        start = end
        let result = piece.withUnsafeBytes { piece in
          Result { () throws(WebSocketViolation) in try receiver.receive(piece) { items.append($0) } }
        }
        try result.get()
      }
      return (items, nil)
    } catch {
      return (items, error)
    }
  }

  private static func hex(_ text: String) throws -> [UInt8] { try Hex.decode(text.filter { $0 != " " }) }

  private static func text(_ text: String) -> Item { .message(.text(text)) }

  // The examples of RFC 6455, section 5.7.
  @Test(
    arguments: [
      ("81 05 48 65 6c 6c 6f", false, [text("Hello")]),
      ("81 85 37 fa 21 3d 7f 9f 4d 51 58", true, [text("Hello")]),
      ("01 03 48 65 6c 80 02 6c 6f", false, [text("Hello")]),
      ("89 05 48 65 6c 6c 6f", false, [.ping(Array("Hello".utf8))]),
      ("8a 85 37 fa 21 3d 7f 9f 4d 51 58", true, [.pong(Array("Hello".utf8))]),
      ("82 7e 01 00" + String(repeating: "07", count: 256), false, [.message(.binary(Array(repeating: 7, count: 256)))]),
      (
        "82 7f 00 00 00 00 00 01 00 00" + String(repeating: "07", count: 65_536), false,
        [.message(.binary(Array(repeating: 7, count: 65_536)))]
      ),
      // A control frame between fragments, empty fragments, and a close frame after which all bytes are
      // ignored.
      ("01 01 48 89 00 00 00 80 01 69", false, [.ping([]), text("Hi")]),
      ("88 00 81 00", false, [.close(WebSocketClose(.noCode))]),
      ("88 05 03 e8 62 79 65", false, [.close(WebSocketClose(.normal, reason: "bye"))]),
      ("81 00 82 00", false, [text(""), .message(.binary([]))]),
    ] as [(String, Bool, [Item])])
  func `WebSocket frames are joined to the same messages, however the bytes are split into pieces`(
    _ frames: String, _ masked: Bool, _ items: [Item]
  )
    throws
  {
    let bytes = try Self.hex(frames)
    for pieces in [[], Array(repeating: 1, count: bytes.count), [3, 4]] {
      let found = Self.items(bytes, pieces: pieces, masked: masked)
      #expect(found.items == items && found.violation == nil)
    }
  }

  // The examples of RFC 7692, section 7.2.3.
  @Test(
    arguments: [
      ("c1 07 f2 48 cd c9 c9 07 00", ["Hello"]),
      ("41 03 f2 48 cd 80 04 c9 c9 07 00", ["Hello"]),
      ("c1 07 f2 48 cd c9 c9 07 00 c1 05 f2 00 11 00 00", ["Hello", "Hello"]),
      ("c1 0b 00 05 00 fa ff 48 65 6c 6c 6f 00", ["Hello"]),
      ("c1 08 f3 48 cd c9 c9 07 00 00", ["Hello"]),
      // The last block of the message refers to no earlier data, but the next message refers to the first
      // block.
      ("c1 08 f3 48 cd c9 c9 07 00 00 c1 05 f2 00 11 00 00", ["Hello", "Hello"]),
      ("c1 0d f2 48 05 00 00 00 ff ff ca c9 c9 07 00", ["Hello"]),
      ("c1 01 00 81 01 78", ["", "x"]),
    ] as [(String, [String])])
  func `compressed WebSocket messages are decompressed, however the bytes are split into pieces`(_ frames: String, _ texts: [String]) throws
  {
    let bytes = try Self.hex(frames)
    for pieces in [[], Array(repeating: 1, count: bytes.count)] {
      let found = Self.items(bytes, pieces: pieces, deflate: WebSocketDeflate())
      #expect(found.items == texts.map(Self.text) && found.violation == nil)
    }
  }

  @Test func `without context takeover, a compressed WebSocket message that refers to the previous one is refused`() throws {
    var deflate = WebSocketDeflate()
    deflate.serverKeepsContext = false
    let found = Self.items(try Self.hex("c1 07 f2 48 cd c9 c9 07 00 c1 05 f2 00 11 00 00"), deflate: deflate)
    #expect(found.items == [Self.text("Hello")] && found.violation?.code == .invalidPayload)
  }

  @Test(
    arguments: [
      ("91 00", 1002, "a frame with a reserved bit"),
      ("c1 00", 1002, "a frame with a reserved bit"),
      ("83 00", 1002, "a frame with the reserved opcode 3"),
      ("8b 00", 1002, "a frame with the reserved opcode 11"),
      ("81 80 00 00 00 00", 1002, "a masked frame"),
      ("80 00", 1002, "a continuation of no message"),
      ("01 00 81 00", 1002, "a new message within the fragments of another"),
      ("09 00", 1002, "a control frame in fragments"),
      ("89 7e 00 7e", 1002, "a control frame of 126 bytes"),
      ("81 7e 00 7d", 1002, "a frame with an invalid length"),
      ("81 7f 00 00 00 00 00 00 ff ff", 1002, "a frame with an invalid length"),
      ("81 7f 80 00 00 00 00 00 00 00", 1002, "a frame with an invalid length"),
      ("88 01 03", 1002, "a close frame of one byte"),
      ("88 02 03 ed", 1002, "a close frame with the code 1005"),
      ("88 03 03 e8 ff", 1007, "a text that is not UTF-8"),
      ("81 01 ff", 1007, "a text that is not UTF-8"),
      // The first byte of a character is in one fragment, and no further byte of it is in the next.
      ("01 01 c3 80 01 41", 1007, "a text that is not UTF-8"),
      ("81 01 c3", 1007, "a text that is not UTF-8"),
      ("82 7e 04 01", 1009, "a message of more than 1024 bytes"),
    ] as [(String, UInt16, String)])
  func `a violation of the WebSocket protocol ends the connection with the close code of the violation`(
    _ frames: String, _ code: UInt16, _ detail: String
  ) throws {
    let bytes = try Self.hex(frames)
    for pieces in [[], Array(repeating: 1, count: bytes.count)] {
      let found = Self.items(bytes, pieces: pieces, limit: 1_024)
      #expect(found.violation == WebSocketViolation(WebSocketCloseCode(rawValue: code), detail))
      #expect(found.items.isEmpty)
    }
  }

  @Test func `the size limit of a WebSocket message applies to all its fragments together after decompression`() throws {
    let fragments = try Self.hex("02 04 00 00 00 00 80 05")
    #expect(Self.items(fragments, limit: 8).violation?.code == .messageTooBig)
    let bomb = try #require(MessageDeflater(windowBits: 15, keepsContext: true)?.compress(zeros: 1 << 20))
    var frame: [UInt8] = []
    WebSocketFrameHead(opcode: .binary, isCompressed: true, length: bomb.count).append(to: &frame)
    #expect(Self.items(frame + bomb, limit: (1 << 20) - 1, deflate: WebSocketDeflate()).violation?.code == .messageTooBig)
    #expect(Self.items(frame + bomb, limit: 1 << 20, deflate: WebSocketDeflate()).violation == nil)
  }

  @Test func `invalid UTF-8 in a WebSocket text message is refused before its frame is complete`() throws {
    #expect(Self.items(try Self.hex("81 7e ff ff 41 ff")).violation?.code == .invalidPayload)
  }

  @Test func `WebSocket messages are received as they were sent, with or without compression, in pieces of any size`() throws {
    var random = SeededRandom(seed: 24)
    for bits in [0, 9, 12, 15] {
      for keepsContext in [true, false] {
        var deflate = WebSocketDeflate()
        (deflate.serverWindowBits, deflate.serverKeepsContext) = (max(bits, 9), keepsContext)
        let deflater = bits == 0 ? nil : MessageDeflater(windowBits: bits, keepsContext: keepsContext)
        let sender = WebSocketSender(deflater: deflater) { 0x1234_5678 }
        var messages: [WebSocketMessage] = []
        var bytes: [UInt8] = []
        for _ in 0..<30 {
          let words = (0..<Int.random(in: 0...400, using: &random)).map { _ in
            ["ab", "cde", "\u{E9}", "😀"].randomElement(using: &random) ?? ""
          }
          let text = words.joined()
          let message = Bool.random(using: &random) ? WebSocketMessage.text(text) : .binary(Array(text.utf8))
          messages.append(message)
          sender.append(message, to: &bytes)
        }
        let pieces = (0..<2_000).map { _ in Int.random(in: 0...60, using: &random) }
        let found = Self.items(bytes, pieces: pieces, masked: true, deflate: bits == 0 ? nil : deflate)
        #expect(found.items == messages.map(Item.message) && found.violation == nil)
      }
    }
  }
}

extension MessageDeflater {
  fileprivate func compress(zeros count: Int) -> [UInt8]? {
    [UInt8](repeating: 0, count: count).withUnsafeBytes { compress($0) }
  }
}
