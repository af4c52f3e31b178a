import FoundationEssentials
import GarlandJSON

/// Encodes a value into one node of an ``EncodingNode`` tree.
struct NodeEncoder: Encoder {
  let node: EncodingNode
  let codingPath: [any CodingKey]
  let options: Options

  struct Options {
    let userInfo: [CodingUserInfoKey: any Sendable]
    let keepsNils: Bool
  }

  var userInfo: [CodingUserInfoKey: Any] { options.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.becomeObject()
    return KeyedEncodingContainer(KeyedNodeContainer(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.becomeArray()
    return UnkeyedNodeContainer(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { SingleNodeContainer(encoder: self) }

  /// Returns the encoder of `node`, which is a member or an element of this encoder's node. `key` is the name of the member or the index of
  /// the element.
  func nested(_ node: EncodingNode, _ key: any CodingKey) -> NodeEncoder {
    NodeEncoder(node: node, codingPath: codingPath + [key], options: options)
  }

  /// Writes a value of any type.
  func write<Value: Encodable>(any value: Value) throws {
    switch value {
    case let value as StructuredValue: node.content = .value(value)
    case let value as JSONValue: node.content = .value(StructuredValue(value))
    case let value as Date: node.content = .value(.date(value))
    case let value as Data: node.content = .value(.data(Array(value)))
    case let value as URL: node.content = .value(.string(value.absoluteString))
    case let value as Decimal:
      guard let number = JSONNumber(value.description) else { throw ParameterEncodingError.notFinite(path: codingPath.text) }
      node.content = .value(.number(number))
    default:
      if value is any UnorderedMembers { node.isUnordered = true }
      try value.encode(to: self)
    }
  }

  func write(_ value: Double) throws(ParameterEncodingError) {
    guard let number = JSONNumber(value) else { throw .notFinite(path: codingPath.text) }
    node.content = .value(.number(number))
  }

  func write(_ value: Float) throws(ParameterEncodingError) {
    // Use the shortest digits that represent the Float itself: a conversion to Double would add digits.
    guard value.isFinite, let number = JSONNumber(value.description) else { throw .notFinite(path: codingPath.text) }
    node.content = .value(.number(number))
  }

  func write(integer value: some BinaryInteger) { node.content = .value(.number(JSONNumber(value))) }
  func write(_ value: Bool) { node.content = .value(.bool(value)) }
  func write(_ value: String) { node.content = .value(.string(value)) }
  func writeNull() { node.content = .value(.null) }
}

/// Marks the types whose members have no order: dictionaries whose keys are strings.
private protocol UnorderedMembers {}

extension Dictionary: UnorderedMembers where Key == String {}

/// Encodes a single value, such as a number or a text, directly into the encoder's node.
struct SingleNodeContainer: SingleValueEncodingContainer {
  let encoder: NodeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil() throws { encoder.writeNull() }
  mutating func encode(_ value: Bool) throws { encoder.write(value) }
  mutating func encode(_ value: String) throws { encoder.write(value) }
  mutating func encode(_ value: Int) throws { encoder.write(integer: value) }
  mutating func encode(_ value: Int8) throws { encoder.write(integer: value) }
  mutating func encode(_ value: Int16) throws { encoder.write(integer: value) }
  mutating func encode(_ value: Int32) throws { encoder.write(integer: value) }
  mutating func encode(_ value: Int64) throws { encoder.write(integer: value) }
  mutating func encode(_ value: UInt) throws { encoder.write(integer: value) }
  mutating func encode(_ value: UInt8) throws { encoder.write(integer: value) }
  mutating func encode(_ value: UInt16) throws { encoder.write(integer: value) }
  mutating func encode(_ value: UInt32) throws { encoder.write(integer: value) }
  mutating func encode(_ value: UInt64) throws { encoder.write(integer: value) }
  mutating func encode(_ value: Double) throws { try encoder.write(value) }
  mutating func encode(_ value: Float) throws { try encoder.write(value) }
  mutating func encode(_ value: some Encodable) throws { try encoder.write(any: value) }
}
