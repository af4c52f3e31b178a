import FoundationEssentials
import GarlandJSON
import OrderedCollections

/// Makes a structured value usable with any encoder and decoder. ``StructuredEncoder`` and ``ValueDecoder`` keep it unchanged. Other coders
/// write dates and data in their own form, and reduce numbers with a fraction to the precision of `Double`.
extension StructuredValue: Codable {
  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .object(let members):
      var container = encoder.container(keyedBy: NameKey.self)
      for (name, value) in members { try container.encode(value, forKey: NameKey(name)) }
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .bool(let value): try container.encode(value)
      case .number(let value):
        if let integer = value.intValue { try container.encode(integer) } else { try container.encode(value.doubleValue) }
      case .string(let value): try container.encode(value)
      case .date(let value): try container.encode(value)
      case .data(let value): try container.encode(Data(value))
      case .null, .array, .object: try container.encodeNil()
      }
    }
  }

  /// Decodes the value by trying each possible kind.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: NameKey.self) {
      var members = OrderedDictionary<String, StructuredValue>()
      for key in container.allKeys { members[key.stringValue] = try container.decode(StructuredValue.self, forKey: key) }
      self = .object(members)
    } else if var container = try? decoder.unkeyedContainer() {
      var elements: [StructuredValue] = []
      while !container.isAtEnd { elements.append(try container.decode(StructuredValue.self)) }
      self = .array(elements)
    } else {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let value = try? container.decode(Bool.self) {
        self = .bool(value)
      } else if let value = try? container.decode(Int.self) {
        self = .number(JSONNumber(value))
      } else if let value = try? container.decode(Double.self), let number = JSONNumber(value) {
        self = .number(number)
      } else {
        self = .string(try container.decode(String.self))
      }
    }
  }
}
