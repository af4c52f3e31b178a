import FoundationEssentials
import GarlandJSON

/// Turns values of `Encodable` types into trees, without a detour over text.
///
/// ```swift
/// struct Book: Encodable { var title: String; var price: Double }
/// try StructuredEncoder().encode(Book(title: "Dune", price: 9.5))   // ["title": "Dune", "price": 9.5]
/// ```
/// Properties keep the order in which the type writes them, which is that of their declaration; dictionaries have none and are sorted. Dates, data,
/// URLs and decimal numbers are known: they come out as such. Properties that are nil are left out, as everywhere.
public struct StructuredEncoder: Sendable {
  /// What the encoder hands to `encode(to:)` as its `userInfo`.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// An encoder.
  public init() {}

  /// The tree. Throws ``ParameterEncodingError``, or what the value's own `encode(to:)` throws as ``ParameterEncodingError/failed(_:)``.
  public func encode(_ value: some Encodable) throws(ParameterEncodingError) -> StructuredValue {
    let node = EncodingNode()
    do {
      try NodeEncoder(node: node, codingPath: [], userInfo: userInfo).write(any: value)
      return node.value()
    } catch let error as ParameterEncodingError {
      throw error
    } catch {
      throw .failed(.init(error))
    }
  }
}

/// The encoder of one place in the tree.
struct NodeEncoder: Encoder {
  let node: EncodingNode
  let codingPath: [any CodingKey]
  let options: [CodingUserInfoKey: any Sendable]

  init(node: EncodingNode, codingPath: [any CodingKey], userInfo: [CodingUserInfoKey: any Sendable]) {
    self.node = node
    self.codingPath = codingPath
    options = userInfo
  }

  var userInfo: [CodingUserInfoKey: Any] { options }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.becomeObject()
    return KeyedEncodingContainer(KeyedNodeContainer(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.becomeArray()
    return UnkeyedNodeContainer(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { SingleNodeContainer(encoder: self) }

  /// The encoder of a member or an element.
  func nested(_ node: EncodingNode, _ key: any CodingKey) -> NodeEncoder {
    NodeEncoder(node: node, codingPath: codingPath + [key], userInfo: options)
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
    // Its own shortest digits, not those of the double that it would become.
    guard value.isFinite, let number = JSONNumber(value.description) else { throw .notFinite(path: codingPath.text) }
    node.content = .value(.number(number))
  }

  func write(integer value: some BinaryInteger) { node.content = .value(.number(JSONNumber(value))) }
  func write(_ value: Bool) { node.content = .value(.bool(value)) }
  func write(_ value: String) { node.content = .value(.string(value)) }
  func writeNull() { node.content = .value(.null) }
}

/// What has members without an order.
private protocol UnorderedMembers {}
extension Dictionary: UnorderedMembers where Key == String {}

extension [any CodingKey] {
  /// `books[0].title`.
  var text: String {
    var text = ""
    for key in self {
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += text.isEmpty ? key.stringValue : "." + key.stringValue
      }
    }
    return text
  }
}

/// The key of a list's element.
struct IndexKey: CodingKey {
  let index: Int
  init(_ index: Int) { self.index = index }
  init?(intValue: Int) { index = intValue }
  init?(stringValue: String) { return nil }
  var intValue: Int? { index }
  var stringValue: String { "Index \(index)" }
}

/// A key that is just a name.
struct NameKey: CodingKey {
  let stringValue: String
  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { return nil }
  var intValue: Int? { nil }
}
