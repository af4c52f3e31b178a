/// Base64 of [RFC 4648 §4](https://www.rfc-editor.org/rfc/rfc4648#section-4), for bodies that are no text.
enum Base64Text {
  private static let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    let letters = UnsafeBufferPointer(start: alphabet.utf8Start, count: alphabet.utf8CodeUnitCount)
    var index = 0
    while index < bytes.count {
      let remaining = bytes.count - index
      let group =
        Int(bytes[index]) << 16 | (remaining > 1 ? Int(bytes[index + 1]) << 8 : 0) | (remaining > 2 ? Int(bytes[index + 2]) : 0)
      text.append(letters[group >> 18])
      text.append(letters[group >> 12 & 63])
      text.append(remaining > 1 ? letters[group >> 6 & 63] : UInt8(ascii: "="))
      text.append(remaining > 2 ? letters[group & 63] : UInt8(ascii: "="))
      index += 3
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes that a text stands for; nil if it is none.
  static func decode(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for byte in text.utf8 where byte != UInt8(ascii: "=") {
      let digit: UInt32
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = UInt32(byte) - 65
      case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = UInt32(byte) - 71
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt32(byte) + 4
      case UInt8(ascii: "+"): digit = 62
      case UInt8(ascii: "/"): digit = 63
      default: return nil
      }
      bits = bits << 6 | digit
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }
}
