/// Hexadecimal text (RFC 4648 section 8).
@usableFromInline package enum Hex {
  /// Returns two digits for each byte.
  package static func encode(_ bytes: some Collection<UInt8>, uppercase: Bool = false) -> String {
    withContiguousBytes(bytes) { bytes in
      String(unsafeUninitializedCapacity: bytes.count * 2) { output in
        var next = 0
        for byte in bytes {
          output[next] = digit(byte >> 4, uppercase: uppercase)
          output[next + 1] = digit(byte & 15, uppercase: uppercase)
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

  /// Returns a number in hexadecimal digits, with leading zeros up to `width` digits. The default is the width of the largest number of the
  /// type.
  @inlinable package static func padded<Number: FixedWidthInteger & UnsignedInteger>(
    _ number: Number, to width: Int = Number.bitWidth / 4, uppercase: Bool = false
  ) -> String {
    let digits = String(number, radix: 16, uppercase: uppercase)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  /// Returns the digit of a value from 0 to 15.
  @inlinable package static func digit(_ value: UInt8, uppercase: Bool = false) -> UInt8 {
    value < 10 ? 0x30 + value : (uppercase ? 0x37 : 0x57) + value
  }

  /// Returns the value of a digit, in either case; nil for any other byte.
  @inlinable package static func value(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }
}
