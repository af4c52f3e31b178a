import FoundationEssentials

/// Reads members.
struct KeyedTreeContainer<Tree: DecodableTree, Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: TreeDecoder<Tree>
  /// Which member a key names, where keys are converted.
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

/// Reads elements.
struct UnkeyedTreeContainer<Tree: DecodableTree>: UnkeyedDecodingContainer {
  let decoder: TreeDecoder<Tree>
  let elements: [Tree]
  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  init(_ decoder: TreeDecoder<Tree>, elements: [Tree]) {
    self.decoder = decoder
    self.elements = elements
  }

  private func current<Value>(_ type: Value.Type) throws(DecodingError) -> TreeDecoder<Tree> {
    guard currentIndex < elements.count else {
      let path = codingPath + [IndexKey(currentIndex)]
      throw .valueNotFound(type, .init(codingPath: path, debugDescription: "the list has only \(elements.count) elements"))
    }
    return TreeDecoder(tree: elements[currentIndex], parent: decoder.place, key: IndexKey(currentIndex), options: decoder.options)
  }

  mutating func decodeNil() throws -> Bool {
    guard try current(Never.self).tree.isNull else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool {
    let value = try current(type).bool()
    currentIndex += 1
    return value
  }
  mutating func decode(_ type: String.Type) throws -> String {
    let value = try current(type).string()
    currentIndex += 1
    return value
  }
  mutating func decode(_ type: Int.Type) throws -> Int {
    let value = try current(type).integer(as: type)
    currentIndex += 1
    return value
  }
  mutating func decode(_ type: Int8.Type) throws -> Int8 {
    let value = try current(type).integer(as: type)
    currentIndex += 1
    return value
  }
  mutating func decode(_ type: Int16.Type) throws -> Int16 {
    let value = try current(type).integer(as: type)
    currentIndex += 1
    return value
  }
  mutating func decode(_ type: Int32.Type) throws -> Int32 {
    let value = try current(type).integer(as: type)
    currentIndex += 1
    return value
  }
  mutating func decode(_ type: Int64.Type) throws -> Int64 {
    let value = try current(type).integer(as: type)
    currentIndex += 1
    return value
  }
  mutating func decode(_ type: UInt.Type) throws -> UInt {
    let value = try current(type).integer(as: type)
    currentIndex += 1
    return value
  }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 {
    let value = try current(type).integer(as: type)
    currentIndex += 1
    return value
  }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 {
    let value = try current(type).integer(as: type)
    currentIndex += 1
    return value
  }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 {
    let value = try current(type).integer(as: type)
    currentIndex += 1
    return value
  }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 {
    let value = try current(type).integer(as: type)
    currentIndex += 1
    return value
  }
  mutating func decode(_ type: Double.Type) throws -> Double {
    let value = try current(type).double()
    currentIndex += 1
    return value
  }
  mutating func decode(_ type: Float.Type) throws -> Float {
    let value = try current(type).float()
    currentIndex += 1
    return value
  }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try current(type).value(type)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
    let container = try current(type).container(keyedBy: type)
    currentIndex += 1
    return container
  }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try current([Tree].self).unkeyedContainer()
    currentIndex += 1
    return container
  }
  mutating func superDecoder() throws -> any Decoder {
    let decoder = try current(Tree.self)
    currentIndex += 1
    return decoder
  }
}

/// Reads one value.
struct SingleTreeContainer<Tree: DecodableTree>: SingleValueDecodingContainer {
  let decoder: TreeDecoder<Tree>
  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { decoder.tree.isNull }
  func decode(_ type: Bool.Type) throws -> Bool { try decoder.bool() }
  func decode(_ type: String.Type) throws -> String { try decoder.string() }
  func decode(_ type: Int.Type) throws -> Int { try decoder.integer(as: type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try decoder.integer(as: type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try decoder.integer(as: type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try decoder.integer(as: type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try decoder.integer(as: type) }
  func decode(_ type: UInt.Type) throws -> UInt { try decoder.integer(as: type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try decoder.integer(as: type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder.integer(as: type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try decoder.integer(as: type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try decoder.integer(as: type) }
  func decode(_ type: Double.Type) throws -> Double { try decoder.double() }
  func decode(_ type: Float.Type) throws -> Float { try decoder.float() }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.value(type) }
}
