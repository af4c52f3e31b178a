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
