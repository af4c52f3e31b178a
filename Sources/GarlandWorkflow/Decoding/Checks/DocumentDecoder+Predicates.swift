import GarlandDiagnostics
import GarlandJSON
import GarlandYAML

extension DocumentDecoder {
  /// Decodes predicates. A scalar or a list is a value that the checked value must equal; a mapping contains predicates by name.
  func decodePredicates(_ node: YAMLNode, _ subject: CheckSubject, _ scope: ExpressionScope) -> [Predicate] {
    guard let mapping = node.mapping else {
      if subject.isNodeList, node.isScalar {
        refuseOnList(
          "is compared with", subject, node.range, node.scalar?.text, operand: node.isAlias ? nil : node.range.text)
        return []
      }
      if refuseOperator(node, subject) { return [] }
      guard let value = operand(node, subject, scope, orders: false), checkKind(of: value, node, subject) else { return [] }
      return [equality(with: value, node)]
    }
    if mapping.isEmpty {
      report(
        .unknownPredicate, "this mapping has no predicate", at: node.range,
        help: "to compare with an empty mapping, write `eq: {}` or `empty: true`",
        replacement: "{ eq: {} }")
      return []
    }
    var known: [(key: PredicateKey, entry: YAMLMapping.Entry)] = []
    known.reserveCapacity(mapping.count)
    var unknown: [YAMLMapping.Entry] = []
    let table = PredicateKey.table
    mapping.forEachName { position, name in
      let entry = mapping.entry(at: position)
      if let key = table.key(name) { known.append((key, entry)) } else { unknown.append(entry) }
    }
    if !unknown.isEmpty { reportUnknown(unknown, besides: known.count, node, subject) }
    onlyPredicate = mapping.count == 1 ? mapping.entry(at: 0) : nil
    var predicates: [Predicate] = []
    predicates.reserveCapacity(known.count)
    for (key, entry) in known {
      if let decoded = predicate(key, entry, subject, scope) {
        let kind = options.ablation?.kind(inPlaceOf: key, at: entry.value) ?? decoded
        predicates.append(Predicate(kind: kind, keyRange: entry.key.range, range: entry.value.range))
      }
    }
    checkBounds(predicates, node)
    return predicates
  }

  /// Returns the predicate that requires the checked value to equal `value`, which must not be a mapping.
  func equality(with value: ValueTemplate, _ node: YAMLNode) -> Predicate {
    Predicate(kind: options.ablation?.kind(inPlaceOf: .eq, at: node) ?? .eq(value), keyRange: node.range, range: node.range)
  }

  private func predicate(
    _ key: PredicateKey, _ entry: YAMLMapping.Entry, _ subject: CheckSubject, _ scope: ExpressionScope
  ) -> Predicate.Kind? {
    let node = entry.value
    switch key {
    case .eq, .ne:
      if subject.isNodeList, node.scalar != nil {
        refuseOnList(
          "`\(key.rawValue)` with a single value checks", subject, entry.key.range, "{ \(key.rawValue): \(node.scalar?.text ?? "…") }")
        return nil
      }
      guard let value = operand(node, subject, scope, orders: false), checkKind(of: value, node, subject, isBare: false) else { return nil }
      return key == .eq ? .eq(value) : .ne(value)
    case .gt, .gte, .lt, .lte: return order(key, entry, subject, scope)
    case .in: return membership(entry, subject, scope)
    case .contains: return checkSubject(key, entry, subject, [.text, .list, .mapping]) ? .contains(value(node, scope)) : nil
    case .startsWith, .endsWith:
      guard checkSubject(key, entry, subject, .text) else { return nil }
      guard let text = textOperand(node, key, scope) else { return nil }
      return key == .startsWith ? .startsWith(text) : .endsWith(text)
    case .matches:
      guard checkSubject(key, entry, subject, .text) else { return nil }
      return pattern(node, scope).map { .matches($0) }
    case .type: return decodeTypes(node, subject).map { .type($0) }
    case .length: return length(entry, subject, scope)
    case .empty: return checkSubject(key, entry, subject, [.text, .list, .mapping]) ? setting(node, scope).map { .empty($0) } : nil
    case .exists: return setting(node, scope).map { .exists($0) }
    case .each, .any, .none:
      guard checkSubject(key, entry, subject, .list) else { return nil }
      let predicates = decodePredicates(node, subject.item, scope)
      return key == .each ? .each(predicates) : key == .any ? .any(predicates) : .none(predicates)
    case .subset: return subset(entry, subject, scope)
    case .schema: return decodeSchema(node).map { .schema($0) }
    case .not: return .not(decodePredicates(node, subject, scope))
    case .json: return checkSubject(key, entry, subject, .text) ? decodeSelected(node, scope).map { .json($0) } : nil
    case .date: return checkSubject(key, entry, subject, [.text, .number]) ? decodeDate(node, scope).map { .date($0) } : nil
    }
  }

  /// Decodes the predicate `in`, which lists the allowed values.
  private func membership(
    _ entry: YAMLMapping.Entry, _ subject: CheckSubject, _ scope: ExpressionScope
  ) -> Predicate.Kind? {
    let node = entry.value
    if subject.isNodeList {
      refuseOnList("`in` checks", subject, entry.key.range, "{ in: … }")
      return nil
    }
    let list = value(node, scope)
    if let constant = list.constant, !constant.isNull || node.isNull {
      guard case .array(let items) = constant else {
        report(
          .wrongType, "expected a list, found \(found(node))", at: node.range, help: "write `in: [a, b]`, or `eq` for one value",
          replacement: node.scalar == nil || node.isAlias ? nil : "[\(node.range.text)]")
        return nil
      }
      if items.isEmpty { report(.neverHolds, "the list of `in` is empty, so no value is accepted", at: node.range) }
      for (item, itemNode) in zip(items, node.sequence ?? [])
      where !checkKind(of: .constant(item, itemNode.range), itemNode, subject, isBare: false) {
        return nil
      }
    }
    return .in(list)
  }

  /// Decodes the predicate `length`, which checks the number of characters, items or members.
  private func length(
    _ entry: YAMLMapping.Entry, _ subject: CheckSubject, _ scope: ExpressionScope
  ) -> Predicate.Kind? {
    let node = entry.value
    guard checkSubject(.length, entry, subject, [.text, .list, .mapping]) else { return nil }
    let predicates = decodePredicates(node, subject.length, scope)
    if case .eq(let value)? = predicates.first?.kind, let constant = value.constant, (constant.intValue ?? -1) < 0 {
      report(
        .neverHolds, "expected \(constant.stringValue == nil ? "a length of 0 or more" : "a number"), found \(Words.found(constant))",
        at: node.range,
        help: constant.stringValue.flatMap { UInt($0) } == nil ? nil : "write the number without quotes",
        replacement: node.isAlias ? nil : constant.stringValue.flatMap { UInt($0).map { "\($0)" } })
    }
    return .length(predicates)
  }

  /// Decodes the predicate `subset`, which compares only the members that it lists.
  private func subset(
    _ entry: YAMLMapping.Entry, _ subject: CheckSubject, _ scope: ExpressionScope
  ) -> Predicate.Kind? {
    let node = entry.value
    let value = value(node, scope)
    if let constant = value.constant, constant.kind != .object, constant.kind != .array, !(constant.isNull && !node.isNull) {
      report(.wrongType, "expected a mapping or a list, found \(found(node))", at: node.range, help: "compare one value with `eq`")
      return nil
    }
    if subject.isNodeList, value.constant?.kind == .object {
      refuseOnList("`subset` with a mapping checks", subject, entry.key.range, "{ subset: … }")
      return nil
    }
    return checkSubject(.subset, entry, subject, [.list, .mapping]) ? .subset(value) : nil
  }

  /// Returns whether the checked value can equal a constant. Reports an error if it cannot.
  ///
  /// - Parameter isBare: whether the constant is written directly, and not in a mapping of predicates.
  private func checkKind(of value: ValueTemplate, _ node: YAMLNode, _ subject: CheckSubject, isBare: Bool = true) -> Bool {
    guard let constant = value.constant, subject.kinds != .any, !subject.isNodeList, subject.unit == .none else { return true }
    // If the constant is null but the node is not, it was an expression with a mistake, which has already been reported.
    if constant.isNull, !node.isNull { return true }
    let kind = ValueKinds(constant.kind)
    if subject.kinds.contains(kind) { return true }
    // A text is compared with the text of a number or boolean; a number in quotes is a text.
    if subject.kinds.contains(.text), kind == .number || kind == .boolean { return true }
    if subject.kinds.contains(.number), case .string(let text) = constant, JSONNumber(text) != nil { return true }
    report(
      .neverHolds, "\(subject.words) is \(subject.kinds.words), so its value is never \(Words.found(constant))", at: node.range,
      help: constant.isNull
        ? "to expect that it is missing, write `exists: false`"
        : subject.kinds == .list && isBare ? "to check one item of the list, write `{ contains: \(Words.excerpt(node.range.text)) }`" : nil,
      replacement: constant.isNull && isBare && node.range.text == "null" ? "{ exists: false }" : nil)
    return false
  }

  /// Returns whether a predicate can be true for the checked value. Reports an error if it cannot.
  private func checkSubject(_ key: PredicateKey, _ entry: YAMLMapping.Entry, _ subject: CheckSubject, _ wanted: ValueKinds) -> Bool {
    guard subject.kinds.isDisjoint(with: wanted) else { return true }
    if subject.isNodeList {
      refuseOnList("`\(key.rawValue)` checks", subject, entry.key.range, "{ \(key.rawValue): … }")
    } else {
      report(.neverHolds, "`\(key.rawValue)` needs \(wanted.words), but \(subject.words) is \(subject.kinds.words)", at: entry.key.range)
    }
    return false
  }

  private func order(
    _ key: PredicateKey, _ entry: YAMLMapping.Entry, _ subject: CheckSubject, _ scope: ExpressionScope
  ) -> Predicate.Kind? {
    guard checkSubject(key, entry, subject, .number) else { return nil }
    guard let value = operand(entry.value, subject, scope, orders: true) else { return nil }
    if let constant = value.constant, constant.kind != .number, !constant.isNull || entry.value.isNull {
      let number = constant.stringValue.flatMap { JSONNumber($0)?.text }
      report(
        .neverHolds, "`\(key.rawValue)` compares numbers, found \(Words.found(constant))", at: entry.value.range,
        help: number == nil
          ? "to compare texts, write an expression: `that: ${response.json.date > '2026-01-01'}`" : "write the number without quotes",
        replacement: number)
      return nil
    }
    switch key {
    case .gt: return .gt(value)
    case .gte: return .gte(value)
    case .lt: return .lt(value)
    default: return .lte(value)
    }
  }

  /// Decodes the value with which a predicate compares the checked value. If the checked value has a unit, such as seconds, converts the
  /// decoded value to this unit.
  private func operand(_ node: YAMLNode, _ subject: CheckSubject, _ scope: ExpressionScope, orders: Bool) -> ValueTemplate? {
    let value = value(node, scope)
    guard let constant = value.constant else { return value }
    switch (subject.unit, constant) {
    case (.duration, .string(let text)):
      guard let duration = Duration(workflowText: text) else { break }
      let (seconds, attoseconds) = duration.components
      let nanoseconds = String(attoseconds / 1_000_000_000)
      let fraction = String(repeating: "0", count: 9 - nanoseconds.utf8.count) + nanoseconds
      guard let number = JSONNumber(attoseconds == 0 ? "\(seconds)" : "\(seconds).\(fraction)") else { break }
      return .constant(.number(number), node.range)
    case (.duration, .array), (.size, .array), (.none, _): return value
    case (.duration, .null) where !node.isNull, (.size, .null) where !node.isNull: return value
    case (.size, .number): return value
    case (.size, .string(let text)):
      if let size = ByteSize(text) { return .constant(JSONValue(size.bytes), node.range) }
    default: break
    }
    report(
      .wrongType, "expected \(subject.unit == .duration ? Duration.expectation : ByteSize.expectation), found \(found(node))",
      at: node.range, replacements: subject.unit == .duration ? SettingMistake.durations(constant) : [])
    return nil
  }

  private func textOperand(_ node: YAMLNode, _ key: PredicateKey, _ scope: ExpressionScope) -> ValueTemplate? {
    let value = value(node, scope)
    switch value.constant {
    case nil, .string: return value
    case .null where !node.isNull: return value
    case .number(let number): return .constant(.string(number.text), node.range)
    case .some(let constant):
      report(.neverHolds, "`\(key.rawValue)` needs text, found \(Words.found(constant))", at: node.range)
      return nil
    }
  }

  private func decodeTypes(_ node: YAMLNode, _ subject: CheckSubject) -> [JSONTypeName]? {
    let nodes = node.sequence ?? [node]
    var types: [JSONTypeName] = []
    for node in nodes {
      // `type: null` means the type `null`.
      if node.isNull {
        types.append(.null)
        continue
      }
      guard let text = plainText(node, "a type") else { return nil }
      guard let type = JSONTypeName(rawValue: text) else {
        let aliases = [
          "int": "integer", "float": "number", "bool": "boolean", "list": "array", "map": "object", "mapping": "object", "text": "string",
          "str": "string", "dict": "object",
        ]
        let all = JSONTypeName.allCases.map(\.rawValue)
        let near = aliases[text] ?? Suggestion.nearest(to: text, in: all)
        report(
          .wrongType, "there is no type `\(Words.excerpt(text))`", at: node.range,
          help: near.map { "did you mean `\($0)`?" } ?? "the types are \(Words.list(all))", replacement: near)
        return nil
      }
      types.append(type)
    }
    if types.isEmpty { report(.neverHolds, "the list of types is empty, so no value is accepted", at: node.range) }
    if !types.isEmpty, !subject.isNodeList, types.allSatisfy({ subject.kinds.isDisjoint(with: $0.kinds) }) {
      report(.neverHolds, "\(subject.words) is \(subject.kinds.words), so no other type can match", at: node.range)
      return nil
    }
    if subject.isNodeList, !types.contains(.array) {
      refuseOnList(
        "`type: \(types.first?.rawValue ?? "string")` checks", subject, node.range, "{ type: \(types.first?.rawValue ?? "string") }")
      return nil
    }
    return types
  }

  /// Reports bounds that no number can meet together, such as `{ gt: 5, lt: 3 }`.
  private func checkBounds(_ predicates: [Predicate], _ node: YAMLNode) {
    var lower: (value: JSONNumber, isOpen: Bool)?
    var upper: (value: JSONNumber, isOpen: Bool)?
    for predicate in predicates {
      switch predicate.kind {
      case .gt(let value): if let number = value.constant?.numberValue { lower = (number, true) }
      case .gte(let value): if let number = value.constant?.numberValue { lower = (number, false) }
      case .lt(let value): if let number = value.constant?.numberValue { upper = (number, true) }
      case .lte(let value): if let number = value.constant?.numberValue { upper = (number, false) }
      default: break
      }
    }
    guard let lower, let upper else { return }
    if upper.value < lower.value || (upper.value == lower.value && (lower.isOpen || upper.isOpen)) {
      report(.neverHolds, "no number can meet all these limits", at: node.range)
    }
  }
}

extension Ablation {
  /// Returns a replacement for the given predicate: a predicate that always passes or always fails. An ablation test, which removes one
  /// feature of the language, uses the replacement. Returns nil if this test does not replace the given predicate.
  func kind(inPlaceOf predicate: PredicateKey, at node: YAMLNode) -> Predicate.Kind? {
    guard case .predicate(predicate.rawValue, let holds) = self else { return nil }
    // An empty `not` never holds, and its negation always holds.
    let never = Predicate(kind: .not([]), keyRange: node.range, range: node.range)
    return holds ? .not([never]) : never.kind
  }
}
