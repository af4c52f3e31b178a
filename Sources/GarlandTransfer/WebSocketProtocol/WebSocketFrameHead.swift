/// The head of a WebSocket frame (RFC 6455, section 5.2).
struct WebSocketFrameHead: Hashable {
  /// The opcode of a frame.
  enum Opcode: UInt8 {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    var isControl: Bool { rawValue & 0x8 != 0 }
  }

  static let finalBit: UInt8 = 0x80
  static let firstReservedBit: UInt8 = 0x40
  static let maskBit: UInt8 = 0x80
  static let maximumControlSize = 125
  /// The maximum size in bytes of a frame's head.
  static let maximumSize = 14

  var opcode: Opcode
  /// Whether the frame is the last one of its message.
  var isFinal = true
  /// Whether the first reserved bit is set, which marks a compressed message (permessage-deflate).
  var isCompressed = false
  var length: Int
  /// The masking key; nil for an unmasked frame.
  var mask: UInt32?

  /// Appends the head in its shortest form.
  func append(to bytes: inout [UInt8]) {
    bytes.append((isFinal ? Self.finalBit : 0) | (isCompressed ? Self.firstReservedBit : 0) | opcode.rawValue)
    let flag: UInt8 = mask == nil ? 0 : Self.maskBit
    switch length {
    case ...125: bytes.append(flag | UInt8(length))
    case ...0xFFFF:
      bytes.append(flag | 126)
      withUnsafeBytes(of: UInt16(length).bigEndian) { bytes.append(contentsOf: $0) }
    default:
      bytes.append(flag | 127)
      withUnsafeBytes(of: UInt64(length).bigEndian) { bytes.append(contentsOf: $0) }
    }
    if let mask { withUnsafeBytes(of: mask.bigEndian) { bytes.append(contentsOf: $0) } }
  }
}

/// Reads the heads of frames. A head may be split between several pieces of the received bytes.
struct WebSocketFrameHeadReader {
  /// The bytes of a frame's head that is not complete yet.
  private var bytes: [UInt8] = []

  /// Whether only the first bytes of a frame's head have been read.
  var isInHead: Bool { !bytes.isEmpty }

  /// Reads bytes from `position` on, and advances `position`. Returns nil if the head is not complete at the
  /// end of the piece.
  mutating func read(_ piece: UnsafeRawBufferPointer, at position: inout Int) throws(WebSocketViolation) -> WebSocketFrameHead? {
    while position < piece.count {
      bytes.append(piece[position])
      position += 1
      guard bytes.count >= 2, bytes.count == size else { continue }
      defer { bytes.removeAll(keepingCapacity: true) }
      return try head()
    }
    return nil
  }

  /// The size of the head in bytes, computed from the first two bytes of the head.
  private var size: Int {
    let length =
      switch bytes[1] & 0x7F {
      case 126: 2
      case 127: 8
      default: 0
      }
    return 2 + length + (bytes[1] & WebSocketFrameHead.maskBit != 0 ? 4 : 0)
  }

  private func head() throws(WebSocketViolation) -> WebSocketFrameHead {
    guard bytes[0] & 0x30 == 0 else { throw WebSocketViolation(.protocolError, "a frame with a reserved bit") }
    guard let opcode = WebSocketFrameHead.Opcode(rawValue: bytes[0] & 0x0F) else {
      throw WebSocketViolation(.protocolError, "a frame with the reserved opcode \(bytes[0] & 0x0F)")
    }
    let short = Int(bytes[1] & 0x7F)
    let lengthSize = short == 126 ? 2 : short == 127 ? 8 : 0
    var length = UInt64(short)
    if lengthSize > 0 {
      length = bytes[2..<2 + lengthSize].reduce(0) { $0 << 8 | UInt64($1) }
      // RFC 6455, section 5.2: the length must be encoded in as few bytes as possible. Browsers require that
      // too.
      guard length > (lengthSize == 2 ? 125 : 0xFFFF), length <= UInt64(Int64.max) else {
        throw WebSocketViolation(.protocolError, "a frame with an invalid length")
      }
    }
    let isMasked = bytes[1] & WebSocketFrameHead.maskBit != 0
    let head = WebSocketFrameHead(
      opcode: opcode, isFinal: bytes[0] & WebSocketFrameHead.finalBit != 0,
      isCompressed: bytes[0] & WebSocketFrameHead.firstReservedBit != 0,
      length: Int(length), mask: isMasked ? bytes.suffix(4).reduce(0) { $0 << 8 | UInt32($1) } : nil)
    guard opcode.isControl else { return head }
    guard head.isFinal else { throw WebSocketViolation(.protocolError, "a control frame in fragments") }
    guard head.length <= WebSocketFrameHead.maximumControlSize else {
      throw WebSocketViolation(.protocolError, "a control frame of \(length) bytes")
    }
    return head
  }
}
