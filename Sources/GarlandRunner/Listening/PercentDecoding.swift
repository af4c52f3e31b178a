/// Text out of the parts of a URL (RFC 3986, section 2.1).
enum PercentDecoding {
  /// The bytes that a text stands for; what is no valid `%XX` stands for itself.
  static func bytes(_ text: some Sequence<UInt8>, plusIsSpace: Bool = false) -> [UInt8] {
    var result: [UInt8] = []
    // A `%` and the digit behind it, until it is known whether another follows.
    var pending: [UInt8] = []
    for byte in text {
      switch pending.count {
      case 0:
        if byte == UInt8(ascii: "%") {
          pending.append(byte)
        } else {
          result.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        }
      case 1 where digit(byte) != nil: pending.append(byte)
      case 2:
        if let high = digit(pending[1]), let low = digit(byte) {
          result.append(high << 4 | low)
          pending = []
          continue
        }
        fallthrough
      default:
        result += pending
        pending = byte == UInt8(ascii: "%") ? [byte] : []
        if byte != UInt8(ascii: "%") { result.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte) }
      }
    }
    return result + pending
  }

  /// The text that they stand for; what is no UTF-8 is repaired.
  static func text(_ text: some Sequence<UInt8>, plusIsSpace: Bool = false) -> String {
    String(decoding: bytes(text, plusIsSpace: plusIsSpace), as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
