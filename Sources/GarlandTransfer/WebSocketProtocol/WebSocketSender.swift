import GarlandJSON

/// Encodes messages as frames (RFC 6455, section 5; RFC 7692, section 6.1).
struct WebSocketSender {
  private let makeMask: (() -> UInt32)?
  private let deflater: MessageDeflater?

  /// Creates a sender.
  ///
  /// - Parameters:
  ///   - deflater: The compressor of messages; nil without permessage-deflate.
  ///   - makeMask: Returns an unpredictable masking key for a frame; nil for a server, which does not mask its
  ///     frames.
  init(deflater: MessageDeflater? = nil, makeMask: (() -> UInt32)?) {
    self.deflater = deflater
    self.makeMask = makeMask
  }

  /// Appends a message as a frame, and returns true. If the frame does not fit into the memory, stores the error message in the thread's
  /// current `Computation`, ends this computation and returns false.
  @discardableResult func append(_ message: WebSocketMessage, to output: inout [UInt8]) -> Bool {
    switch message {
    case .text(var text): text.withUTF8 { append(.text, compressing: UnsafeRawBufferPointer($0), to: &output) }
    case .binary(let bytes): bytes.withUnsafeBytes { append(.binary, compressing: $0, to: &output) }
    }
  }

  /// Appends a ping or a pong.
  func append(_ opcode: WebSocketFrameHead.Opcode, _ payload: [UInt8], to output: inout [UInt8]) {
    _ = payload.withUnsafeBytes { append(opcode, $0, isCompressed: false, to: &output) }
  }

  /// Appends a close frame. The frame is empty if its code must not be sent.
  func append(_ close: WebSocketClose, to output: inout [UInt8]) {
    var payload: [UInt8] = []
    if close.code.isSendable {
      payload = [UInt8(close.code.rawValue >> 8), UInt8(close.code.rawValue & 0xFF)] + Self.shortened(close.reason).utf8
    }
    append(.close, payload, to: &output)
  }

  /// Returns the reason, truncated to the size limit of a close frame without splitting a character.
  private static func shortened(_ reason: String) -> Substring {
    var reason = reason[...]
    while reason.utf8.count > WebSocketClose.maximumReasonSize { reason.unicodeScalars.removeLast() }
    return reason
  }

  private func append(
    _ opcode: WebSocketFrameHead.Opcode, compressing payload: UnsafeRawBufferPointer, to output: inout [UInt8]
  ) -> Bool {
    guard let deflater else { return append(opcode, payload, isCompressed: false, to: &output) }
    guard let compressed = deflater.compress(payload) else { return false }
    return compressed.withUnsafeBytes { append(opcode, $0, isCompressed: true, to: &output) }
  }

  private func append(
    _ opcode: WebSocketFrameHead.Opcode, _ payload: UnsafeRawBufferPointer, isCompressed: Bool, to output: inout [UInt8]
  ) -> Bool {
    guard output.reserveIfRoom(output.count + WebSocketFrameHead.maximumSize + payload.count) else { return false }
    let mask = makeMask?()
    WebSocketFrameHead(opcode: opcode, isCompressed: isCompressed, length: payload.count, mask: mask).append(to: &output)
    let start = output.count
    output.append(contentsOf: payload)
    guard let mask, !payload.isEmpty else { return true }
    output.withUnsafeMutableBytes { WebSocketMask.apply(mask, to: UnsafeMutableRawBufferPointer(rebasing: $0[start...])) }
    return true
  }
}
