/// Parses the number and the unit of durations and sizes, such as `1.5h` or `10KB`.
enum Quantity {
  /// A decimal number: the integer `digits`, divided by the power of ten `divisor`.
  typealias Amount = (digits: Int, divisor: Int)

  /// Splits a text such as `1.5h` into the number 1.5 and the unit `h`. Returns nil if the text does not begin with a digit, or if the
  /// number has more than 15 digits.
  static func split(_ text: String) -> (Amount, unit: String)? {
    var digits = 0
    var divisor = 1
    var count = 0
    var sawPoint = false
    let bytes = text.utf8
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte == UInt8(ascii: "."), !sawPoint, count > 0 {
        sawPoint = true
      } else if byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
        guard count < 15 else { return nil }
        digits = digits * 10 + Int(byte - UInt8(ascii: "0"))
        if sawPoint { divisor *= 10 }
        count += 1
      } else {
        break
      }
      index = bytes.index(after: index)
    }
    guard count > 0, !(sawPoint && divisor == 1) else { return nil }
    return ((digits, divisor), String(text[index...]))
  }

  /// Returns the amount multiplied by a factor and rounded down; nil if the result is too large.
  static func scale(_ amount: Amount, by factor: Int) -> Int? {
    let (product, overflow) = amount.digits.multipliedReportingOverflow(by: factor)
    return overflow ? nil : product / amount.divisor
  }
}
