import CZstd

/// A decoder for Zstandard (RFC 8878).
final class ZstdDecoder: ContentDecoder {
  /// The base-2 logarithm of the maximum window size, 8 MiB. RFC 9659 forbids larger windows on the web: otherwise, the server could decide
  /// how much memory the client uses.
  private static let windowLog: Int32 = 23

  private let stream: OpaquePointer
  private let output: UnsafeMutableRawBufferPointer
  private(set) var isComplete = false

  init() throws(ContentCodingError) {
    guard let stream = ZSTD_createDStream() else { throw .invalid("Zstandard can't be started") }
    self.stream = stream
    output = .allocate(byteCount: ZSTD_DStreamOutSize(), alignment: 16)
    ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, Self.windowLog)
  }

  deinit {
    ZSTD_freeDStream(stream)
    output.deallocate()
  }

  func decode(
    _ piece: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws(ContentCodingError) -> Void
  ) throws(ContentCodingError) {
    var input = ZSTD_inBuffer(src: piece.baseAddress, size: piece.count, pos: 0)
    while true {
      var out = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
      let left = ZSTD_decompressStream(stream, &out, &input)
      if ZSTD_isError(left) != 0 { throw .invalid(String(cString: ZSTD_getErrorName(left))) }
      if out.pos > 0 { try take(UnsafeRawBufferPointer(rebasing: output[..<out.pos])) }
      // 0 means the end of a frame. Another frame may follow.
      isComplete = left == 0
      if input.pos == input.size, out.pos < out.size { return }
    }
  }
}
