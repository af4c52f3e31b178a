import GarlandText

/// Writes text as XML 1.0.
///
/// XML can't represent most control characters ([§2.2](https://www.w3.org/TR/xml/#charsets)), so they become
/// Unicode's pictures of control characters (`␀`, `␛`), and non-characters become U+FFFD.
enum XMLText {
  /// Appends markup without escaping it.
  static func append(markup: StaticString, to bytes: inout [UInt8]) {
    markup.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Appends character data. `>` is escaped too, so that the data can't contain `]]>`.
  static func append(_ text: String, to bytes: inout [UInt8]) { append(text, isAttribute: false, to: &bytes) }

  /// Appends an attribute in the form ` name="value"`. Line breaks and tabs are escaped, since an XML parser would otherwise replace them
  /// by spaces.
  static func append(attribute name: StaticString, _ value: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: " "))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "="))
    bytes.append(UInt8(ascii: "\""))
    append(value, isAttribute: true, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  private static func append(_ text: String, isAttribute: Bool, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { utf8 in
      var copied = 0
      var index = 0
      while index < utf8.count {
        guard let replacement = replacement(at: index, in: utf8, isAttribute: isAttribute) else {
          index += 1
          continue
        }
        bytes.append(contentsOf: utf8[copied..<index])
        bytes.append(contentsOf: replacement.text.utf8)
        index += replacement.length
        copied = index
      }
      bytes.append(contentsOf: utf8[copied...])
    }
  }

  private static func replacement(
    at index: Int, in utf8: UnsafeBufferPointer<UInt8>, isAttribute: Bool
  ) -> (text: String, length: Int)? {
    let byte = utf8[index]
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"):
      return Markup.reference(for: Unicode.Scalar(byte)).map { (text: $0, length: 1) }
    case UInt8(ascii: "\""): return isAttribute ? ("&quot;", 1) : nil
    case 0x09, 0x0A: return isAttribute ? ("&#\(byte);", 1) : nil
    case 0x0D: return ("&#13;", 1)
    case 0x00..<0x20: return (String(Character(Unicode.Scalar(0x2400 + UInt32(byte)) ?? "\u{FFFD}")), 1)
    case 0x7F: return ("\u{2421}", 1)
    // U+0080 to U+009F are control characters that XML allows, but that readers display differently.
    case 0xC2 where index + 1 < utf8.count && utf8[index + 1] < 0xA0: return ("\u{FFFD}", 2)
    // U+FFFE and U+FFFF are not characters.
    case 0xEF where index + 2 < utf8.count && utf8[index + 1] == 0xBF && utf8[index + 2] >= 0xBE: return ("\u{FFFD}", 3)
    default: return nil
    }
  }
}
