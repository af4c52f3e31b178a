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
