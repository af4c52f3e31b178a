/// A decimal number stored as digits and an exponent: the value is ±digits × 10^exponent. Zero has no digits; for other numbers
/// neither the first nor the last digit is zero, so that equal values have equal members.
struct ExactDecimal: Hashable {
  let isNegative: Bool
  /// The digits as values from 0 to 9, the most significant first.
  let digits: [UInt8]
  let exponent: DecimalExponent

  init(isNegative: Bool, digits: some BidirectionalCollection<UInt8>, exponent: DecimalExponent) {
    var significant = digits.drop { $0 == 0 }[...]
    let trailing = significant.reversed().prefix { $0 == 0 }.count
    significant = significant.dropLast(trailing)
    self.digits = Array(significant)
    self.isNegative = isNegative && !significant.isEmpty
    self.exponent = significant.isEmpty ? 0 : exponent + .small(trailing)
  }

  init(_ number: JSONNumber) {
    switch number.storage {
    case .integer(let value): self.init(value)
    case .text(let text): self.init(numberText: text)
    }
  }

  init(_ value: Int) {
    var digits: [UInt8] = []
    var magnitude = value.magnitude
    while magnitude > 0 {
      digits.append(UInt8(truncatingIfNeeded: magnitude % 10))
      magnitude /= 10
    }
    digits.reverse()
    self.init(isNegative: value < 0, digits: digits, exponent: 0)
  }

  /// Parses a text, which must be a number in JSON's grammar.
  private init(numberText text: String) {
    var rest = text[...].utf8
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest = rest.dropFirst() }
    var digits: [UInt8] = []
    digits.reserveCapacity(rest.count)
    var fractionLength = 0
    var isInFraction = false
    // A server may send millions of digits.
    let computation = rest.count > 4096 ? Computation.current : nil
    while let byte = rest.first, byte | 0x20 != UInt8(ascii: "e") {
      if let computation, computation.isOver() { break }
      rest = rest.dropFirst()
      if byte == UInt8(ascii: ".") {
        isInFraction = true
      } else {
        digits.append(byte &- UInt8(ascii: "0"))
        if isInFraction { fractionLength += 1 }
      }
    }
    rest = rest.dropFirst()
    let isExponentNegative = rest.first == UInt8(ascii: "-")
    if isExponentNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    let exponent = DecimalExponent(isNegative: isExponentNegative, digits: rest)
    self.init(isNegative: isNegative, digits: digits, exponent: exponent + .small(-fractionLength))
  }

  var isZero: Bool { digits.isEmpty }

  /// The exponent of the number in the form ±0.digits × 10^leadingExponent.
  var leadingExponent: DecimalExponent { exponent + .small(digits.count) }

  var intValue: Int? {
    guard let exponent = exponent.small, exponent >= 0, leadingExponent <= 19 else { return nil }
    var magnitude: UInt = 0
    for digit in digits {
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt(digit))
      guard !overflow, !carry else { return nil }
      magnitude = sum
    }
    for _ in 0..<exponent {
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      guard !overflow else { return nil }
      magnitude = product
    }
    if isNegative { return magnitude <= Int.min.magnitude ? Int(truncatingIfNeeded: 0 &- magnitude) : nil }
    return Int(exactly: magnitude)
  }

  /// The number as text. The text has an exponent only if it would be long without an exponent, as for `1e50`.
  var text: String {
    guard !isZero else { return "0" }
    let sign = isNegative ? "-" : ""
    let ascii = digits.map { $0 + UInt8(ascii: "0") }
    func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }
    func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }
    if let exponent = exponent.small, let point = leadingExponent.small {
      if exponent >= 0, point <= 40 { return sign + text(ascii) + zeros(exponent) }
      if exponent < 0, point > 0 { return sign + text(ascii[..<point]) + "." + text(ascii[point...]) }
      if exponent < 0, point > -20 { return sign + "0." + zeros(-point) + text(ascii) }
    }
    return sign + text(ascii[..<1]) + (ascii.count > 1 ? "." + text(ascii[1...]) : "") + "e\(leadingExponent - 1)"
  }
}

extension ExactDecimal: Comparable {
  static func < (lhs: ExactDecimal, rhs: ExactDecimal) -> Bool {
    guard lhs.isNegative == rhs.isNegative else { return lhs.isNegative }
    return lhs.isNegative ? lhs.magnitudeExceeds(rhs) : rhs.magnitudeExceeds(lhs)
  }

  private func magnitudeExceeds(_ other: ExactDecimal) -> Bool {
    guard !isZero else { return false }
    guard !other.isZero else { return true }
    guard leadingExponent == other.leadingExponent else { return leadingExponent > other.leadingExponent }
    return other.digits.lexicographicallyPrecedes(digits)
  }
}
