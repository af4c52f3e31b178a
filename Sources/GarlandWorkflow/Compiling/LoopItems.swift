import GarlandJSON

/// The properties of a loop's items that are known before the run: their kinds, their member names and their number.
struct LoopItems {
  /// The possible kinds of the items.
  var kinds: ValueKinds
  /// The member names that all items have; nil if these are unknown, or if an item is not a mapping.
  var names: [String]?
  /// The member names that some items have, but not all.
  var partialNames: [String] = []
  /// The number of items, or nil if the document alone does not determine it.
  private(set) var count: Int?

  static let unknown = LoopItems(kinds: .any, names: nil)

  /// Creates the description of the items of `rows:` or `matrix:`, which are mappings.
  ///
  /// - Parameters:
  ///   - names: the member names that all items have; nil if the names are unknown.
  ///   - count: the number of items; nil if it is unknown.
  init(names: [String]?, count: Int? = nil) { self.init(kinds: names == nil ? .any : .mapping, names: names, count: count) }

  private init(kinds: ValueKinds, names: [String]?, count: Int? = nil) {
    self.kinds = kinds
    self.names = names
    self.count = count
  }

  /// Creates the description of a loop's items from the value of `for_each`. The items are known only if the list is written in the
  /// document, or if a filter such as `range` creates the list.
  init(of value: ValueTemplate, _ table: NameTable) {
    switch value {
    case .constant(.array(let items), _): self.init(of: items)
    case .list(let items, _): self.init(kinds: items.reduce([]) { $0.union($1.kinds) }, names: nil, count: items.count)
    case .scalar(let template):
      guard case .expression(let expression) = template.content else {
        self = .unknown
        return
      }
      self.init(of: expression.root, table)
    case .constant, .object: self = .unknown
    }
    // A list of nulls does not show the intended type.
    if kinds.isSubset(of: .null) { self = LoopItems(kinds: .any, names: nil, count: count) }
  }

  private init(of items: [JSONValue]) {
    kinds = items.reduce([]) { $0.union(ValueKinds($1.kind)) }
    count = items.count
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
      if let value = table.variables.values[index] { self.init(of: value, table) } else { self = .unknown }
    case .filter(.range, let limit, let others):
      self.init(kinds: .number, names: nil, count: Self.rangeCount(([limit] + others).map { Self.number($0, table) }))
    case .filter(.split, _, _): self.init(kinds: .text, names: nil)
    case .filter(.sort, let list, _): self.init(of: list, table)
    case .filter(.filter, let list, _), .filter(.unique, let list, _):
      self.init(of: list, table)
      // A part of the list may be missing.
      count = nil
    default: self = .unknown
    }
  }

  /// Returns the number of items in the list that the filter `range` creates; nil if a number in `bounds` is unknown. `bounds` contains the
  /// input of the filter, followed by the argument of the filter if it has an argument.
  private static func rangeCount(_ bounds: [Int?]) -> Int? {
    let known = bounds.compactMap(\.self)
    guard known.count == bounds.count, let end = known.last else { return nil }
    let (count, overflows) = end.subtractingReportingOverflow(known.count > 1 ? known[0] : 0)
    return overflows ? nil : max(0, count)
  }

  /// Returns the integer value of an expression that is a constant, or a variable with a constant value. Returns nil for any other
  /// expression, since only a run can compute its value.
  private static func number(_ node: ExpressionNode, _ table: NameTable) -> Int? {
    switch node.kind {
    case .constant(let value): value.intValue
    case .variable(let index): table.variables.values[index]?.constant?.intValue
    default: nil
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
