import GarlandJSON
import GarlandWorkflow

/// The kind of the checked value. It determines how a predicate's argument is interpreted, for example as a duration.
enum Target {
  /// A JSON value. It equals an argument only if both have the same type: the number 1 does not equal the text `1`.
  case json
  /// A value that is always text, such as a header. If the document gives a number or boolean for the comparison, the text of this number
  /// or boolean is used.
  case text
  /// The texts of the nodes that an XPath selects. Predicates about lists, such as `length`, check the list of texts; other
  /// predicates require exactly one node and check its text.
  case nodes
  /// A time in seconds. The argument of a predicate for this value may be a duration, such as `500ms`.
  case time
  /// A number of bytes. Arguments of predicates may be sizes such as `10KB`.
  case size
  /// A number without a unit.
  case number

  /// Converts a text argument of a predicate to the value that it represents, such as the number of seconds of a duration. Returns any
  /// other argument unchanged.
  func operand(_ value: JSONValue) -> JSONValue {
    guard case .string(let text) = value else { return value }
    switch self {
    case .time:
      guard let duration = Duration(workflowText: text) else { return numeric(text) ?? value }
      let (seconds, attoseconds) = duration.components
      return JSONNumber(decimal(seconds: seconds, attoseconds: attoseconds)).map { .number($0) } ?? value
    case .size: return ByteSize(text).map { JSONValue($0.bytes) } ?? numeric(text) ?? value
    case .number: return numeric(text) ?? value
    case .json, .text, .nodes: return value
    }
  }

  private func numeric(_ text: String) -> JSONValue? { JSONNumber(text).map { .number($0) } }

  private func decimal(seconds: Int64, attoseconds: Int64) -> String {
    let fraction = String(attoseconds)
    return "\(seconds).\(String(repeating: "0", count: 18 - fraction.count))\(fraction)"
  }

  /// Whether the numbers of this kind have a unit, such as seconds.
  var hasUnit: Bool { self == .time || self == .size }

  /// Returns a number as text with the unit for this kind of value, such as `250 ms` for a time or `12 bytes` for a size. For a kind of
  /// value without a unit, returns only the number.
  func amount(_ number: JSONNumber) -> String {
    switch self {
    case .time:
      let milliseconds = (number.doubleValue * 10_000).rounded() / 10
      // A variable can have any value, so the number may be too large.
      guard milliseconds.isFinite, abs(milliseconds) < 1e15 else { return "\(Shown.cut(number.text, Shown.sentence)) s" }
      if milliseconds < 1000 { return milliseconds == milliseconds.rounded() ? "\(Int(milliseconds)) ms" : "\(milliseconds) ms" }
      // The remaining validity of a certificate is usually several days.
      if milliseconds >= 172_800_000 { return "\((milliseconds / 8_640_000).rounded() / 10) days" }
      return "\(milliseconds.rounded() / 1000) s"
    case .size: return number.text == "1" ? "1 byte" : "\(Shown.cut(number.text, Shown.sentence)) bytes"
    case .json, .text, .nodes, .number: return Shown.cut(number.text, Shown.sentence)
    }
  }

  /// Returns a value in the form for reports. If the checked property has a unit, such as bytes, a number becomes a text with the unit. Any
  /// other value is returned unchanged.
  func readable(_ value: JSONValue) -> JSONValue {
    guard hasUnit, case .number(let number) = value else { return value }
    return .string(amount(number))
  }

  /// Returns whether a value equals the expected value, by the rules for this kind of checked value: for ``text``, `"7"` equals the number
  /// 7.
  func areEqual(_ expected: JSONValue, _ actual: JSONValue) -> Bool {
    if expected == actual { return true }
    guard self == .text else { return false }
    if case .array(let expected) = expected, case .array(let actual) = actual {
      return expected.count == actual.count && zip(expected, actual).allSatisfy { areEqual($0, $1) }
    }
    guard case .string(let text) = actual else { return false }
    switch expected {
    case .number(let number): return JSONNumber(text).map { $0 == number } ?? false
    case .bool(let value): return text == (value ? "true" : "false")
    default: return false
    }
  }

  /// Returns the number that a value represents: the value itself, or the number that a text contains. Returns nil for other values.
  func number(_ value: JSONValue) -> JSONNumber? {
    switch value {
    case .number(let number): number
    case .string(let text) where self == .text: JSONNumber(text)
    default: nil
    }
  }
}
