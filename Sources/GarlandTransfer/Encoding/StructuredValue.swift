import FoundationEssentials
import GarlandJSON
import OrderedCollections

/// What parameters, JSON and property lists have in common: a tree of values with dates and data among them.
///
/// ```swift
/// let parameters: StructuredValue = ["title": "Dune", "since": .date(.now), "tags": ["sand", 1, true]]
/// ```
/// Members of an object keep their order. Numbers keep their digits.
public enum StructuredValue: Sendable, Hashable {
  /// No value.
  case null
  /// True or false.
  case bool(Bool)
  /// A number with all its digits.
  case number(JSONNumber)
  /// A text.
  case string(String)
  /// A point in time.
  case date(Date)
  /// Bytes.
  case data([UInt8])
  /// A list.
  case array([StructuredValue])
  /// Named values in their order.
  case object(OrderedDictionary<String, StructuredValue>)

  /// The same as JSON has it.
  public init(_ value: JSONValue) {
    switch value {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .number(let number): self = .number(number)
    case .string(let text): self = .string(text)
    case .array(let elements): self = .array(elements.map { StructuredValue($0) })
    case .object(let object):
      var members = OrderedDictionary<String, StructuredValue>()
      members.reserveCapacity(object.count)
      for (key, value) in object { members[key] = StructuredValue(value) }
      self = .object(members)
    }
  }

  /// An integer.
  public init(_ value: some BinaryInteger) { self = .number(JSONNumber(value)) }

  /// A text.
  public init(_ text: String) { self = .string(text) }

  /// The member of that name, nil when there is none or this is no object.
  public subscript(name: String) -> StructuredValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  /// The element at that position, nil when there is none or this is no list.
  public subscript(index: Int) -> StructuredValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }
}

extension StructuredValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// True or false.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A number.
  public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
  /// A number with the shortest digits that give this double.
  public init(floatLiteral value: Double) { self = .number(JSONNumber(floatLiteral: value)) }
  /// A text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A list.
  public init(arrayLiteral elements: StructuredValue...) { self = .array(elements) }
  /// Named values in this order; of a repeated name the last stays.
  public init(dictionaryLiteral elements: (String, StructuredValue)...) {
    self = .object(OrderedDictionary(elements, uniquingKeysWith: { $1 }))
  }
}
