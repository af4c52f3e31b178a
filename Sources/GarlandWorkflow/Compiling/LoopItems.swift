import GarlandJSON

/// The facts about the items of a loop that are known before the run.
struct LoopItems {
  /// The possible kinds of the items.
  var kinds: ValueKinds
  /// The member names that all items have; nil if these are unknown, or if an item is not a mapping.
  var names: [String]?
  /// The member names that only some of the items have.
  var partialNames: [String] = []

  static let unknown = LoopItems(kinds: .any, names: nil)

  /// Creates the facts for items that are mappings with these names; nil if the names are unknown.
  init(names: [String]?) { self.init(kinds: names == nil ? .any : .mapping, names: names) }

  private init(kinds: ValueKinds, names: [String]?) {
    self.kinds = kinds
    self.names = names
  }

  /// Creates the facts for the items of a list that is written in the document.
  init(of value: ValueTemplate, _ table: NameTable) {
    switch value {
    case .constant(.array(let items), _): self.init(of: items)
    case .list(let items, _): self.init(kinds: items.reduce([]) { $0.union($1.kinds) }, names: nil)
    case .scalar(let template):
      guard case .expression(let expression) = template.content else {
        self = .unknown
        return
      }
      self.init(of: expression.root, table)
    case .constant, .object: self = .unknown
    }
    // A list of nulls says nothing about the intended type.
    if kinds.isSubset(of: .null) { self = .unknown }
  }

  private init(of items: [JSONValue]) {
    kinds = items.reduce([]) { $0.union(ValueKinds($1.kind)) }
    for item in items {
      guard let object = item.objectValue else {
        names = nil
        return
      }
      let common = names?.filter { object[$0] != nil } ?? Array(object.keys)
      for name in (names ?? []) + Array(object.keys) where !common.contains(name) && !partialNames.contains(name) {
        partialNames.append(name)
      }
      names = common
    }
  }

  private init(of node: ExpressionNode, _ table: NameTable) {
    switch node.kind {
    case .constant(.array(let items)): self.init(of: items)
    case .variable(let index):
      if let value = table.variableValues[index] { self.init(of: value, table) } else { self = .unknown }
    case .filter(.range, _, _): self.init(kinds: .number, names: nil)
    case .filter(.split, _, _): self.init(kinds: .text, names: nil)
    case .filter(.filter, let list, _), .filter(.sort, let list, _), .filter(.unique, let list, _): self.init(of: list, table)
    default: self = .unknown
    }
  }
}

extension ValueTemplate {
  /// The possible kinds of the template's value.
  var kinds: ValueKinds {
    switch self {
    case .constant(let constant, _): return ValueKinds(constant.kind)
    case .list: return .list
    case .object: return .mapping
    case .scalar(let template):
      guard case .expression(let expression) = template.content else { return .text }
      return expression.kinds
    }
  }
}
