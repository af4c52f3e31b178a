/// Reads the elements of a list.
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

  /// Reads the current element with `read` and, if this succeeds, moves to the next element.
  private mutating func next<Value, Read>(_ type: Value.Type, _ read: (TreeDecoder<Tree>) throws -> Read) throws -> Read {
    let value = try read(current(type))
    currentIndex += 1
    return value
  }

  mutating func decodeNil() throws -> Bool {
    guard try current(Never.self).tree.isNull else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try next(type) { try $0.bool() } }
  mutating func decode(_ type: String.Type) throws -> String { try next(type) { try $0.string() } }
  mutating func decode(_ type: Int.Type) throws -> Int { try next(type) { try $0.integer(as: type) } }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try next(type) { try $0.integer(as: type) } }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try next(type) { try $0.integer(as: type) } }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try next(type) { try $0.integer(as: type) } }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try next(type) { try $0.integer(as: type) } }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try next(type) { try $0.integer(as: type) } }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next(type) { try $0.integer(as: type) } }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next(type) { try $0.integer(as: type) } }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next(type) { try $0.integer(as: type) } }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next(type) { try $0.integer(as: type) } }
  mutating func decode(_ type: Double.Type) throws -> Double { try next(type) { try $0.double() } }
  mutating func decode(_ type: Float.Type) throws -> Float { try next(type) { try $0.float() } }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next(type) { try $0.value(type) } }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
    try next(type) { try $0.container(keyedBy: type) }
  }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next([Tree].self) { try $0.unkeyedContainer() } }
  mutating func superDecoder() throws -> any Decoder { try next(Tree.self) { $0 } }
}
