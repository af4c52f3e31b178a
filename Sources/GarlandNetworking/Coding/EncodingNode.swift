import OrderedCollections

/// A place that a value is written to. Containers share it with whoever made them, since `Encodable` types may write in any order.
final class EncodingNode {
  enum Content {
    case nothing
    case value(StructuredValue)
    case array([EncodingNode])
    case object(OrderedDictionary<String, EncodingNode>)
  }

  var content = Content.nothing
  /// Whether the members come from a dictionary, which has no order: they are sorted, so that the result is always the same.
  var isUnordered = false

  func becomeArray() { if case .nothing = content { content = .array([]) } }
  func becomeObject() { if case .nothing = content { content = .object([:]) } }

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

  /// The member of that name, made if there is none.
  func member(_ name: String) -> EncodingNode {
    guard case .object(var members) = content else { return EncodingNode() }
    if let node = members[name] { return node }
    let node = EncodingNode()
    content = .nothing
    members[name] = node
    content = .object(members)
    return node
  }

  /// A new place for the member of that name, in place of one that was written before: of a key that is encoded twice the last value stays.
  func replaceMember(_ name: String) -> EncodingNode {
    guard case .object(var members) = content else { return EncodingNode() }
    let node = EncodingNode()
    content = .nothing
    members[name] = node
    content = .object(members)
    return node
  }

  /// The value, once all is written. What never was is an empty object, as it is for a type without properties.
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
