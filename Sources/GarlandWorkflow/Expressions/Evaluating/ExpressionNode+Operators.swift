import GarlandJSON

extension ExpressionNode {
  /// Evaluates `==`. Both values must be of the same kind, or one of them must be null. Values of different kinds are an error, since the
  /// result `false` would hide the mistake.
  func isEqual(
    _ left: ExpressionNode, _ leftValue: Value, _ right: ExpressionNode, _ rightValue: Value
  ) throws(ExpressionFailure) -> Bool {
    let (a, b) = (leftValue.json, rightValue.json)
    guard a.kind == b.kind || a.isNull || b.isNull else {
      throw .wrong(
        .wrongType, "\(Words.found(leftValue)) can't be compared with \(Words.found(rightValue))", at: range,
        help: Self.comparisonHelp(a, b))
    }
    return a == b
  }

  /// Evaluates `<`, `<=`, `>` and `>=`. Two numbers are compared by value, and two texts by the code points of their characters.
  func compare(
    _ operation: BinaryOperator, _ left: ExpressionNode, _ leftValue: Value, _ right: ExpressionNode, _ rightValue: Value
  ) throws(ExpressionFailure) -> Bool {
    switch (leftValue.json, rightValue.json) {
    case (.number(let a), .number(let b)): return Self.holds(operation, isLess: a < b, isGreater: b < a)
    case (.string(let a), .string(let b)):
      return Self.holds(
        operation, isLess: a.utf8.lexicographicallyPrecedes(b.utf8), isGreater: b.utf8.lexicographicallyPrecedes(a.utf8))
    case (let a, let b):
      throw .wrong(
        .wrongType, "\(Words.found(leftValue)) can't be compared with \(Words.found(rightValue))", at: range,
        help: Self.comparisonHelp(a, b) ?? "compare numbers with numbers, and texts with texts")
    }
  }

  private static func holds(_ operation: BinaryOperator, isLess: Bool, isGreater: Bool) -> Bool {
    switch operation {
    case .less: isLess
    case .lessOrEqual: !isGreater
    case .greater: isGreater
    default: !isLess
    }
  }

  static func comparisonHelp(_ a: JSONValue, _ b: JSONValue) -> String? {
    switch (a, b) {
    case (.string(let text), .number), (.number, .string(let text)):
      JSONNumber(text) != nil ? "convert the text to a number with `| number`" : "convert the number to text with `| string`"
    case (.string, .bool(let value)), (.bool(let value), .string): "compare with the text `'\(value)'`"
    default: nil
    }
  }

  func calculate(_ operation: BinaryOperator, _ left: JSONNumber, _ right: JSONNumber) throws(ExpressionFailure) -> JSONNumber {
    do throws(JSONArithmeticError) {
      return
        switch operation
      {
      case .add: try left.adding(right)
      case .subtract: try left.subtracting(right)
      case .multiply: try left.multiplied(by: right)
      default: try left.divided(by: right)
      }
    } catch {
      let words = error == .divisionByZero ? "\(error)" : "the result has over \(JSONNumber.largestExactResult) digits"
      throw .wrong(.arithmetic, words, at: range)
    }
  }
}
