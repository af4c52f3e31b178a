/// The error of an arithmetic operation that has no result.
public enum JSONArithmeticError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The divisor is zero.
  case divisionByZero
  /// The exact result would have more than ``JSONNumber/largestExactResult`` digits.
  case outOfRange

  /// The error message.
  public var description: String {
    switch self {
    case .divisionByZero: "division by zero"
    case .outOfRange: "the result has too many digits"
    }
  }
}

extension JSONNumber {
  /// The maximum number of digits of the exact result of an arithmetic operation, such as a sum.
  public static let largestExactResult = 4000

  /// Returns the exact sum of this number and `other`: `0.1 + 0.2` is `0.3`.
  public func adding(_ other: JSONNumber) throws(JSONArithmeticError) -> JSONNumber {
    if case .integer(let left) = storage, case .integer(let right) = other.storage {
      let (sum, overflow) = left.addingReportingOverflow(right)
      if !overflow { return JSONNumber(sum) }
    }
    return JSONNumber(try ExactDecimal(self).adding(ExactDecimal(other)))
  }

  /// Returns the exact difference of this number and `other`.
  public func subtracting(_ other: JSONNumber) throws(JSONArithmeticError) -> JSONNumber {
    if case .integer(let left) = storage, case .integer(let right) = other.storage {
      let (difference, overflow) = left.subtractingReportingOverflow(right)
      if !overflow { return JSONNumber(difference) }
    }
    return JSONNumber(try ExactDecimal(self).adding(ExactDecimal(other).negated))
  }

  /// Returns the exact product of this number and `other`.
  public func multiplied(by other: JSONNumber) throws(JSONArithmeticError) -> JSONNumber {
    if case .integer(let left) = storage, case .integer(let right) = other.storage {
      let (product, overflow) = left.multipliedReportingOverflow(by: right)
      if !overflow { return JSONNumber(product) }
    }
    return JSONNumber(try ExactDecimal(self).multiplied(by: ExactDecimal(other)))
  }

  /// Returns the exact quotient if it has finitely many digits (`1 / 8` is `0.125`), otherwise the quotient
  /// rounded to 34 digits, as in IEEE 754's decimal128.
  public func divided(by other: JSONNumber) throws(JSONArithmeticError) -> JSONNumber {
    if case .integer(let left) = storage, case .integer(let right) = other.storage, right != 0, right != -1, left % right == 0 {
      return JSONNumber(left / right)
    }
    return JSONNumber(try ExactDecimal(self).divided(by: ExactDecimal(other)))
  }

  /// The number with the opposite sign.
  public var negated: JSONNumber {
    if case .integer(let value) = storage, value != .min { return JSONNumber(-value) }
    return JSONNumber(ExactDecimal(self).negated)
  }

  /// Returns whether the number is exactly a multiple of `other`; false if `other` is zero.
  public func isMultiple(of other: JSONNumber) -> Bool {
    if case .integer(let left) = storage, case .integer(let right) = other.storage {
      return right != 0 && (right == -1 || left % right == 0)
    }
    return ExactDecimal(self).isMultiple(of: ExactDecimal(other))
  }

  private init(_ decimal: ExactDecimal) {
    if let value = decimal.intValue {
      self.init(value)
    } else {
      self.init(storage: .text(decimal.text))
    }
  }
}
