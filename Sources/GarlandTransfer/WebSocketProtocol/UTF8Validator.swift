/// Checks UTF-8 piece by piece (RFC 3629, section 4), and detects an invalid text at its first wrong byte.
struct UTF8Validator {
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// The number of bytes that are missing from the current character.
  private var missing = 0
  /// The valid values of the next byte of the current character.
  private var allowed: ClosedRange<UInt8> = 0x80...0xBF

  /// Whether the bytes that were checked so far end with a complete character.
  var isAtBoundary: Bool { missing == 0 }

  /// Checks the next piece of a text. Returns whether all pieces so far are the beginning of valid UTF-8.
  mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index < bytes.count {
      if missing == 0 {
        while index + 8 <= bytes.count, bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & Self.highBits == 0 { index += 8 }
        guard index < bytes.count else { break }
        guard begin(bytes[index]) else { return false }
      } else {
        guard allowed.contains(bytes[index]) else { return false }
        allowed = 0x80...0xBF
        missing -= 1
      }
      index += 1
    }
    return true
  }

  /// Begins a character. Returns whether the byte can be the first byte of a character.
  private mutating func begin(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x7F: break
    case 0xC2...0xDF: missing = 1
    case 0xE0...0xEF:
      missing = 2
      // Overlong forms and surrogates are invalid.
      if byte == 0xE0 { allowed = 0xA0...0xBF } else if byte == 0xED { allowed = 0x80...0x9F }
    case 0xF0...0xF4:
      missing = 3
      // Characters beyond U+10FFFF are invalid.
      if byte == 0xF0 { allowed = 0x90...0xBF } else if byte == 0xF4 { allowed = 0x80...0x8F }
    default: return false
    }
    return true
  }
}
