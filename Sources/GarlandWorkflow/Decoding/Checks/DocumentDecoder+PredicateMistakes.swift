import GarlandDiagnostics
import GarlandYAML

/// Reports unknown predicates, with suggestions.
extension DocumentDecoder {
  /// Reports the unknown predicates in a mapping.
  ///
  /// If no key of the mapping is a valid or misspelt predicate, and the checked value may be a mapping too, the author probably meant the
  /// mapping as the value to compare with. The function then reports this single mistake instead of each unknown key. Predicates of other
  /// tools, such as `not_contains`, are reported in any case.
  ///
  /// - Parameters:
  ///   - entries: the unknown entries.
  ///   - known: the number of valid predicates in the same mapping.
  func reportUnknown(_ entries: [YAMLMapping.Entry], besides known: Int, _ node: YAMLNode, _ subject: CheckSubject) {
    var unknown = entries
    let negations = unknown.compactMap { entry in Self.meant(entry).map { (entry, $0) } }
    for (entry, predicate) in negations { reportMeant(entry, predicate) }
    unknown.removeAll { entry in negations.contains { $0.0.key.range == entry.key.range } }
    if known == 0, subject.kinds.contains(.mapping), let first = unknown.first,
      !unknown.contains(where: { !Self.near($0.name).isEmpty || Self.hint($0.name) != nil })
    {
      reportLiteral(first, node)
    } else {
      let isText = !subject.kinds.contains(.mapping)
      for entry in unknown {
        if isText, entry.name.hasPrefix("$") { reportPath(entry, in: node) } else { reportUnknown(entry) }
      }
    }
  }

  /// Reports a JSONPath that is written where a predicate for a text is required. The help suggests the predicate `json`, which parses the
  /// text and checks it with JSONPaths.
  private func reportPath(_ entry: YAMLMapping.Entry, in node: YAMLNode) {
    let end = max(entry.key.range.offsets.upperBound, entry.value.range.offsets.upperBound)
    let whole = SourceRange(entry.key.range.file, entry.key.range.offsets.lowerBound..<end)
    // A plain scalar outside of braces may contain a comma.
    let isPlain = node.mapping?.count == 1 && !node.isAlias && node.range.text.hasPrefix("{") && !whole.text.contains("\n")
    report(
      .unknownPredicate, "there is no predicate `\(Words.excerpt(entry.name))`", at: entry.key.range,
      help: "to check a part of JSON, write `json: { \(Words.excerpt(entry.name)): … }`",
      replacement: isPlain ? "json: { \(whole.text) }" : nil, fixRange: isPlain ? whole : nil)
  }

  /// Reports a comparison such as `>500ms`, the syntax of other tools, and suggests `{ gt: 500ms }`. Returns whether the node contains such
  /// a comparison.
  func refuseOperator(_ node: YAMLNode, _ subject: CheckSubject) -> Bool {
    guard subject.kinds == .number, node.hasText(where: { $0.count > 1 && ($0[0] == UInt8(ascii: ">") || $0[0] == UInt8(ascii: "<")) }),
      let text = node.scalar?.text
    else { return false }
    let predicates = [(">=", "gte"), ("<=", "lte"), (">", "gt"), ("<", "lt")]
    guard let (sign, name) = predicates.first(where: { text.hasPrefix($0.0) }) else { return false }
    let value = String(text.dropFirst(sign.utf8.count).drop { $0 == " " })
    guard !value.isEmpty else { return false }
    report(
      .wrongType, "expected a number or a predicate for \(subject.words), found the text `\(Words.excerpt(text))`", at: node.range,
      help: "write `{ \(name): \(Words.excerpt(value)) }`", replacement: node.isAlias ? nil : "{ \(name): \(YAMLQuoting.scalar(value)) }")
    return true
  }

  private static func near(_ name: String) -> [String] {
    let names = PredicateKey.table.names
    return KeyAliases.key(for: name, among: names).map { [$0] } ?? Suggestion.allNearest(to: name, in: names)
  }

  /// Reports a mapping that contains no known predicate. The author probably meant the mapping as the expected value, so the suggested fix
  /// is `eq: {…}`. If the only key of the mapping resembles a predicate, as `isSize` does, the author must choose this fix explicitly.
  private func reportLiteral(_ first: YAMLMapping.Entry, _ node: YAMLNode) {
    // A value on several lines cannot be put into braces by a single replacement.
    let isFlow = !node.isAlias && node.range.text.hasPrefix("{")
    let fix = isFlow ? Diagnostic.Fix(node.range, "{ eq: \(node.range.text) }") : nil
    let help = "to compare with a mapping, write `eq: {…}`; to compare only these members, write `subset: {…}`"
    let diagnostic = Diagnostic(.unknownPredicate, "there is no predicate `\(Words.excerpt(first.name))`", at: first.key.range)
    guard node.mapping?.count == 1, Self.resemblesPredicate(first.name) else {
      diagnostics.report(diagnostic.help(help, fix: fix))
      return
    }
    guard let key = Self.predicate(within: first.name) else {
      diagnostics.report(diagnostic.choice(help, fix: fix).help("the predicates are \(Words.list(PredicateKey.table.names))"))
      return
    }
    let renaming = Diagnostic.Fix(first.key.range, YAMLQuoting.key(key, inPlaceOf: first.key.range.text))
    diagnostics.report(diagnostic.choice("did you mean `\(key)`?", fix: renaming).choice(help, fix: fix))
  }

  /// The first words in the names of many predicates of other tools, such as `to` in `toHaveSize` and `is` in `isPositive`.
  private static let beginnings: Set<Substring> = ["is", "has", "have", "to", "be", "should", "must", "not", "min", "max"]

  /// Whether a name is probably a predicate of another tool and not a member of a mapping.
  private static func resemblesPredicate(_ name: String) -> Bool {
    let words = KeyAliases.snake(name).split(separator: "_")
    return words.first.map { words.count > 1 && beginnings.contains($0) } ?? false || predicate(within: name) != nil
  }

  /// Returns Garland's predicate for a name of another tool, such as `length` for `toHaveLength` and `sizeOf`. Ignores words such as `to`,
  /// `have` and `of` in the name. Returns nil if the name contains no such word, or if no predicate remains.
  private static func predicate(within name: String) -> String? {
    let words = KeyAliases.snake(name).split(separator: "_")
    var core = words.drop { beginnings.contains($0) && $0 != "not" && $0 != "min" && $0 != "max" }
    if core.last == "of" { core.removeLast() }
    guard !core.isEmpty, core.count < words.count else { return nil }
    let rest = core.joined(separator: "_")
    let names = PredicateKey.table.names
    return names.contains(rest) ? rest : KeyAliases.key(for: rest, among: names)
  }

  /// Returns the text of Garland's predicate that means the same as a predicate of another tool, such as `not_contains: x`, `is_null: true`
  /// or `isString: true`. Returns nil for an unknown name.
  private static func meant(_ entry: YAMLMapping.Entry) -> String? {
    let name = entry.name.lowercased().filter { $0 != "_" && $0 != "-" }
    let isFalse = entry.value.scalar?.text == "false"
    func predicate(_ rest: Substring) -> String? {
      PredicateKey.allCases.map(\.rawValue).first { $0.filter { $0 != "_" } == rest }
        ?? (rest == "contain" || rest == "include" ? "contains" : rest == "match" || rest == "regex" ? "matches" : nil)
    }
    switch name {
    case "isnull", "null", "isnil": return isFalse ? "ne: null" : "eq: null"
    case "notnull", "isnotnull", "notnil": return isFalse ? "eq: null" : "ne: null"
    case "isempty": return isFalse ? "empty: false" : "empty: true"
    case "notempty", "isnotempty", "nonempty", "nempty": return isFalse ? "empty: true" : "empty: false"
    case "notexists", "notexist", "doesnotexist", "nexists", "absent": return isFalse ? "exists: true" : "exists: false"
    default: break
    }
    let types = [
      "string": "string", "text": "string", "number": "number", "float": "number", "integer": "integer", "int": "integer",
      "boolean": "boolean", "bool": "boolean", "list": "array", "array": "array", "collection": "array", "object": "object",
    ]
    if name.hasPrefix("is"), let type = types[String(name.dropFirst(2))] { return isFalse ? "not: { type: \(type) }" : "type: \(type)" }
    let written = entry.value.range.text
    for (prefix, bound) in [("min", "gte"), ("max", "lte")] where name.hasPrefix(prefix) {
      guard ["length", "size", "count", "items"].contains(name.dropFirst(prefix.count)), entry.value.isScalar else { continue }
      return "length: { \(bound): \(written) }"
    }
    for prefix in ["doesnot", "isnot", "not", "no", "n"] where name.hasPrefix(prefix) {
      guard let known = predicate(name.dropFirst(prefix.count)) else { continue }
      return "not: { \(known): \(written.contains("\n") ? "…" : written) }"
    }
    return nil
  }

  private func reportMeant(_ entry: YAMLMapping.Entry, _ predicate: String) {
    let whole = SourceRange(
      file, entry.key.range.offsets.lowerBound..<max(entry.key.range.offsets.upperBound, entry.value.range.offsets.upperBound))
    let isPlain = !entry.value.isAlias && !predicate.contains("…")
    report(
      .unknownPredicate, "there is no predicate `\(Words.excerpt(entry.name))`", at: entry.key.range,
      help: "write `\(Words.excerpt(predicate))`", replacement: isPlain ? predicate : nil, fixRange: isPlain ? whole : nil)
  }

  private static func hint(_ name: String) -> String? { KeyAliases.hint(for: name, among: PredicateKey.table.names) }

  private func reportUnknown(_ entry: YAMLMapping.Entry) {
    let names = PredicateKey.table.names
    if entry.name == "is", let word = entry.value.scalar?.text, JSONTypeName(rawValue: word) != nil {
      var diagnostic = Diagnostic(.unknownPredicate, "there is no predicate `is`", at: entry.key.range)
      for key in [PredicateKey.eq, .type] {
        let name = YAMLQuoting.key(key.rawValue, inPlaceOf: entry.key.range.text)
        diagnostic = diagnostic.help("did you mean `\(key.rawValue)`?", fix: .init(entry.key.range, name))
      }
      diagnostics.report(diagnostic)
      return
    }
    if let hint = Self.hint(entry.name) {
      report(.unknownPredicate, "there is no predicate `\(Words.excerpt(entry.name))`", at: entry.key.range, help: hint)
      return
    }
    let near = Self.near(entry.name)
    if near.count > 1 {
      var diagnostic = Diagnostic(.unknownPredicate, "there is no predicate `\(Words.excerpt(entry.name))`", at: entry.key.range)
      for key in near {
        diagnostic = diagnostic.choice(
          "did you mean `\(key)`?", fix: .init(entry.key.range, YAMLQuoting.key(key, inPlaceOf: entry.key.range.text)))
      }
      diagnostics.report(diagnostic)
      return
    }
    if let near = near.first {
      // A name of two letters is similar to several predicates, and a list of predicates is not a value of `each` or `any`.
      let isGuess = entry.name.count <= 2 && KeyAliases.key(for: entry.name, among: names) == nil
      let isList = entry.value.sequence != nil && (near == PredicateKey.each.rawValue || near == PredicateKey.any.rawValue)
      let isRight = !isGuess && !isList && PredicateKey(rawValue: near)?.info.shape.admits(entry.value) ?? false
      report(
        .unknownPredicate, "there is no predicate `\(Words.excerpt(entry.name))`", at: entry.key.range,
        help: "did you mean `\(near)`? "
          + "If `\(Words.excerpt(entry.name))` is a member of the expected value, write `eq: {…}` or `subset: {…}`",
        replacement: isRight ? YAMLQuoting.key(near, inPlaceOf: entry.key.range.text) : nil)
      return
    }
    report(
      .unknownPredicate, "there is no predicate `\(Words.excerpt(entry.name))`", at: entry.key.range,
      help: "the predicates are \(Words.list(names))")
  }

  /// Reports a predicate that compares a single value, if the check can select several values. Only the author knows whether all values
  /// must match, or only one of them.
  ///
  /// - Parameter operand: the expected value as the document contains it, if it is written without a predicate and a fix can replace it;
  ///   otherwise nil.
  func refuseOnList(
    _ what: String, _ subject: CheckSubject, _ range: SourceRange, _ text: String?, operand: String? = nil
  ) {
    var value = text.map { Words.excerpt($0, limit: 20) } ?? "…"
    var place = range
    var replacement: ((String) -> String)?
    if let operand { replacement = { "{ \($0): \(operand) }" } }
    if let entry = onlyPredicate, entry.key.range.offsets.lowerBound <= range.offsets.lowerBound,
      range.offsets.upperBound <= entry.value.range.offsets.upperBound, value.hasPrefix("{ \(entry.name): "), !entry.value.isAlias,
      !entry.value.range.text.contains("\n")
    {
      let whole = "{ \(entry.name): \(entry.value.range.text) }"
      value = whole
      replacement = { "\($0): \(whole)" }
      place = SourceRange(entry.key.range.file, entry.key.range.offsets.lowerBound..<entry.value.range.offsets.upperBound)
    }
    var diagnostic = Diagnostic(.scalarOnList, "\(subject.words) can select several values, but \(what) only one", at: range)
    for (predicate, condition) in [("each", "all values"), ("any", "one value")] {
      diagnostic = diagnostic.help(
        "write `\(predicate): \(value)` if \(condition) must match", fix: replacement.map { .init(place, $0(predicate)) })
    }
    diagnostics.report(diagnostic)
  }
}
