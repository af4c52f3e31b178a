public import GarlandJSON

/// The types that the predicate `type` can check, with their names in JSON Schema.
public enum JSONTypeName: String, Sendable, Hashable, CaseIterable {
  /// The value null.
  case null
  /// A boolean.
  case boolean
  /// Any number.
  case number
  /// An integer in any notation. `1.0` is an integer, too.
  case integer
  /// Text.
  case string
  /// A list.
  case array
  /// A mapping.
  case object

  /// Returns whether a value has this type.
  public func matches(_ value: JSONValue) -> Bool {
    switch (self, value) {
    case (.null, .null), (.boolean, .bool), (.number, .number), (.string, .string), (.array, .array), (.object, .object): true
    case (.integer, .number(let number)): number.isIntegral
    default: false
    }
  }

  /// The kinds of values that belong to this type. For ``integer``, this is the kind of all numbers, since integers have no kind of their
  /// own.
  var kinds: ValueKinds {
    switch self {
    case .null: .null
    case .boolean: .boolean
    case .number, .integer: .number
    case .string: .text
    case .array: .list
    case .object: .mapping
    }
  }
}
