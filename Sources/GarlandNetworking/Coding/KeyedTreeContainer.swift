/// Reads the members of an object.
struct KeyedTreeContainer<Tree: DecodableTree, Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: TreeDecoder<Tree>
  /// For each key, the name of the member from which the key is decoded, such as `one_two` for `oneTwo`; see ``ValueDecoder/Keys``. Nil if
  /// each key is equal to the name of its member.
  let names: [String: String]?
  var codingPath: [any CodingKey] { decoder.codingPath }

  init(_ decoder: TreeDecoder<Tree>) {
    self.decoder = decoder
    names = decoder.options.keys.table(decoder.tree.names)
  }

  var allKeys: [Key] {
    if let names { return names.keys.sorted().compactMap { Key(stringValue: $0) } }
    return decoder.tree.names.compactMap { Key(stringValue: $0) }
  }

  private func find(_ key: Key) -> Tree? {
    guard let names else { return decoder.tree.member(key.stringValue) }
    return names[key.stringValue].flatMap { decoder.tree.member($0) }
  }

  private func at(_ key: Key) throws(DecodingError) -> TreeDecoder<Tree> {
    guard let tree = find(key) else {
      throw .keyNotFound(key, .init(codingPath: codingPath, debugDescription: "there is no member \"\(key.stringValue)\""))
    }
    return TreeDecoder(tree: tree, parent: decoder.place, key: key, options: decoder.options)
  }

  func contains(_ key: Key) -> Bool { find(key) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try at(key).tree.isNull }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try at(key).bool() }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try at(key).string() }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try at(key).integer(as: type) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try at(key).integer(as: type) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try at(key).integer(as: type) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try at(key).integer(as: type) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try at(key).integer(as: type) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try at(key).integer(as: type) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try at(key).integer(as: type) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try at(key).integer(as: type) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try at(key).integer(as: type) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try at(key).integer(as: type) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try at(key).double() }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try at(key).float() }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try at(key).value(type) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
    try at(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try at(key).unkeyedContainer() }
  func superDecoder() throws -> any Decoder {
    TreeDecoder(tree: decoder.tree.member("super") ?? .absent, parent: decoder.place, key: NameKey("super"), options: decoder.options)
  }
  func superDecoder(forKey key: Key) throws -> any Decoder { try at(key) }
}
