import CZlib

/// Decompresses messages of permessage-deflate piece by piece (RFC 7692, section 7.2.2).
final class MessageInflater {
  private static let pieceSize = 16 << 10
  private static let window = 32 << 10

  private let stream: UnsafeMutablePointer<z_stream>
  private let keepsContext: Bool

  init(windowBits: Int, keepsContext: Bool) throws(WebSocketViolation) {
    self.keepsContext = keepsContext
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard inflateInit2_(stream, -Int32(windowBits), ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      stream.deallocate()
      throw WebSocketViolation(.internalError, "zlib can't be started")
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Decompresses a piece of a message and passes the output to `take`.
  func inflate(
    _ piece: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws(WebSocketViolation) -> Void
  ) throws(WebSocketViolation) {
    var position = 0
    while position < piece.count {
      let count = min(piece.count - position, Int(Int32.max))
      try run(UnsafeRawBufferPointer(rebasing: piece[position..<position + count]), take)
      position += count
    }
  }

  /// Ends a compressed message, and passes the rest of its decompressed bytes to `take`.
  func finish(_ take: (UnsafeRawBufferPointer) throws(WebSocketViolation) -> Void) throws(WebSocketViolation) {
    var violation: WebSocketViolation?
    MessageDeflater.tail.withUnsafeBytes { tail in
      do throws(WebSocketViolation) { try run(tail, take) } catch { violation = error }
    }
    if let violation { throw violation }
    if !keepsContext { inflateReset(stream) }
  }

  private func run(
    _ piece: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws(WebSocketViolation) -> Void
  ) throws(WebSocketViolation) {
    stream.pointee.next_in = piece.baseAddress.map { UnsafeMutablePointer(mutating: $0.assumingMemoryBound(to: UInt8.self)) }
    stream.pointee.avail_in = UInt32(piece.count)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
    defer { buffer.deallocate() }
    repeat {
      stream.pointee.next_out = buffer.bindMemory(to: UInt8.self).baseAddress
      stream.pointee.avail_out = UInt32(buffer.count)
      let status = CZlib.inflate(stream, Z_SYNC_FLUSH)
      let made = buffer.count - Int(stream.pointee.avail_out)
      if made > 0 { try take(UnsafeRawBufferPointer(rebasing: buffer[..<made])) }
      switch status {
      case Z_OK: break
      case Z_BUF_ERROR: return
      case Z_STREAM_END: goOnAfterFinalBlock()
      default:
        throw WebSocketViolation(
          .invalidPayload, "compressed data that is invalid" + (stream.pointee.msg.map { ": " + String(cString: $0) } ?? ""))
      }
    } while stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0
  }

  /// Continues the decompression after a deflate block that is marked as the last block. RFC 7692, section 7.2.3.4, allows further blocks,
  /// which may refer to the data of earlier blocks.
  private func goOnAfterFinalBlock() {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.window) { window in
      var count: UInt32 = 0
      inflateGetDictionary(stream, window.baseAddress, &count)
      inflateReset(stream)
      if count > 0 { inflateSetDictionary(stream, window.baseAddress, count) }
    }
  }
}
