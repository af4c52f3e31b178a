extension ExactDecimal {
  /// The number of digits to which a quotient with infinitely many digits is rounded, as in IEEE 754's
  /// decimal128.
  private static let quotientDigits = 34

  var negated: ExactDecimal {
    ExactDecimal(isNegative: !isNegative, digits: digits, exponent: exponent)
  }

  func adding(_ other: ExactDecimal) throws(JSONArithmeticError) -> ExactDecimal {
    if isZero { return other }
    if other.isZero { return self }
    let lowest = min(exponent, other.exponent)
    guard let places = (max(leadingExponent, other.leadingExponent) - lowest).small, places <= JSONNumber.largestExactResult,
      let shift = (exponent - lowest).small, let otherShift = (other.exponent - lowest).small
    else { throw .outOfRange }
    let left = DecimalMagnitude(digits, shifted: shift)
    let right = DecimalMagnitude(other.digits, shifted: otherShift)
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

  func divided(by other: ExactDecimal) throws(JSONArithmeticError) -> ExactDecimal {
    guard !other.isZero else { throw .divisionByZero }
    guard digits.count <= JSONNumber.largestExactResult, other.digits.count <= JSONNumber.largestExactResult else { throw .outOfRange }
    let divisor = DecimalMagnitude(other.digits, shifted: 0)
    var remainder = DecimalMagnitude(0)
    var quotient: [UInt8] = []
    var consumed = 0
    // Long division, a digit at a time, up to one digit more than is kept; zeros follow the
    // dividend's digits.
    while consumed < digits.count || (!remainder.isZero && quotient.count <= Self.quotientDigits) {
      remainder.appendDigit(consumed < digits.count ? digits[consumed] : 0)
      consumed += 1
      var digit: UInt8 = 0
      while !(remainder < divisor) {
        remainder = remainder.subtracting(divisor)
        digit += 1
      }
      if digit > 0 || !quotient.isEmpty { quotient.append(digit) }
    }
    var exponent = exponent - other.exponent - .small(consumed - digits.count)
    if !remainder.isZero, quotient.count > Self.quotientDigits {
      exponent = exponent + .small(quotient.count - Self.quotientDigits)
      // The remainder is not zero, so the digits that are cut off are never exactly a half.
      let isUp = quotient[Self.quotientDigits] >= 5
      quotient = DecimalMagnitude(Array(quotient[..<Self.quotientDigits]), shifted: 0).adding(DecimalMagnitude(isUp ? 1 : 0)).digits
    }
    return ExactDecimal(isNegative: isNegative != other.isNegative, digits: quotient, exponent: exponent)
  }

  func isMultiple(of other: ExactDecimal) -> Bool {
    guard !other.isZero else { return false }
    guard !isZero else { return true }
    // The digits of neither number end in zero, so a multiple cannot have more decimal places than the divisor.
    guard exponent >= other.exponent else { return false }
    let divisor = DecimalMagnitude(other.digits, shifted: 0)
    // If enough zeros follow the digits, these zeros cancel all factors 2 and 5 of the divisor, and further zeros do not change whether the
    // remainder is zero.
    guard let shift = (exponent - other.exponent).small, shift <= 4 * other.digits.count else {
      return divisor.withoutFactorsOfTwoAndFive.remainder(of: digits, zeros: 0).isZero
    }
    return divisor.remainder(of: digits, zeros: shift).isZero
  }
}
