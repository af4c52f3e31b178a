import FoundationEssentials
import GarlandJSON
import OrderedCollections

/// The common form of parameters, JSON and property lists: a tree of values that include dates and
/// data.
///
/// ```swift
/// let parameters: StructuredValue = ["title": "Dune", "since": .date(.now), "tags": ["sand", 1, true]]
/// ```
/// Members of an object keep their order. Numbers keep their digits.
public enum StructuredValue: Sendable, Hashable {
  /// Null.
  case null
  /// A Boolean.
  case bool(Bool)
  /// A number, stored with all its digits and without rounding.
  case number(JSONNumber)
  /// A text.
  case string(String)
  /// A point in time.
  case date(Date)
  /// Bytes.
  case data([UInt8])
  /// A list.
  case array([StructuredValue])
  /// Named values, in order.
  case object(OrderedDictionary<String, StructuredValue>)

  /// Creates a value from JSON.
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

  /// Creates an integer.
  public init(_ value: some BinaryInteger) { self = .number(JSONNumber(value)) }

  /// Creates a text.
  public init(_ text: String) { self = .string(text) }

  /// The member with this name; nil if the value is not an object or has no such member.
  public subscript(name: String) -> StructuredValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  /// The element at an index; nil if the value is not a list or has no such element.
  public subscript(index: Int) -> StructuredValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }
}

extension StructuredValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates a value from a Boolean literal.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates a number.
  public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
  /// Creates a number with the shortest digits that yield this double.
  public init(floatLiteral value: Double) { self = .number(JSONNumber(floatLiteral: value)) }
  /// Creates a text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates a list.
  public init(arrayLiteral elements: StructuredValue...) { self = .array(elements) }
  /// Creates an object whose members keep the order of the literal; the last value of a repeated name wins.
  public init(dictionaryLiteral elements: (String, StructuredValue)...) {
    self = .object(OrderedDictionary(elements, uniquingKeysWith: { $1 }))
  }
}
