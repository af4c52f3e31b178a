/// An exponent of ten of any size. It is never rounded, so two different exponents never count as equal, however many digits they have.
enum DecimalExponent: Hashable {
  case small(Int)
  /// An exponent that does not fit into an `Int`. An exponent that fits is always stored as
  /// ``small``, so that equal exponents always have the same case.
  case large(isNegative: Bool, DecimalMagnitude)

  /// Creates an exponent from its ASCII digits.
  init(isNegative: Bool, digits: Substring.UTF8View) {
    var digits = digits
    // A server may send millions of digits. When the time is over, the result is not used, so some digits are sufficient.
    if let computation = Computation.current, computation.isOver(after: digits.count) { digits = digits.prefix(18) }
    var value = 0
    for digit in digits {
      let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflows) = product.addingReportingOverflow(Int(digit &- UInt8(ascii: "0")))
      guard !isTooLarge, !overflows else {
        self = Self.of(isNegative: isNegative, DecimalMagnitude(digits.map { $0 &- UInt8(ascii: "0") }, shifted: 0))
        return
      }
      value = sum
    }
    self = .small(isNegative ? -value : value)
  }

  private static func of(isNegative: Bool, _ magnitude: DecimalMagnitude) -> DecimalExponent {
    guard let word = magnitude.word else { return .large(isNegative: isNegative, magnitude) }
    if let value = Int(exactly: word) { return .small(isNegative ? -value : value) }
    return isNegative && word == Int.min.magnitude ? .small(.min) : .large(isNegative: isNegative, magnitude)
  }

  /// The exponent as an `Int`; nil if it does not fit.
  var small: Int? {
    if case .small(let value) = self { value } else { nil }
  }

  private var parts: (isNegative: Bool, magnitude: DecimalMagnitude) {
    switch self {
    case .small(let value): (value < 0, DecimalMagnitude(value.magnitude))
    case .large(let isNegative, let magnitude): (isNegative, magnitude)
    }
  }

  static func + (lhs: DecimalExponent, rhs: DecimalExponent) -> DecimalExponent {
    if case .small(let left) = lhs, case .small(let right) = rhs {
      let (sum, overflow) = left.addingReportingOverflow(right)
      if !overflow { return .small(sum) }
    }
    let (left, right) = (lhs.parts, rhs.parts)
    if left.isNegative == right.isNegative { return of(isNegative: left.isNegative, left.magnitude.adding(right.magnitude)) }
    return left.magnitude < right.magnitude
      ? of(isNegative: right.isNegative, right.magnitude.subtracting(left.magnitude))
      : of(isNegative: left.isNegative, left.magnitude.subtracting(right.magnitude))
  }

  static func - (lhs: DecimalExponent, rhs: DecimalExponent) -> DecimalExponent {
    let (isNegative, magnitude) = rhs.parts
    return lhs + of(isNegative: !isNegative, magnitude)
  }
}

extension DecimalExponent: Comparable {
  static func < (lhs: DecimalExponent, rhs: DecimalExponent) -> Bool {
    if case .small(let left) = lhs, case .small(let right) = rhs { return left < right }
    let (left, right) = (lhs.parts, rhs.parts)
    guard left.isNegative == right.isNegative else { return left.isNegative }
    return left.isNegative ? right.magnitude < left.magnitude : left.magnitude < right.magnitude
  }
}

extension DecimalExponent: CustomStringConvertible, ExpressibleByIntegerLiteral {
  init(integerLiteral value: Int) { self = .small(value) }

  var description: String {
    switch self {
    case .small(let value): String(value)
    case .large(let isNegative, let magnitude): (isNegative ? "-" : "") + magnitude.digits.drop { $0 == 0 }.map(String.init).joined()
    }
  }
}
