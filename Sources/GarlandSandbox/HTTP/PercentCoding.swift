/// Percent-encoding (RFC 3986, section 2.1).
enum PercentCoding {
  /// Returns the decoded text. A `%` without two hexadecimal digits is kept, and bytes that are not
  /// UTF-8 become U+FFFD.
  static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
    let bytes = Array(text.utf8)
    guard bytes.contains(where: { $0 == 0x25 || (plusIsSpace && $0 == 0x2B) }) else { return String(text) }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x25, index + 2 < bytes.count, let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2]) {
        output.append(high << 4 | low)
        index += 3
      } else {
        output.append(byte == 0x2B && plusIsSpace ? 0x20 : byte)
        index += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns the text with all characters encoded except unreserved ones (RFC 3986, section 2.3).
  static func encode(_ text: String) -> String {
    var output: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: output.append(byte)
      default:
        let digits = Array("0123456789ABCDEF".utf8)
        output += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }
}
