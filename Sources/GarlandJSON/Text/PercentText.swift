/// Percent-encoding ([RFC 3986, section 2](https://www.rfc-editor.org/rfc/rfc3986#section-2)) of
/// text in URLs and URI references.
package enum PercentText {
  /// The characters that a fragment may contain besides unreserved ones ([section
  /// 3.5](https://www.rfc-editor.org/rfc/rfc3986#section-3.5)).
  static let fragment = "!$&'()*+,;=:@/?"

  /// Whether a byte never needs encoding: letters, digits and `-._~`.
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// Percent-encodes a text: replaces each byte of its UTF-8 that needs encoding by `%XX`.
  ///
  /// - Parameter kept: The ASCII characters that are left unchanged, besides unreserved ones.
  package static func encode(_ text: String, keeping kept: String = "") -> String {
    func stays(_ byte: UInt8) -> Bool { isUnreserved(byte) || (!kept.isEmpty && kept.utf8.contains(byte)) }
    var plain = text
    guard !plain.withUTF8({ $0.allSatisfy(stays) }) else { return text }
    return String(unsafeUninitializedCapacity: text.utf8.count * 3) { output in
      var next = 0
      for byte in text.utf8 {
        if stays(byte) {
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

  /// Decodes a percent-encoded text. A `%` that is not followed by two digits is kept.
  package static func decode(_ text: some StringProtocol) -> [UInt8] { decode(Array(text.utf8)) }

  /// Decodes a percent-encoded text in UTF-8. A `%` that is not followed by two digits is kept.
  package static func decode(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2, let high = value(rest[rest.startIndex]), let low = value(rest[rest.startIndex + 1]) {
        result.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        result.append(byte)
      }
    }
    return result
  }

  /// Decodes a percent-encoded text. Returns nil if a `%` is not followed by two digits or the
  /// bytes are not UTF-8.
  static func decodeStrictly(_ text: String) -> String? {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    let parts = text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst()
    guard parts.allSatisfy({ $0.count >= 2 && $0.prefix(2).allSatisfy { value($0) != nil } }) else { return nil }
    return String(validating: decode(text), as: UTF8.self)
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") - 10 + value }
}
