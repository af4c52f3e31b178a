/// Hexadecimal text (RFC 4648 section 8).
package enum Hex {
  /// Returns two lowercase digits for each byte.
  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    withContiguousBytes(bytes) { bytes in
      String(unsafeUninitializedCapacity: bytes.count * 2) { output in
        var next = 0
        for byte in bytes {
          output[next] = digit(byte >> 4)
          output[next + 1] = digit(byte & 15)
          next += 2
        }
        return next
      }
    }
  }

  /// Decodes `text`, which may contain only hexadecimal digits, in either case.
  package static func decode(_ text: some StringProtocol) throws(BinaryTextError) -> [UInt8] {
    try decode(text.utf8)
  }

  /// Decodes ASCII `text`, which may contain only hexadecimal digits, in either case.
  package static func decode(_ text: some Collection<UInt8>) throws(BinaryTextError) -> [UInt8] {
    let count = text.count
    var output: [UInt8] = []
    output.reserveCapacity(count / 2)
    var high: UInt8?
    for (offset, byte) in text.enumerated() {
      guard let value = value(byte) else { throw .invalidCharacter(byte, offset: offset) }
      if let first = high {
        output.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    guard high == nil else { throw .invalidLength(count) }
    return output
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

  private static func value(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }
}
