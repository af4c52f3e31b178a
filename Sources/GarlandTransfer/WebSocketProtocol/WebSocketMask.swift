/// The masking of a frame's payload (RFC 6455, section 5.3).
enum WebSocketMask {
  /// Masks or unmasks bytes that begin at `offset` in the payload. Masking the bytes twice restores them.
  static func apply(_ key: UInt32, at offset: Int = 0, to bytes: UnsafeMutableRawBufferPointer) {
    let shift = UInt32(offset & 3) * 8
    let turned = (shift == 0 ? key : key << shift | key >> (32 - shift)).bigEndian
    let wide = UInt64(turned) << 32 | UInt64(turned)
    var index = 0
    while index + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      bytes.storeBytes(of: word ^ wide, toByteOffset: index, as: UInt64.self)
      index += 8
    }
    withUnsafeBytes(of: wide) { key in
      let start = index
      while index < bytes.count {
        bytes[index] ^= key[index - start]
        index += 1
      }
    }
  }
}
