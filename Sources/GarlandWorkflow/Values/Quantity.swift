/// Numbers with a unit: what durations and sizes have in common.
enum Quantity {
  /// Decimal digits and a fraction, as an integer and the power of ten that divides it.
  typealias Amount = (digits: Int, divisor: Int)

  /// Splits `1.5h` into 1.5 and `h`. Nil without digits, with more than 15 of them, or with anything before them.
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

  /// Amount × factor, rounded down; nil when it does not fit.
  static func scale(_ amount: Amount, by factor: Int) -> Int? {
    let (product, overflow) = amount.digits.multipliedReportingOverflow(by: factor)
    return overflow ? nil : product / amount.divisor
  }
}
