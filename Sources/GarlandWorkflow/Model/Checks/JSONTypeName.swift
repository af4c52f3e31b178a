public import GarlandJSON

/// The types of the predicate `type`: JSON Schema's names.
public enum JSONTypeName: String, Sendable, Hashable, CaseIterable {
  /// `null`.
  case null
  /// `true` or `false`.
  case boolean
  /// Any number.
  case number
  /// A whole number in any notation: `1.0` is an integer, too.
  case integer
  /// Text.
  case string
  /// A list.
  case array
  /// A mapping.
  case object

  /// Whether a value is of this type; `1.0` is an integer.
  public func matches(_ value: JSONValue) -> Bool {
    switch (self, value) {
    case (.null, .null), (.boolean, .bool), (.number, .number), (.string, .string), (.array, .array), (.object, .object): true
    case (.integer, .number(let number)): number.isIntegral
    default: false
    }
  }
}
