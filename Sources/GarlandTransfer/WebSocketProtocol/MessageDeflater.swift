import CZlib
import GarlandJSON

/// Compresses messages for permessage-deflate (RFC 7692, section 7.2.1).
final class MessageDeflater {
  /// The last bytes of a flushed block, which are removed from each message (RFC 7692, section 7.2.1).
  static let tail: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]
  private static let pieceSize = 16 << 10
  private static let memoryLevel: Int32 = 8
  /// The base-2 logarithm of the size of the smallest window that zlib supports for raw deflate.
  private static let minimumWindowBits = 9

  private let stream: UnsafeMutablePointer<z_stream>
  private let keepsContext: Bool

  /// Creates a compressor with a window of 2 to the power of `windowBits` bytes. Returns nil if zlib does not support this size; messages
  /// are then sent uncompressed, which is always allowed.
  init?(windowBits: Int, keepsContext: Bool) {
    guard windowBits >= Self.minimumWindowBits else { return nil }
    self.keepsContext = keepsContext
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let status = deflateInit2_(
      stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -Int32(windowBits), Self.memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else {
      stream.deallocate()
      return nil
    }
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Compresses a message. Returns nil if the compressed form does not fit into memory. The current `Computation` of this thread then ends,
  /// too.
  ///
  /// After such a failure no message can be compressed any more, because the compression context contains a part of the failed message.
  func compress(_ message: UnsafeRawBufferPointer) -> [UInt8]? {
    var output: [UInt8] = []
    var position = 0
    repeat {
      // zlib counts in 32 bits.
      let count = min(message.count - position, Int(Int32.max))
      stream.pointee.next_in = message.baseAddress.map {
        UnsafeMutablePointer(mutating: ($0 + position).assumingMemoryBound(to: UInt8.self))
      }
      stream.pointee.avail_in = UInt32(count)
      position += count
      guard run(position == message.count ? Z_SYNC_FLUSH : Z_NO_FLUSH, &output) else { return nil }
    } while position < message.count
    if output.suffix(Self.tail.count) == Self.tail[...] { output.removeLast(Self.tail.count) }
    // RFC 7692, section 7.2.3.6: an empty message is an empty block.
    if output.isEmpty { output = [0x00] }
    if !keepsContext { deflateReset(stream) }
    return output
  }

  private func run(_ flush: Int32, _ output: inout [UInt8]) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.pieceSize) { buffer in
      repeat {
        stream.pointee.next_out = buffer.baseAddress
        stream.pointee.avail_out = UInt32(buffer.count)
        deflate(stream, flush)
        let made = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<(buffer.count - Int(stream.pointee.avail_out))])
        guard output.appendIfRoom(made) else { return false }
      } while stream.pointee.avail_out == 0
      return true
    }
  }
}
