import CZlib

/// A decoder for gzip (RFC 1952) and deflate (RFC 1950, or RFC 1951 alone, as some servers send it).
final class InflateDecoder: ContentDecoder {
  enum Format {
    case gzip
    case zlib
  }

  /// zlib's window parameter: the base-2 logarithm of the window size. Adding 16 selects gzip, and a minus sign selects deflate without the
  /// zlib wrapper.
  private static let window: Int32 = 15
  private static let gzipWindow: Int32 = 15 + 16
  private static let outputSize = 64 << 10

  private let stream: UnsafeMutablePointer<z_stream>
  private let output: UnsafeMutableRawBufferPointer
  private let format: Format
  private(set) var isComplete = false
  /// Whether the data may lack the zlib wrapper. True until the first two bytes show whether there is a
  /// wrapper.
  private var mayBeRaw: Bool
  /// The first byte of the body, if the second byte has not arrived yet. The decoder needs two bytes to recognise a zlib wrapper.
  private var first: UInt8?

  init(_ format: Format) throws(ContentCodingError) {
    self.format = format
    mayBeRaw = format == .zlib
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    output = .allocate(byteCount: Self.outputSize, alignment: 16)
    try start(format == .gzip ? Self.gzipWindow : Self.window)
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    output.deallocate()
  }

  private func start(_ window: Int32) throws(ContentCodingError) {
    guard inflateInit2_(stream, window, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw .invalid("zlib can't be started")
    }
  }

  func decode(
    _ piece: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws(ContentCodingError) -> Void
  ) throws(ContentCodingError) {
    if mayBeRaw, stream.pointee.total_in == 0 {
      if let byte = first {
        first = nil
        let whole = UnsafeMutableRawBufferPointer.allocate(byteCount: piece.count + 1, alignment: 1)
        defer { whole.deallocate() }
        whole[0] = byte
        UnsafeMutableRawBufferPointer(rebasing: whole[1...]).copyMemory(from: piece)
        try inflateAll(UnsafeRawBufferPointer(whole), take)
        return
      }
      if piece.count == 1 {
        first = piece[0]
        return
      }
    }
    try inflateAll(piece, take)
  }

  private func inflateAll(
    _ piece: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws(ContentCodingError) -> Void
  ) throws(ContentCodingError) {
    guard let start = piece.bindMemory(to: UInt8.self).baseAddress else { return }
    stream.pointee.next_in = UnsafeMutablePointer(mutating: start)
    stream.pointee.avail_in = UInt32(piece.count)
    while stream.pointee.avail_in > 0 {
      if isComplete {
        // Another member may follow (RFC 1952, section 2.2); other bytes are padding.
        guard format == .gzip, stream.pointee.next_in.pointee == 0x1F else { return }
        inflateReset(stream)
        isComplete = false
      }
      try step(piece, take)
    }
    // Output that does not fit into the buffer needs further calls without input.
    while !isComplete, stream.pointee.avail_out == 0 { try step(piece, take) }
  }

  private func step(
    _ piece: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws(ContentCodingError) -> Void
  ) throws(ContentCodingError) {
    stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
    stream.pointee.avail_out = UInt32(output.count)
    let code = inflate(stream, Z_NO_FLUSH)
    if code == Z_DATA_ERROR, mayBeRaw, stream.pointee.total_out == 0 {
      // There is no output yet, so that all input is still in this first piece.
      mayBeRaw = false
      inflateEnd(stream)
      try start(-Self.window)
      stream.pointee.next_in = UnsafeMutablePointer(mutating: piece.bindMemory(to: UInt8.self).baseAddress)
      stream.pointee.avail_in = UInt32(piece.count)
      stream.pointee.avail_out = UInt32(output.count)
      return
    }
    let count = output.count - Int(stream.pointee.avail_out)
    if count > 0 {
      mayBeRaw = false
      try take(UnsafeRawBufferPointer(rebasing: output[..<count]))
    }
    switch code {
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END: isComplete = true
    default: throw .invalid(stream.pointee.msg.map { String(cString: $0) } ?? "zlib says \(code)")
    }
  }
}
