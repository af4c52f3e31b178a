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

/// Makes JSON of any kind usable as a property of `Codable` types: received JSON can be sent as
/// parameters again. ``StructuredEncoder`` and ``ValueDecoder`` keep every digit of numbers.
extension JSONValue: Codable {
  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws { try StructuredValue(self).encode(to: encoder) }

  /// Decodes the value.
  public init(from decoder: any Decoder) throws { self = try StructuredValue(from: decoder).json() }
}
