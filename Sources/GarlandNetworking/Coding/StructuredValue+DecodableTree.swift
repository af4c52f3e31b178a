import FoundationEssentials
import GarlandJSON

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
