import OrderedCollections

/// A node of the tree that an encoder builds. A container and the object that created it share the node, since an `Encodable` type may
/// write to its containers in any order.
final class EncodingNode {
  enum Content {
    case nothing
    case value(StructuredValue)
    case array([EncodingNode])
    case object(OrderedDictionary<String, EncodingNode>)
  }

  var content = Content.nothing
  /// Whether the members come from a dictionary, which has no order. If true, the members are sorted by name, so that the order of the
  /// members never varies.
  var isUnordered = false

  /// Makes the node an array, unless it already is an array. Content of another kind is removed: if a value requests several containers
  /// from its encoder, the last one is used.
  func becomeArray() { if case .array = content {} else { content = .array([]) } }
  /// Makes the node an object, unless it already is an object. Other content, such as an array, is removed: if a value requests several
  /// containers from its encoder, only the last container is used.
  func becomeObject() { if case .object = content {} else { content = .object([:]) } }

  func append() -> EncodingNode {
    let node = EncodingNode()
    if case .array(var elements) = content {
      content = .nothing
      elements.append(node)
      content = .array(elements)
    }
    return node
  }

  var count: Int { if case .array(let elements) = content { elements.count } else { 0 } }

  /// Returns the member called `name`. Creates the member if necessary.
  func member(_ name: String) -> EncodingNode {
    guard case .object(var members) = content else { return EncodingNode() }
    if let node = members[name] { return node }
    let node = EncodingNode()
    content = .nothing
    members[name] = node
    content = .object(members)
    return node
  }

  /// Replaces the member called `name` with a new node and returns the node. If a key is encoded twice, its last value wins.
  func replaceMember(_ name: String) -> EncodingNode {
    guard case .object(var members) = content else { return EncodingNode() }
    let node = EncodingNode()
    content = .nothing
    members[name] = node
    content = .object(members)
    return node
  }

  /// Returns the value that an `Encodable` type has written to the node. Must be called after the type has written all members. If the type
  /// has written nothing, the value is an empty object, since a type without properties writes nothing.
  func value() -> StructuredValue {
    switch content {
    case .nothing: return .object([:])
    case .value(let value): return value
    case .array(let elements): return .array(elements.map { $0.value() })
    case .object(let members):
      var object = OrderedDictionary<String, StructuredValue>()
      object.reserveCapacity(members.count)
      for (name, node) in members { object[name] = node.value() }
      if isUnordered { object.sort { $0.key < $1.key } }
      return .object(object)
    }
  }
}
