/// Percent-encoding of values in URLs (RFC 3986 §2).
enum PercentEncoding {
  /// Everything but unreserved characters as `%XX` of its UTF-8 bytes.
  static func encode(_ text: String) -> String {
    var plain = text
    guard !plain.withUTF8({ $0.allSatisfy(isUnreserved) }) else { return text }
    return String(unsafeUninitializedCapacity: text.utf8.count * 3) { output in
      var next = 0
      for byte in text.utf8 {
        if isUnreserved(byte) {
          output[next] = byte
          next += 1
        } else {
          output[next] = UInt8(ascii: "%")
          output[next + 1] = digit(byte >> 4)
          output[next + 2] = digit(byte & 15)
          next += 3
        }
      }
      return next
    }
  }

  /// The bytes that a text stands for; a `%` without two digits behind it stays.
  static func decode(_ text: some StringProtocol) -> [UInt8] {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let byte = UInt8(String(decoding: bytes[index + 1...index + 2], as: UTF8.self), radix: 16)
      {
        result.append(byte)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") - 10 + value }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
