import CBrotli

/// A decoder for Brotli (RFC 7932).
final class BrotliDecoder: ContentDecoder {
  private let state: OpaquePointer
  private(set) var isComplete = false

  init() throws(ContentCodingError) {
    guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else { throw .invalid("Brotli can't be started") }
    self.state = state
  }

  deinit { BrotliDecoderDestroyInstance(state) }

  func decode(
    _ piece: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws(ContentCodingError) -> Void
  ) throws(ContentCodingError) {
    var next = piece.bindMemory(to: UInt8.self).baseAddress
    var available = piece.count
    while !isComplete {
      var none = 0
      let code = BrotliDecoderDecompressStream(state, &available, &next, &none, nil, nil)
      if code == BROTLI_DECODER_RESULT_ERROR {
        throw .invalid(String(cString: BrotliDecoderErrorString(BrotliDecoderGetErrorCode(state))))
      }
      while BrotliDecoderHasMoreOutput(state) != 0 {
        var count = 0
        guard let bytes = BrotliDecoderTakeOutput(state, &count), count > 0 else { break }
        try take(UnsafeRawBufferPointer(start: bytes, count: count))
      }
      if code == BROTLI_DECODER_RESULT_SUCCESS {
        isComplete = true
      } else if code == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT {
        return
      }
    }
  }
}
