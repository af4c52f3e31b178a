import FoundationEssentials
import GarlandJSON
import GarlandText

/// Decodes a value from one node of a tree of JSON or property list values.
struct TreeDecoder<Tree: DecodableTree>: Decoder {
  /// The position of a node in the tree: its key, and the position of its parent. The path to the node is computed only if an error message
  /// needs it.
  final class Place {
    let parent: Place?
    let key: any CodingKey
    init(_ parent: Place?, _ key: any CodingKey) {
      self.parent = parent
      self.key = key
    }
  }

  let tree: Tree
  let parent: Place?
  let key: (any CodingKey)?
  let options: ValueDecoder

  var place: Place? { key.map { Place(parent, $0) } }
  var userInfo: [CodingUserInfoKey: Any] { options.userInfo }

  var codingPath: [any CodingKey] {
    var keys: [any CodingKey] = []
    if let key { keys.append(key) }
    var next = parent
    while let place = next {
      keys.append(place.key)
      next = place.parent
    }
    return keys.reversed()
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard tree.isObject else { throw mismatch("an object", [String: Tree].self) }
    return KeyedDecodingContainer(KeyedTreeContainer<Tree, Key>(self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let elements = tree.elements else { throw mismatch("a list", [Tree].self) }
    return UnkeyedTreeContainer(self, elements: elements)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { SingleTreeContainer(decoder: self) }

  // MARK: Values

  func bool() throws(DecodingError) -> Bool {
    guard let value = tree.bool else { throw mismatch("a boolean", Bool.self) }
    return value
  }

  func string() throws(DecodingError) -> String {
    guard let value = tree.string else { throw mismatch("a string", String.self) }
    return value
  }

  func integer<Integer: FixedWidthInteger>(as type: Integer.Type) throws(DecodingError) -> Integer {
    guard let number = tree.number else { throw mismatch("an integer", type) }
    if let small = number.intValue {
      if let value = Integer(exactly: small) { return value }
    } else if let value = Integer(number.text) {
      return value
    }
    throw corrupted("\(number) is no \(type)")
  }

  func double() throws(DecodingError) -> Double {
    guard let number = tree.number else { throw mismatch("a number", Double.self) }
    let value = number.doubleValue
    guard value.isFinite else { throw corrupted("\(number) is beyond the range of a Double") }
    return value
  }

  func float() throws(DecodingError) -> Float {
    guard let number = tree.number else { throw mismatch("a number", Float.self) }
    guard let value = Float(number.text), value.isFinite else { throw corrupted("\(number) is beyond the range of a Float") }
    return value
  }

  func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let special: Any?
    if type == Date.self {
      special = try date()
    } else if type == Data.self {
      special = try data()
    } else if type == URL.self {
      let text = try string()
      guard let url = URL(string: text) else { throw corrupted("\"\(text)\" is not a URL") }
      special = url
    } else if type == Decimal.self {
      guard let number = tree.number else { throw mismatch("a number", type) }
      guard let decimal = Decimal(string: number.text) else { throw corrupted("\(number) is beyond the range of a Decimal") }
      special = decimal
    } else if type == StructuredValue.self {
      special = tree.structured
    } else if type == JSONValue.self {
      special = tree.json
    } else {
      return try Value(from: self)
    }
    guard let value = special as? Value else { throw mismatch("\(type)", type) }
    return value
  }

  private func date() throws -> Date {
    if let date = tree.date { return date }
    switch options.dates {
    case .deferred: return Date(timeIntervalSinceReferenceDate: try double())
    case .secondsSince1970: return Date(timeIntervalSince1970: try double())
    case .millisecondsSince1970: return Date(timeIntervalSince1970: try double() / 1000)
    case .iso8601:
      let text = try string()
      guard let seconds = InternetTime(text)?.secondsSince1970 else {
        throw corrupted("\"\(text)\" is not a date of the form 2026-11-21T05:00:00Z")
      }
      return Date(timeIntervalSince1970: seconds)
    case .formatted(let parse):
      let text = try string()
      guard let date = parse(text) else { throw corrupted("\"\(text)\" is not a date of the form expected") }
      return date
    }
  }

  private func data() throws -> Data {
    if let bytes = tree.data { return Data(bytes) }
    switch options.data {
    case .base64:
      guard let bytes = try? Base64.decode(try string()) else { throw corrupted("the string is not base64") }
      return Data(bytes)
    case .deferred:
      var container = try unkeyedContainer()
      var bytes: [UInt8] = []
      while !container.isAtEnd { bytes.append(try container.decode(UInt8.self)) }
      return Data(bytes)
    case .custom(let decode):
      guard let bytes = decode(try string()) else { throw corrupted("the string stands for no data") }
      return Data(bytes)
    }
  }

  // MARK: Errors

  func mismatch(_ expected: String, _ type: Any.Type) -> DecodingError {
    let context = DecodingError.Context(codingPath: codingPath, debugDescription: "expected \(expected), found \(tree.kindName)")
    return tree.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  func corrupted(_ detail: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: codingPath, debugDescription: detail))
  }
}

/// Decodes a single value from the current node, without a container for members or elements.
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
