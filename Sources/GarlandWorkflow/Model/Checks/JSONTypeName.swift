public import GarlandJSON

/// What the predicate `type` asks for: JSON Schema's names.
public enum JSONTypeName: String, Sendable, Hashable, CaseIterable {
  case null, boolean, number, integer, string, array, object

  /// Whether a value is of this type; `1.0` is an integer.
  public func matches(_ value: JSONValue) -> Bool {
    switch (self, value) {
    case (.null, .null), (.boolean, .bool), (.number, .number), (.string, .string), (.array, .array), (.object, .object): true
    case (.integer, .number(let number)): number.isIntegral
    default: false
    }
  }
}
