/// A JSON value that loses no information: numbers keep the text of their digits, and objects keep the order of their members.
///
/// ```swift
/// let book: JSONValue = ["title": "Dune", "price": 9.5, "tags": ["novel", .null]]
/// book["title"]?.stringValue   // "Dune"
/// book == JSONValue(parsing: #"{"tags":["novel",null],"price":9.50,"title":"Dune"}"#)   // true
/// ```
///
/// Two values are equal if they are equal as JSON. Numbers are compared by their exact value (`1.0 == 1`). The order of an object's members
/// does not matter. Strings are compared by their Unicode scalars; so, unlike with Swift's `String`, composed and decomposed accents
/// differ.
public enum JSONValue: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number with all its digits.
  case number(JSONNumber)
  /// A string.
  case string(String)
  /// A list of values.
  case array([JSONValue])
  /// Named values in their original order.
  case object(JSONObject)
}

extension JSONValue {
  /// The six kinds of JSON values.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// `null`.
    case null
    /// `true` or `false`.
    case boolean
    /// A number.
    case number
    /// A string.
    case string
    /// An array.
    case array
    /// An object.
    case object
  }

  /// The kind of this value.
  public var kind: Kind {
    switch self {
    case .null: .null
    case .bool: .boolean
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  /// Creates a number with the exact value of an integer.
  public init(_ value: Int) {
    self = .number(JSONNumber(value))
  }

  /// Creates a string.
  public init(_ value: String) {
    self = .string(value)
  }

  /// Whether the value is `null`.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The Boolean; nil if the value is not a Boolean.
  public var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The number; nil if the value is not a number.
  public var numberValue: JSONNumber? {
    if case .number(let value) = self { value } else { nil }
  }

  /// The number as an `Int`; nil if the value is not a number, has a fraction, or does not fit into an `Int`.
  public var intValue: Int? {
    if case .number(let value) = self { value.intValue } else { nil }
  }

  /// The number as the nearest `Double`; nil if the value is not a number.
  public var doubleValue: Double? {
    if case .number(let value) = self { value.doubleValue } else { nil }
  }

  /// The string; nil if the value is not a string.
  public var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The elements; nil if the value is not an array.
  public var arrayValue: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The members; nil if the value is not an object.
  public var objectValue: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The member with this name; nil if the value is not an object or has no such member.
  public subscript(name: String) -> JSONValue? {
    if case .object(let object) = self { object[name] } else { nil }
  }

  /// The element at this index (a negative index counts from the end); nil if the value is not
  /// an array or has no such element.
  public subscript(index: Int) -> JSONValue? {
    guard case .array(let elements) = self else { return nil }
    let position = index < 0 ? elements.count + index : index
    return elements.indices.contains(position) ? elements[position] : nil
  }
}
