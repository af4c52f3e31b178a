/// Garland's rule for the types of plain scalars: JSON numbers, `true`, `false` and `null` have the same types as in JSON, an empty value
/// is null, and all other values are text.
enum ScalarTyping {
  /// Returns the kind of a scalar without quotes and tag.
  static func kind(ofPlain text: UnsafeBufferPointer<UInt8>) -> YAMLScalar.Kind {
    guard let first = text.first else { return .null }
    switch first {
    case UInt8(ascii: "t"): return text.elementsEqual("true".utf8) ? .yes : .string
    case UInt8(ascii: "f"): return text.elementsEqual("false".utf8) ? .no : .string
    case UInt8(ascii: "n"): return text.elementsEqual("null".utf8) ? .null : .string
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return isNumber(text) ? .number : .string
    default: return .string
    }
  }

  /// Whether a text is a number as defined in RFC 8259, section 6.
  static func isNumber(_ text: some Collection<UInt8>) -> Bool { scanNumber(text) != nil }

  /// Whether a text is a number as defined in RFC 8259, without fraction and exponent.
  static func isInteger(_ text: some Collection<UInt8>) -> Bool { scanNumber(text) == true }

  /// Returns true if a text is an integer, and false if it is another number. Returns nil if the text is not a number.
  private static func scanNumber(_ text: some Collection<UInt8>) -> Bool? {
    var iterator = text.makeIterator()
    var byte = iterator.next()
    func isDigit(_ byte: UInt8?) -> Bool { byte.map { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } ?? false }
    if byte == UInt8(ascii: "-") { byte = iterator.next() }
    guard isDigit(byte) else { return nil }
    if byte == UInt8(ascii: "0") {
      byte = iterator.next()
    } else {
      while isDigit(byte) { byte = iterator.next() }
    }
    var isInteger = true
    if byte == UInt8(ascii: ".") {
      isInteger = false
      byte = iterator.next()
      guard isDigit(byte) else { return nil }
      while isDigit(byte) { byte = iterator.next() }
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      isInteger = false
      byte = iterator.next()
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { byte = iterator.next() }
      guard isDigit(byte) else { return nil }
      while isDigit(byte) { byte = iterator.next() }
    }
    return byte == nil ? isInteger : nil
  }
}
