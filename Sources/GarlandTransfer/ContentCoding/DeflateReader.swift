import CZlib

/// Reads a body and compresses it piece by piece. Equal bodies yield equal compressed bytes.
final class DeflateReader: BodyReader {
  private static let inputSize = 64 << 10
  private static let window: Int32 = 15
  /// zlib's window parameter for gzip: the base-2 logarithm of the window size, 15, plus 16 to
  /// select gzip.
  private static let gzipWindow: Int32 = 15 + 16
  private static let memoryLevel: Int32 = 8

  private let source: any BodyReader
  private let stream: UnsafeMutablePointer<z_stream>
  private let input: UnsafeMutableRawBufferPointer
  private var isSourceAtEnd = false
  private var isAtEnd = false

  init(_ source: any BodyReader, _ compression: RequestCompression) throws(NetworkingError) {
    self.source = source
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    input = .allocate(byteCount: Self.inputSize, alignment: 16)
    let level = Int32(min(max(compression.level, 1), 9))
    let window = compression.coding == .gzip ? Self.gzipWindow : Self.window
    let status = deflateInit2_(
      stream, level, Z_DEFLATED, window, Self.memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw NetworkingError(.unsupported("zlib can't be started (\(status))")) }
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
    input.deallocate()
  }

  /// Nil, since the length is unknown until the body is compressed.
  var length: Int64? { nil }
  var isRepeatable: Bool { source.isRepeatable }
  var isWaiting: Bool { source.isWaiting }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyReadOutcome {
    if isAtEnd { return .end }
    // zlib counts in 32 bits.
    let room = UInt32(clamping: buffer.count)
    stream.pointee.next_out = buffer.bindMemory(to: UInt8.self).baseAddress
    stream.pointee.avail_out = room
    while stream.pointee.avail_out > 0, !isAtEnd {
      if stream.pointee.avail_in == 0, !isSourceAtEnd {
        switch source.read(into: input) {
        case .bytes(let count):
          stream.pointee.next_in = input.bindMemory(to: UInt8.self).baseAddress
          stream.pointee.avail_in = UInt32(count)
        case .end: isSourceAtEnd = true
        case .wait:
          let count = Int(room - stream.pointee.avail_out)
          return count > 0 ? .bytes(count) : .wait
        case .failed(let reason): return .failed(reason)
        }
      }
      let status = deflate(stream, isSourceAtEnd ? Z_FINISH : Z_NO_FLUSH)
      switch status {
      case Z_STREAM_END: isAtEnd = true
      case Z_OK, Z_BUF_ERROR: break
      default: return .failed(.bodyStream(detail: "zlib says \(status)"))
      }
    }
    let count = Int(room - stream.pointee.avail_out)
    return count > 0 ? .bytes(count) : .end
  }

  func rewind() -> Bool {
    guard source.rewind(), deflateReset(stream) == Z_OK else { return false }
    stream.pointee.avail_in = 0
    isSourceAtEnd = false
    isAtEnd = false
    return true
  }

  func close() { source.close() }

  /// Compresses a body that is in memory, and returns the compressed bytes.
  static func compressed(_ bytes: [UInt8], _ compression: RequestCompression) throws(NetworkingError) -> [UInt8] {
    let reader = try DeflateReader(BytesReader(bytes), compression)
    var output: [UInt8] = []
    var failure: NetworkingError.Reason?
    withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 16) { buffer in
      while true {
        switch reader.read(into: buffer) {
        case .bytes(let count): output.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        case .failed(let reason):
          failure = reason
          return
        case .end, .wait: return
        }
      }
    }
    if let failure { throw NetworkingError(failure) }
    return output
  }
}
