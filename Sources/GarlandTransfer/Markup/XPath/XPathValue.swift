import GarlandText

/// The value of an XPath expression, or of a part of an expression.
enum XPathValue {
  /// A node set: the indices of distinct nodes in the document's node table, in document order.
  case nodes([Int32])
  case boolean(Bool)
  case number(Double)
  case string(String)
}

/// Reads and writes numbers as in XPath 1.0 (sections 4.2 and 4.4).
enum XPathNumber {
  /// Converts a text to a number: digits with an optional minus sign and surrounding white space. Returns NaN
  /// for any other text.
  static func value(of text: String) -> Double {
    let trimmed = text.utf8.drop(while: \.isWhiteSpace).reversed().drop(while: \.isWhiteSpace).reversed()
    let digits = trimmed.first == UInt8(ascii: "-") ? trimmed.dropFirst() : trimmed[...]
    let isPlain = digits.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") }
    guard isPlain, digits.contains(where: { $0 != UInt8(ascii: ".") }), digits.count(where: { $0 == UInt8(ascii: ".") }) <= 1 else {
      return .nan
    }
    // Swift requires digits on both sides of the point.
    let padded = "0" + String(decoding: digits, as: UTF8.self) + (digits.last == UInt8(ascii: ".") ? "0" : "")
    return (Double(padded) ?? .nan) * (trimmed.first == UInt8(ascii: "-") ? -1 : 1)
  }

  static func text(_ number: Double) -> String {
    if number.isNaN { return "NaN" }
    if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
    return Int(exactly: number).map { String($0) } ?? decimal(number.description)
  }

  /// Converts a decimal number with an exponent to a number without an exponent, since XPath 1.0 has no exponents (section 4.2).
  private static func decimal(_ text: String) -> String {
    let parts = text.split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]) else { return text }
    let sign = parts[0].hasPrefix("-") ? "-" : ""
    let mantissa = parts[0].drop { $0 == "-" }.split(separator: ".")
    let whole = String(mantissa.first ?? "")
    let fraction = mantissa.count > 1 && mantissa[1] != "0" ? String(mantissa[1]) : ""
    let digits = whole + fraction
    let point = whole.count + exponent
    if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
    if point >= digits.count { return sign + digits + String(repeating: "0", count: point - digits.count) }
    return sign + digits.prefix(point) + "." + digits.dropFirst(point)
  }

  /// Rounds to the nearest integer; halves are rounded up.
  static func rounded(_ number: Double) -> Double { number.isFinite ? (number + 0.5).rounded(.down) : number }
}
