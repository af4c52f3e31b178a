/// Writes members.
struct KeyedNodeContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: NodeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  private func at(_ key: Key) -> NodeEncoder { encoder.nested(encoder.node.member(key.stringValue), key) }
  /// Without the path, which most members never need.
  private func place(_ key: Key) -> NodeEncoder {
    NodeEncoder(node: encoder.node.member(key.stringValue), codingPath: [], userInfo: encoder.options)
  }

  mutating func encodeNil(forKey key: Key) throws { place(key).writeNull() }
  mutating func encode(_ value: Bool, forKey key: Key) throws { place(key).write(value) }
  mutating func encode(_ value: String, forKey key: Key) throws { place(key).write(value) }
  mutating func encode(_ value: Int, forKey key: Key) throws { place(key).write(integer: value) }
  mutating func encode(_ value: Int8, forKey key: Key) throws { place(key).write(integer: value) }
  mutating func encode(_ value: Int16, forKey key: Key) throws { place(key).write(integer: value) }
  mutating func encode(_ value: Int32, forKey key: Key) throws { place(key).write(integer: value) }
  mutating func encode(_ value: Int64, forKey key: Key) throws { place(key).write(integer: value) }
  mutating func encode(_ value: UInt, forKey key: Key) throws { place(key).write(integer: value) }
  mutating func encode(_ value: UInt8, forKey key: Key) throws { place(key).write(integer: value) }
  mutating func encode(_ value: UInt16, forKey key: Key) throws { place(key).write(integer: value) }
  mutating func encode(_ value: UInt32, forKey key: Key) throws { place(key).write(integer: value) }
  mutating func encode(_ value: UInt64, forKey key: Key) throws { place(key).write(integer: value) }
  mutating func encode(_ value: Double, forKey key: Key) throws { try at(key).write(value) }
  mutating func encode(_ value: Float, forKey key: Key) throws { try at(key).write(value) }
  mutating func encode(_ value: some Encodable, forKey key: Key) throws { try at(key).write(any: value) }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
    at(key).container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { at(key).unkeyedContainer() }
  mutating func superEncoder() -> any Encoder { encoder.nested(encoder.node.member("super"), NameKey("super")) }
  mutating func superEncoder(forKey key: Key) -> any Encoder { at(key) }
}

/// Writes elements.
struct UnkeyedNodeContainer: UnkeyedEncodingContainer {
  let encoder: NodeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.node.count }

  private func next() -> NodeEncoder {
    let key = IndexKey(count)
    return encoder.nested(encoder.node.append(), key)
  }
  private func place() -> NodeEncoder { NodeEncoder(node: encoder.node.append(), codingPath: [], userInfo: encoder.options) }

  mutating func encodeNil() throws { place().writeNull() }
  mutating func encode(_ value: Bool) throws { place().write(value) }
  mutating func encode(_ value: String) throws { place().write(value) }
  mutating func encode(_ value: Int) throws { place().write(integer: value) }
  mutating func encode(_ value: Int8) throws { place().write(integer: value) }
  mutating func encode(_ value: Int16) throws { place().write(integer: value) }
  mutating func encode(_ value: Int32) throws { place().write(integer: value) }
  mutating func encode(_ value: Int64) throws { place().write(integer: value) }
  mutating func encode(_ value: UInt) throws { place().write(integer: value) }
  mutating func encode(_ value: UInt8) throws { place().write(integer: value) }
  mutating func encode(_ value: UInt16) throws { place().write(integer: value) }
  mutating func encode(_ value: UInt32) throws { place().write(integer: value) }
  mutating func encode(_ value: UInt64) throws { place().write(integer: value) }
  mutating func encode(_ value: Double) throws { try next().write(value) }
  mutating func encode(_ value: Float) throws { try next().write(value) }
  mutating func encode(_ value: some Encodable) throws { try next().write(any: value) }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    next().container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
  mutating func superEncoder() -> any Encoder { next() }
}

/// Writes one value.
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
