/// Writes the members of an object.
struct KeyedNodeContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: NodeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  private func at(_ key: Key) -> NodeEncoder { encoder.nested(encoder.node.replaceMember(key.stringValue), key) }
  /// Returns the encoder of a member. The encoder has an empty coding path, since the path is needed only in error messages.
  private func place(_ key: Key) -> NodeEncoder {
    NodeEncoder(node: encoder.node.replaceMember(key.stringValue), codingPath: [], options: encoder.options)
  }
  /// Returns the encoder of a nested container. As in JSONEncoder, a second container for the same key shares the node of the first
  /// container.
  private func shared(_ key: Key) -> NodeEncoder { encoder.nested(encoder.node.member(key.stringValue), key) }

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

  mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
    if try isThere(value, key), let value { try encode(value, forKey: key) }
  }
  mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    if try isThere(value, key), let value { try encode(value, forKey: key) }
  }
  mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
    if try isThere(value, key), let value { try encode(value, forKey: key) }
  }
  mutating func encodeIfPresent(_ value: Int8?, forKey key: Key) throws {
    if try isThere(value, key), let value { try encode(value, forKey: key) }
  }
  mutating func encodeIfPresent(_ value: Int16?, forKey key: Key) throws {
    if try isThere(value, key), let value { try encode(value, forKey: key) }
  }
  mutating func encodeIfPresent(_ value: Int32?, forKey key: Key) throws {
    if try isThere(value, key), let value { try encode(value, forKey: key) }
  }
  mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
    if try isThere(value, key), let value { try encode(value, forKey: key) }
  }
  mutating func encodeIfPresent(_ value: UInt?, forKey key: Key) throws {
    if try isThere(value, key), let value { try encode(value, forKey: key) }
  }
  mutating func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws {
    if try isThere(value, key), let value { try encode(value, forKey: key) }
  }
  mutating func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws {
    if try isThere(value, key), let value { try encode(value, forKey: key) }
  }
  mutating func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws {
    if try isThere(value, key), let value { try encode(value, forKey: key) }
  }
  mutating func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
    if try isThere(value, key), let value { try encode(value, forKey: key) }
  }
  mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    if try isThere(value, key), let value { try encode(value, forKey: key) }
  }
  mutating func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
    if try isThere(value, key), let value { try encode(value, forKey: key) }
  }
  mutating func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    if try isThere(value, key), let value { try encode(value, forKey: key) }
  }

  /// Returns whether `value` is not nil and must be written by the caller. If `value` is nil and the option `keepsNils` is set, this method
  /// writes null.
  private func isThere<Value>(_ value: Value?, _ key: Key) throws -> Bool {
    if value == nil, encoder.options.keepsNils { place(key).writeNull() }
    return value != nil
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
    shared(key).container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { shared(key).unkeyedContainer() }
  mutating func superEncoder() -> any Encoder { encoder.nested(encoder.node.member("super"), NameKey("super")) }
  mutating func superEncoder(forKey key: Key) -> any Encoder { at(key) }
}
