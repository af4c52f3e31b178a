extension ExactDecimal {
  /// A quotient that ends, or the text of more digits than a double can tell apart.
  enum Quotient {
    case exact(ExactDecimal)
    case inexact(String)
  }

  /// The halfway points between doubles have up to 767 significant digits: with more than that, the nearest double is certain.
  private static let digitsThatDecideADouble = 800

  var negated: ExactDecimal {
    ExactDecimal(isNegative: !isNegative, digits: digits, exponent: exponent)
  }

  func adding(_ other: ExactDecimal) throws(JSONArithmeticError) -> ExactDecimal {
    if isZero { return other }
    if other.isZero { return self }
    let lowest = min(exponent, other.exponent)
    guard max(leadingExponent, other.leadingExponent) - lowest <= JSONNumber.largestExactResult else { throw .outOfRange }
    let left = DecimalMagnitude(digits, shifted: exponent - lowest)
    let right = DecimalMagnitude(other.digits, shifted: other.exponent - lowest)
    if isNegative == other.isNegative {
      return ExactDecimal(isNegative: isNegative, digits: left.adding(right).digits, exponent: lowest)
    }
    if left < right { return ExactDecimal(isNegative: other.isNegative, digits: right.subtracting(left).digits, exponent: lowest) }
    return ExactDecimal(isNegative: isNegative, digits: left.subtracting(right).digits, exponent: lowest)
  }

  func multiplied(by other: ExactDecimal) throws(JSONArithmeticError) -> ExactDecimal {
    guard digits.count + other.digits.count <= JSONNumber.largestExactResult else { throw .outOfRange }
    let product = DecimalMagnitude(digits, shifted: 0).multiplied(by: DecimalMagnitude(other.digits, shifted: 0))
    return ExactDecimal(isNegative: isNegative != other.isNegative, digits: product.digits, exponent: exponent + other.exponent)
  }

  func divided(by other: ExactDecimal) throws(JSONArithmeticError) -> Quotient {
    guard !other.isZero else { throw .divisionByZero }
    guard digits.count <= JSONNumber.largestExactResult, other.digits.count <= JSONNumber.largestExactResult else { throw .outOfRange }
    let mostExactDigits = max(40, digits.count + 20)
    let divisor = DecimalMagnitude(other.digits, shifted: 0)
    var remainder = DecimalMagnitude([], shifted: 0)
    var quotient: [UInt8] = []
    var consumed = 0
    // Long division, a digit at a time; behind the dividend's digits come zeros.
    while consumed < digits.count || (!remainder.isZero && quotient.count < ExactDecimal.digitsThatDecideADouble) {
      remainder.appendDigit(consumed < digits.count ? digits[consumed] : 0)
      consumed += 1
      var digit: UInt8 = 0
      while !(remainder < divisor) {
        remainder = remainder.subtracting(divisor)
        digit += 1
      }
      if digit > 0 || !quotient.isEmpty { quotient.append(digit) }
    }
    let exponent = exponent - other.exponent - (consumed - digits.count)
    let isNegative = isNegative != other.isNegative
    if remainder.isZero, quotient.count <= mostExactDigits {
      return .exact(ExactDecimal(isNegative: isNegative, digits: quotient, exponent: exponent))
    }
    // A last digit stands for all that was cut off.
    if !remainder.isZero { quotient.append(1) }
    let ascii = String(decoding: quotient.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
    return .inexact("\(isNegative ? "-" : "")\(ascii)e\(remainder.isZero ? exponent : exponent - 1)")
  }

  func isMultiple(of other: ExactDecimal) -> Bool {
    guard !other.isZero else { return false }
    guard !isZero else { return true }
    // Neither number of digits ends in zero, so a multiple cannot have more places behind the point.
    guard exponent >= other.exponent else { return false }
    let shift = exponent - other.exponent
    var divisor = DecimalMagnitude(other.digits, shifted: 0)
    // With that many zeros at the end, all of the divisor's factors 2 and 5 are matched, and the rest does not care for zeros.
    if shift > 4 * other.digits.count {
      divisor = divisor.withoutFactorsOfTwoAndFive
      return divisor.remainder(of: digits, zeros: 0).isZero
    }
    return divisor.remainder(of: digits, zeros: shift).isZero
  }
}
