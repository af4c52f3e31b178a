import GarlandJSON

/// Assembles messages from the bytes that a peer sends (RFC 6455, sections 5 and 8; RFC 7692, section 6.2). The bytes may arrive in pieces
/// of any size.
///
/// A payload is checked and decompressed while it arrives, so that an invalid or oversized message is refused as early as possible.
struct WebSocketReceiver {
  /// A message or a control frame that has arrived completely.
  enum Item: Hashable {
    case message(WebSocketMessage)
    case ping([UInt8])
    case pong([UInt8])
    case close(WebSocketClose)
  }

  /// A message that has not arrived completely.
  private struct Begun {
    let isText: Bool
    let isCompressed: Bool
    var bytes: [UInt8] = []
    var validator = UTF8Validator()
  }

  /// The maximum size in bytes of a message.
  private let limit: Int
  /// Whether the peer must mask its frames, as clients must.
  private let expectsMask: Bool
  private let inflater: MessageInflater?
  private var heads = WebSocketFrameHeadReader()
  private var frame: WebSocketFrameHead?
  /// The number of received bytes of the current frame's payload.
  private var received = 0
  private var message: Begun?
  private var control: [UInt8] = []
  /// Whether the peer has sent a close frame. Later bytes are ignored.
  private var isClosed = false

  /// Creates a receiver.
  ///
  /// - Parameters:
  ///   - limit: The maximum size in bytes of a message, after decompression.
  ///   - expectsMask: Whether the peer is a client.
  ///   - inflater: The decompressor of messages; nil without permessage-deflate.
  init(limit: Int, expectsMask: Bool = false, inflater: MessageInflater? = nil) {
    self.limit = limit
    self.expectsMask = expectsMask
    self.inflater = inflater
  }

  /// Whether a frame or a message has begun and has not arrived completely.
  var isInMessage: Bool { heads.isInHead || frame != nil || message != nil }

  /// Processes a piece of the received bytes. Passes each message or control frame that ends in this piece to `take`. If bytes in the piece
  /// violate the protocol, the messages and frames before these bytes are still passed.
  mutating func receive(_ piece: UnsafeRawBufferPointer, _ take: (Item) -> Void) throws(WebSocketViolation) {
    var position = 0
    while position < piece.count, !isClosed {
      if frame == nil {
        guard let head = try heads.read(piece, at: &position) else { return }
        try begin(head)
      }
      guard let head = frame else { return }
      let count = min(piece.count - position, head.length - received)
      if count > 0 {
        try payload(UnsafeRawBufferPointer(rebasing: piece[position..<position + count]), of: head)
        position += count
        received += count
      }
      if received == head.length {
        frame = nil
        if let item = try end(head) { take(item) }
      }
    }
  }

  private mutating func begin(_ head: WebSocketFrameHead) throws(WebSocketViolation) {
    guard (head.mask != nil) == expectsMask else {
      throw WebSocketViolation(.protocolError, expectsMask ? "a frame that is not masked" : "a masked frame")
    }
    let mayBeCompressed = inflater != nil && (head.opcode == .text || head.opcode == .binary)
    if head.isCompressed, !mayBeCompressed { throw WebSocketViolation(.protocolError, "a frame with a reserved bit") }
    switch head.opcode {
    case .text, .binary:
      if message != nil { throw WebSocketViolation(.protocolError, "a new message within the fragments of another") }
      message = Begun(isText: head.opcode == .text, isCompressed: head.isCompressed)
    case .continuation:
      if message == nil { throw WebSocketViolation(.protocolError, "a continuation of no message") }
    case .close, .ping, .pong: control.removeAll(keepingCapacity: true)
    }
    if let message, !head.opcode.isControl, !message.isCompressed, head.length > limit - message.bytes.count { throw tooBig }
    frame = head
    received = 0
  }

  private var tooBig: WebSocketViolation { WebSocketViolation(.messageTooBig, "a message of more than \(limit) bytes") }

  private mutating func payload(_ piece: UnsafeRawBufferPointer, of head: WebSocketFrameHead) throws(WebSocketViolation) {
    guard let mask = head.mask else { return try plain(piece, head) }
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: piece.count, alignment: 16)
    defer { copy.deallocate() }
    copy.copyMemory(from: piece)
    WebSocketMask.apply(mask, at: received, to: copy)
    try plain(UnsafeRawBufferPointer(copy), head)
  }

  private mutating func plain(_ piece: UnsafeRawBufferPointer, _ head: WebSocketFrameHead) throws(WebSocketViolation) {
    if head.opcode.isControl {
      control.append(contentsOf: piece)
    } else if message?.isCompressed == true, let inflater {
      try inflater.inflate(piece) { part throws(WebSocketViolation) in try content(part) }
    } else {
      try content(piece)
    }
  }

  private mutating func content(_ piece: UnsafeRawBufferPointer) throws(WebSocketViolation) {
    guard let kept = message?.bytes.count, kept + piece.count <= limit else { throw tooBig }
    if message?.isText == true, message?.validator.take(piece) == false { throw Self.notText }
    guard message?.bytes.appendIfRoom(piece) == true else { throw Self.noRoom }
  }

  /// The error for a message that does not fit into the memory. Before this error is thrown, `Computation.hasRoom(for:)` also ends the
  /// current `Computation` of this thread.
  private static let noRoom = WebSocketViolation(.messageTooBig, "a message that does not fit into the memory")

  private static let notText = WebSocketViolation(.invalidPayload, "a text that is not UTF-8")

  private mutating func end(_ head: WebSocketFrameHead) throws(WebSocketViolation) -> Item? {
    switch head.opcode {
    case .ping: return .ping(control)
    case .pong: return .pong(control)
    case .close:
      isClosed = true
      return .close(try close())
    case .continuation, .text, .binary:
      guard head.isFinal else { return nil }
      if message?.isCompressed == true, let inflater {
        try inflater.finish { part throws(WebSocketViolation) in try content(part) }
      }
      guard let whole = message.take() else { return nil }
      guard whole.isText else { return .message(.binary(whole.bytes)) }
      guard whole.validator.isAtBoundary else { throw Self.notText }
      guard Computation.hasRoom(for: whole.bytes.count) else { throw Self.noRoom }
      return .message(.text(String(decoding: whole.bytes, as: UTF8.self)))
    }
  }

  private func close() throws(WebSocketViolation) -> WebSocketClose {
    guard !control.isEmpty else { return WebSocketClose(.noCode) }
    guard control.count >= 2 else { throw WebSocketViolation(.protocolError, "a close frame of one byte") }
    let code = WebSocketCloseCode(rawValue: UInt16(control[0]) << 8 | UInt16(control[1]))
    guard code.isSendable else { throw WebSocketViolation(.protocolError, "a close frame with the code \(code)") }
    var validator = UTF8Validator()
    guard control[2...].withUnsafeBytes({ validator.take($0) }), validator.isAtBoundary else { throw Self.notText }
    return WebSocketClose(code, reason: String(decoding: control[2...], as: UTF8.self))
  }
}
