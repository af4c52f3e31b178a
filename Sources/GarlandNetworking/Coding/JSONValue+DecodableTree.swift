import FoundationEssentials
import GarlandJSON

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
