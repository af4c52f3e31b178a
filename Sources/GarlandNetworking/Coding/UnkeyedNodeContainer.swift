/// Writes the elements of a list.
struct UnkeyedNodeContainer: UnkeyedEncodingContainer {
  let encoder: NodeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.node.count }

  private func next() -> NodeEncoder {
    let key = IndexKey(count)
    return encoder.nested(encoder.node.append(), key)
  }
  private func place() -> NodeEncoder { NodeEncoder(node: encoder.node.append(), codingPath: [], options: encoder.options) }

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
