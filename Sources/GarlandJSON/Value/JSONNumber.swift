/// A JSON number with the original text of its digits.
///
/// ```swift
/// let price = JSONNumber("9.50")
/// price?.text                                             // "9.50"
/// price == JSONNumber("95e-1")                            // true: compared by exact value
/// JSONNumber("12345678901234567890.1") == JSONNumber("12345678901234567890.2")   // false
/// ```
///
/// The time for comparing or hashing depends only on the length of the text, however large the exponent
/// is.
public struct JSONNumber: Sendable {
  /// The storage of a number. An integer is stored as an `Int` if its text is exactly the text that Swift writes for this `Int`. Most
  /// numbers in JSON are such integers, and so need no further memory.
  enum Storage: Sendable {
    case integer(Int)
    case text(String)
  }

  let storage: Storage

  init(storage: Storage) {
    self.storage = storage
  }

  /// Creates a number from its text; nil if the text is not a number in JSON's grammar ([RFC
  /// 8259 §6](https://www.rfc-editor.org/rfc/rfc8259#section-6)).
  public init?(_ text: String) {
    guard let syntax = NumberSyntax(of: text.utf8) else { return nil }
    self.init(text: text, syntax: syntax)
  }

  init(text: String, syntax: NumberSyntax) {
    if syntax == .integer, text != "-0", let value = Int(text) {
      storage = .integer(value)
    } else {
      storage = .text(text)
    }
  }

  /// Creates a number from an integer.
  public init(_ value: Int) {
    storage = .integer(value)
  }

  /// Creates a number from an integer of any size.
  public init(_ value: some BinaryInteger) {
    if let small = Int(exactly: value) {
      storage = .integer(small)
    } else {
      storage = .text(String(value))
    }
  }

  /// Creates the number with the shortest digits that represent `value`; nil if `value` is infinite or NaN, which JSON cannot represent.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    storage = .text(value.description)
  }

  /// The text of the number in its original form, such as `1.50`.
  public var text: String {
    switch storage {
    case .integer(let value): String(value)
    case .text(let text): text
    }
  }

  /// The nearest double; infinite if the number is outside of the range of a double.
  public var doubleValue: Double {
    switch storage {
    case .integer(let value): Double(value)
    case .text(let text): Double(text) ?? .nan
    }
  }

  /// The value as an `Int`; nil if it has a fraction or does not fit. `1.0` and `1e2` have no fraction.
  public var intValue: Int? {
    switch storage {
    case .integer(let value): value
    case .text: ExactDecimal(self).intValue
    }
  }

  /// Whether the value has no fraction, even if it is too large for an `Int`.
  public var isIntegral: Bool {
    switch storage {
    case .integer: true
    case .text: ExactDecimal(self).exponent >= 0
    }
  }

  /// Whether the value is less than zero.
  public var isNegative: Bool {
    switch storage {
    case .integer(let value): value < 0
    case .text: ExactDecimal(self).isNegative
    }
  }
}

extension JSONNumber: Comparable, Hashable {
  /// Whether both numbers have the same value, even if their digits are written differently.
  public static func == (lhs: JSONNumber, rhs: JSONNumber) -> Bool {
    switch (lhs.storage, rhs.storage) {
    case (.integer(let left), .integer(let right)): left == right
    case (.text(let left), .text(let right)) where left == right: true
    default: ExactDecimal(lhs) == ExactDecimal(rhs)
    }
  }

  /// Whether the left value is smaller than the right value.
  public static func < (lhs: JSONNumber, rhs: JSONNumber) -> Bool {
    if case .integer(let left) = lhs.storage, case .integer(let right) = rhs.storage { return left < right }
    return ExactDecimal(lhs) < ExactDecimal(rhs)
  }

  /// Hashes the value, regardless of how its digits are written.
  public func hash(into hasher: inout Hasher) {
    if let value = intValue {
      hasher.combine(value)
    } else {
      hasher.combine(ExactDecimal(self))
    }
  }
}

extension JSONNumber: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// Creates a number from an integer literal.
  public init(integerLiteral value: Int) {
    storage = .integer(value)
  }

  /// Creates the number with the shortest digits that represent `value`. A literal that is too large for a double becomes the largest
  /// double, with the same sign.
  public init(floatLiteral value: Double) {
    let limit = Double.greatestFiniteMagnitude
    storage = .text(Swift.min(Swift.max(value, -limit), limit).description)
  }
}

extension JSONNumber: CustomStringConvertible {
  /// The digits in their original form.
  public var description: String { text }
}
