import CZlib
import GarlandText
import Glibc

/// Compresses bytes with gzip and encodes them as base64, so that the data of a page can't end its `<script>` element.
final class PackedWriter {
  private let output: ([UInt8]) -> Void
  private let stream: UnsafeMutablePointer<z_stream>
  private var room: [UInt8]
  /// The compressed bytes that are not encoded yet. Up to two bytes are kept until a third byte follows, since Base64 encodes
  /// three bytes together.
  private var pending: [UInt8] = []
  private(set) var isFailed = false
  /// The window size for zlib, 15, plus the value 16, which selects the gzip format.
  private static let window: Int32 = 15 + 16
  private static let memoryLevel: Int32 = 8
  private static let roomSize = 64 << 10

  /// Creates a writer that passes text to a function.
  ///
  /// - Parameters:
  ///   - level: the compression level of zlib, 1 to 9.
  ///   - output: receives the text.
  init(level: Int, _ output: @escaping ([UInt8]) -> Void) {
    self.output = output
    room = Array(repeating: 0, count: Self.roomSize)
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let status = deflateInit2_(
      stream, Int32(level), Z_DEFLATED, Self.window, Self.memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    isFailed = status != Z_OK
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  func write(_ bytes: some Collection<UInt8>) {
    var bytes = Array(bytes)
    bytes.withUnsafeMutableBufferPointer { deflate($0, Z_NO_FLUSH) }
  }

  func write(_ text: StaticString) { text.withUTF8Buffer { write($0) } }

  /// Ends the current gzip stream and writes its remaining bytes. Bytes that are written later form a new gzip stream.
  func end() {
    deflate(UnsafeMutableBufferPointer(start: nil, count: 0), Z_FINISH)
    encode(all: true)
    if deflateReset(stream) != Z_OK { isFailed = true }
  }

  private func deflate(_ input: UnsafeMutableBufferPointer<UInt8>, _ flush: Int32) {
    guard !isFailed else { return }
    stream.pointee.next_in = input.baseAddress
    // zlib uses 32-bit counts, and a piece has at most 4 GiB.
    stream.pointee.avail_in = UInt32(clamping: input.count)
    repeat {
      let (status, made) = room.withUnsafeMutableBufferPointer { room -> (Int32, Int) in
        stream.pointee.next_out = room.baseAddress
        stream.pointee.avail_out = UInt32(room.count)
        let status = CZlib.deflate(stream, flush)
        return (status, room.count - Int(stream.pointee.avail_out))
      }
      pending += room[..<made]
      encode(all: false)
      if status == Z_STREAM_END || status == Z_BUF_ERROR { break }
      guard status == Z_OK else {
        isFailed = true
        break
      }
    } while stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0 || flush == Z_FINISH
  }

  private func encode(all: Bool) {
    let count = all ? pending.count : pending.count / 3 * 3
    guard count > 0 else { return }
    output(Array(Base64.encode(pending[..<count]).utf8))
    pending.removeFirst(count)
  }
}
