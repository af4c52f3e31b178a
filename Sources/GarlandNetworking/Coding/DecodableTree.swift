import FoundationEssentials
import GarlandJSON

/// What values can be decoded from.
protocol DecodableTree: Sendable {
  /// What stands for a value that is not there.
  static var absent: Self { get }
  var isNull: Bool { get }
  var bool: Bool? { get }
  var number: JSONNumber? { get }
  var string: String? { get }
  /// A date, where the format has them.
  var date: Date? { get }
  /// Bytes, where the format has them.
  var data: [UInt8]? { get }
  var elements: [Self]? { get }
  var isObject: Bool { get }
  /// The members' names in order, none if it is no object.
  var names: [String] { get }
  func member(_ name: String) -> Self?
  /// What it is, for messages.
  var kindName: String { get }
  /// The tree as a value itself, for types that hold any value.
  var structured: StructuredValue { get }
  var json: JSONValue { get }
}

extension JSONValue: DecodableTree {
  static var absent: JSONValue { .null }
  var bool: Bool? { boolValue }
  var number: JSONNumber? { numberValue }
  var string: String? { stringValue }
  var date: Date? { nil }
  var data: [UInt8]? { nil }
  var elements: [JSONValue]? { arrayValue }
  var isObject: Bool { if case .object = self { true } else { false } }
  var names: [String] { objectValue?.keys ?? [] }
  func member(_ name: String) -> JSONValue? { self[name] }
  var structured: StructuredValue { StructuredValue(self) }
  var json: JSONValue { self }

  var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

extension StructuredValue: DecodableTree {
  static var absent: StructuredValue { .null }
  var isNull: Bool { if case .null = self { true } else { false } }
  var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  var number: JSONNumber? { if case .number(let value) = self { value } else { nil } }
  var string: String? { if case .string(let value) = self { value } else { nil } }
  var date: Date? { if case .date(let value) = self { value } else { nil } }
  var data: [UInt8]? { if case .data(let value) = self { value } else { nil } }
  var elements: [StructuredValue]? { if case .array(let value) = self { value } else { nil } }
  var isObject: Bool { if case .object = self { true } else { false } }
  var names: [String] { if case .object(let members) = self { Array(members.keys) } else { [] } }
  func member(_ name: String) -> StructuredValue? { self[name] }
  var structured: StructuredValue { self }
  var json: JSONValue { json() }

  var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .date: "a date"
    case .data: "data"
    case .array: "a list"
    case .object: "an object"
    }
  }
}
