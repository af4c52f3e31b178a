import GarlandDiagnostics
import GarlandJSON

/// Compiles access chains such as `create.json.items[0].id`.
extension ExpressionCompiler {
  /// Compiles an expression such as `create.json.items[0].id` with all accesses (`.name` and `[index]`) in it.
  mutating func compileAccess(_ syntax: SyntaxNode) throws(Refused) -> Typed {
    var chain: [SyntaxNode] = []
    var base = syntax
    while true {
      switch base.kind {
      case .member(let inner, _, _), .element(let inner, _):
        chain.append(base)
        base = inner
        continue
      default: break
      }
      break
    }
    chain.reverse()
    var rest = chain[...]
    var typed: Typed
    if case .name(let name) = base.kind, !base.isParenthesised, name != "item", name != "index" {
      if ["steps", "needs", "jobs"].contains(name), names.ordinal(of: name) == nil, names.uses[name] == nil {
        try refuseForeign(syntax, base)
      }
      typed = try compileRoot(name, base.range, &rest)
    } else {
      typed = try compile(base)
    }
    guard !rest.isEmpty else { return typed }
    if case .item = typed.node.kind, itemDepth == 0, let items = scope.loopItems, let known = items.names, let part = rest.first,
      case .name(let name) = try key(of: part), !known.contains(name), !(isOptional && items.partialNames.contains(name))
    {
      guard !items.partialNames.contains(name) else {
        throw refuse(
          .undefinedMember, "not all items of this loop have `\(name)`", at: Self.keyRange(of: part),
          help: "give a default for the other items: `item.\(name) ?? …`")
      }
      let near = Suggestion.nearest(to: name, in: known + items.partialNames)
      throw refuse(
        .undefinedMember, "the items of this loop have no member `\(name)`", at: Self.keyRange(of: part),
        help: near.map { "did you mean `\($0)`?" } ?? "they have \(Words.list(known + items.partialNames))", replacement: near)
    }
    var steps: [ExpressionNode.Access] = []
    for part in rest {
      steps.append(.init(key: try key(of: part), range: Self.keyRange(of: part), base: Self.base(of: part).outerRange))
    }
    if let first = steps.first, let part = rest.first, !typed.kinds.isEmpty, typed.kinds.isDisjoint(with: Self.containers(first.key)) {
      throw refuseAccess(typed, first.key, part, base: first.base, chain: syntax.range)
    }
    let node = ExpressionNode(.access(typed.node, steps), at: syntax.range)
    if typed.node.constant != nil, steps.allSatisfy({ if case .dynamic = $0.key { false } else { true } }) {
      return try foldChecked(node.kind, syntax.range, kinds: .any, over: [typed.node])
    }
    return Typed(node: node, kinds: .any)
  }

  /// Returns the kinds of values from which an access with the given key can read: a mapping for a name, a list for an index, and both for
  /// a key that is an expression.
  private static func containers(_ key: ExpressionNode.Access.Key) -> ValueKinds {
    switch key {
    case .name: .mapping
    case .index: .list
    case .dynamic: [.list, .mapping]
    }
  }

  /// Reports an error for an access such as `.name` to a value that does not support this access, for example a number. The help depends on
  /// the origin of the value: a variable, an extract or a loop item.
  ///
  /// - Parameters:
  ///   - part: the part of the access chain that contains the name.
  ///   - base: the source range of the value before this part.
  ///   - chain: the source range of the whole chain.
  private mutating func refuseAccess(
    _ typed: Typed, _ key: ExpressionNode.Access.Key, _ part: SyntaxNode, base: Range<Int>, chain: Range<Int>
  ) -> Refused {
    let text = text(base)
    guard case .name(let name) = key else {
      return refuse(.wrongType, "`\(text)` is \(typed.kinds.words), not a list", at: part.range)
    }
    var isItem = false
    if case .item = typed.node.kind { isItem = true }
    let message =
      isItem
      ? "the items of this loop are \(typed.kinds.plural), so they have no member `\(name)`"
      : "`\(text)` is \(typed.kinds.words), so it has no member `\(name)`"
    var help: String?
    var fix: (range: Range<Int>, text: String)?
    if let filter = Self.filter(likeMember: name, of: typed.kinds) {
      help = "use the filter: `\(text) | \(filter)`"
      // Whether an operator precedes the value, so that the value with its filter needs parentheses.
      let before = bytes[..<base.lowerBound].last { $0 != UInt8(ascii: " ") }.map { "+-*/!?".utf8.contains($0) } ?? false
      if part.range.upperBound == chain.upperBound {
        fix = before ? (chain, "(\(text) | \(filter))") : (base.upperBound..<chain.upperBound, " | \(filter)")
      }
    } else if typed.kinds == .list {
      help = "for the list's first element, write `\(text)[0].\(name)`; for all its elements, write `\(text) | map(item.\(name))`"
    } else if typed.kinds.isDisjoint(with: [.list, .mapping]) {
      help = "to use the \(isItem ? "item" : "value") itself, write `\(text)`"
      // A chain that begins before the value has a parenthesis there, which the fix would leave open.
      if base.lowerBound == chain.lowerBound { fix = (base.upperBound..<chain.upperBound, "") }
    }
    return refuse(
      isItem ? .undefinedMember : .wrongType, message, at: Self.keyRange(of: part), help: help, replacement: fix?.text,
      fixRange: fix?.range)
  }

  /// Returns the name of Garland's filter that corresponds to a property in other languages, such as `length` for `.size`. Returns nil if
  /// there is no such filter for a value of the given kinds.
  ///
  /// - Parameters:
  ///   - name: the name of the property.
  ///   - kinds: the possible kinds of the value before the property.
  private static func filter(likeMember name: String, of kinds: ValueKinds) -> String? {
    let name = name == "size" || name == "count" ? Filter.length.rawValue : name
    guard let filter = Filter(rawValue: name), [.length, .first, .last, .upper, .lower, .trim].contains(filter),
      !filter.signature.input.isDisjoint(with: kinds)
    else { return nil }
    return name
  }

  private static func base(of part: SyntaxNode) -> SyntaxNode {
    switch part.kind {
    case .member(let inner, _, _), .element(let inner, _): inner
    default: part
    }
  }

  static func keyRange(of part: SyntaxNode) -> Range<Int> {
    switch part.kind {
    case .member(_, _, let range): range
    case .element(_, let index): index.range
    default: part.range
    }
  }

  mutating func key(of part: SyntaxNode) throws(Refused) -> ExpressionNode.Access.Key {
    switch part.kind {
    case .member(_, let name, _): return .name(name)
    case .element(_, let index):
      let typed = try compile(index)
      switch typed.node.constant {
      case .string(let name): return .name(name)
      case .number(let number):
        guard let index = number.intValue else {
          throw refuse(.wrongType, "an index must be a whole number, found \(number.text)", at: typed.node.range)
        }
        return .index(index)
      case .some(let value): throw refuse(.wrongType, "expected an index or a name, found \(Words.found(value))", at: index.range)
      case nil:
        try check(typed, is: [.number, .text], index.range)
        return .dynamic(typed.node)
      }
    default: throw refuse(.wrongType, "expected an index or a name", at: part.range)
    }
  }

  /// Removes the first access, such as `.name` or `['name']`, from a chain of accesses. Returns the name, its range, and the offset after
  /// the access. If the access is an index, or if its name becomes known only during the run, returns nil and removes nothing.
  mutating func takeName(_ rest: inout ArraySlice<SyntaxNode>) throws(Refused) -> (name: String, range: Range<Int>, end: Int)? {
    guard let part = rest.first else { return nil }
    switch try key(of: part) {
    case .name(let name):
      rest.removeFirst()
      return (name, Self.keyRange(of: part), part.range.upperBound)
    case .dynamic(let node):
      guard let name = names.constantText(of: node) else { return nil }
      rest.removeFirst()
      return (name, Self.keyRange(of: part), part.range.upperBound)
    case .index: return nil
    }
  }
}
