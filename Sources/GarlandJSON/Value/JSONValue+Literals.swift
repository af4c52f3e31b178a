// There is no nil literal on purpose: in `found ? value : nil` it would silently turn a missing
// value into a JSON null.
extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates `true` or `false`.
  public init(booleanLiteral value: Bool) {
    self = .bool(value)
  }

  /// Creates a number.
  public init(integerLiteral value: Int) {
    self = .number(JSONNumber(value))
  }

  /// Creates a number with the shortest digits that represent `value`. A literal outside of the range of a double becomes the largest
  /// double.
  public init(floatLiteral value: Double) {
    self = .number(JSONNumber(floatLiteral: value))
  }

  /// Creates a string.
  public init(stringLiteral value: String) {
    self = .string(value)
  }

  /// Creates an array.
  public init(arrayLiteral elements: JSONValue...) {
    self = .array(elements)
  }

  /// Creates an object whose members keep the order of the literal; a duplicate name gets its last value.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements))
  }
}
