import GarlandDiagnostics
import GarlandJSON
import GarlandText
import GarlandYAML

extension DocumentDecoder {
  func decodeExpectations(
    _ node: YAMLNode, _ scope: ExpressionScope, isDefault: Bool, _ table: KeyTable<ExpectKey> = ExpectKey.table
  ) -> [(key: ExpectKey, expectations: [Expectation])] {
    if node.isScalar, !node.isNull, let status = node.scalar?.text, (try? StatusPattern.read(.string(status))) != nil {
      report(
        .wrongType, "expected a mapping of expectations such as `{ status: 200 }`, found \(found(node))", at: node.range,
        help: "write `{ status: \(status) }`", replacement: node.isAlias ? nil : "{ status: \(status) }")
      return []
    }
    guard let reader = reader(node, table, "a mapping of expectations such as `{ status: 200 }`") else { return [] }
    var result: [(key: ExpectKey, expectations: [Expectation])] = []
    result.reserveCapacity(reader.entries.count)
    if node.mapping?.isEmpty == true {
      report(
        .testsNothing, "this mapping has no expectation", at: node.range,
        help: table === ExpectKey.table
          ? "write an expectation, such as `{ status: 200 }`, or remove `expect`" : "write an expectation, such as `{ status: 200 }`")
    }
    for (key, entry) in reader.entries {
      if Self.isEmpty(key, entry.value) {
        if isDefault { reportEmptyExpectation(key, entry.value.range) } else { emptyExpectations.append((key, entry.value.range)) }
      }
      let expectations = decodeExpectation(key, entry, scope, isDefault: isDefault)
      result.append((key, options.ablation != nil && options.ablation == .expectation(key.rawValue) ? [] : expectations))
    }
    return result
  }

  /// Whether the value of a key of `expect` is an empty mapping or list, so that the expectation checks nothing. Returns false for keys
  /// such as `status`, whose empty values are reported by other functions.
  private static func isEmpty(_ key: ExpectKey, _ node: YAMLNode) -> Bool {
    switch key {
    case .headers, .cookies, .json, .xpath, .plist, .query, .tls: node.mapping?.isEmpty == true
    case .that: node.sequence?.isEmpty == true
    default: false
    }
  }

  /// Decodes the expectations under `until` that end the polling of a step with `poll`.
  func decodeAwaited(_ node: YAMLNode, _ scope: ExpressionScope) -> [Expectation] {
    let groups = decodeExpectations(node, scope, isDefault: false, ExpectKey.untilTable)
    for (key, range) in emptyExpectations { reportEmptyExpectation(key, range) }
    emptyExpectations = []
    return groups.flatMap(\.expectations)
  }

  private func reportEmptyExpectation(_ key: ExpectKey, _ range: SourceRange) {
    report(
      .testsNothing, "`\(key.rawValue)` is empty, so it checks nothing", at: range,
      help: "write an expectation, or leave `\(key.rawValue)` out")
  }

  /// Reports empty mappings in a step's `expect`. An empty mapping is allowed only if it switches off an expectation of the defaults, or of
  /// a step that the step extends.
  func reportEmptyExpectations(besides defaults: StepSettings, _ reader: MappingReader<StepKey>) {
    guard !emptyExpectations.isEmpty else { return }
    let found = emptyExpectations
    emptyExpectations = []
    guard reader[.extends] == nil else { return }
    for (key, range) in found where !defaults.expected.groups.contains(where: { $0.key == key }) { reportEmptyExpectation(key, range) }
  }

  func decodeExpectation(
    _ key: ExpectKey, _ entry: YAMLMapping.Entry, _ scope: ExpressionScope, isDefault: Bool
  ) -> [Expectation] {
    let node = entry.value
    func expectation(_ check: Expectation.Check) -> [Expectation] {
      [Expectation(check: check, keyRange: entry.key.range, range: node.range, isDefault: isDefault)]
    }
    func predicates(_ subject: CheckSubject) -> [Predicate] { decodePredicates(node, subject, scope) }
    switch key {
    case .status:
      if let code = StatusPattern.code(of: node) { return expectation(.status([Setting(.constant(code), at: node.range)])) }
      if node.mapping != nil { return expectation(.statusPredicates(predicates(.number("the status", whole: true)))) }
      if refuseOperator(node, .number("the status", whole: true)) { return [] }
      return expectation(.status(decodeList(node, scope)))
    case .type:
      if node.mapping != nil { return expectation(.typePredicates(predicates(.text("the type")))) }
      return expectation(.type(decodeList(node, scope)))
    case .headers, .cookies: return decodeNamedExpectations(key, node, scope, isDefault: isDefault)
    case .json: return decodeJSONExpectations(node, "json", scope, isDefault: isDefault) { .json($0, $1) }
    case .plist: return decodeJSONExpectations(node, "plist", scope, isDefault: isDefault) { .plist($0, $1) }
    case .xpath: return decodeXPathExpectations(node, scope, isDefault: isDefault)
    case .body: return expectation(.body(predicates(.text("the body"))))
    case .firstBytes:
      if node.mapping != nil { return expectation(.firstBytesPredicates(predicates(.text("the first bytes")))) }
      return expectation(.firstBytes(decodeList(node, scope)))
    case .schema: return decodeSchema(node).map { expectation(.schema($0)) } ?? []
    case .snapshot: return decodeSnapshot(node, scope).map { expectation(.snapshot($0)) } ?? []
    case .tls: return decodeTLSExpectations(node, scope, isDefault: isDefault)
    case .error: return decodeError(node, scope).map { expectation(.error($0)) } ?? []
    case .time, .timeToFirstEvent, .timeToFirstLine, .timeToFirstPart, .timeToFirstMessage:
      guard let limits = decodeTimeLimits(node, scope) else { return [] }
      return expectation(key.stream.map { .timeToFirstItem($0, limits) } ?? .time(limits))
    case .events, .lines, .parts, .messages:
      guard let stream = key.stream else { return [] }
      return expectation(.items(stream, predicates(CheckSubject(words: "`\(key.rawValue)`", kinds: .list))))
    case .size: return expectation(.size(predicates(CheckSubject(words: "the size", kinds: .number, unit: .size))))
    case .sha256: return decodeDigest(node, scope).map { expectation(.sha256($0)) } ?? []
    case .redirects:
      if refuseOperator(node, .number("the number of redirects", whole: true)) { return [] }
      return expectation(.redirects(predicates(CheckSubject(words: "`redirects`", kinds: [.number, .list]))))
    case .url: return expectation(.url(predicates(.text("the URL"))))
    case .method: return expectation(.method(predicates(.text("the method"))))
    case .query: return decodeQueryExpectations(node, scope, isDefault: isDefault)
    case .version:
      if node.scalar != nil, let version = setting(node, scope, as: HTTPVersionSetting.self)?.constant {
        let value = ValueTemplate.constant(.string(version.rawValue), node.range)
        return expectation(.version([equality(with: value, node)]))
      }
      return node.scalar != nil ? [] : expectation(.version(predicates(.text("the version"))))
    case .that:
      let nodes = node.sequence ?? [node]
      return nodes.compactMap { node in
        guard let condition = setting(node, scope, as: Bool.self) else { return nil }
        return Expectation(check: .that(condition), keyRange: node.range, range: node.range, isDefault: isDefault)
      }
    }
  }

  /// Decodes a mapping whose keys are the names of header fields or cookies, and whose values are predicates.
  private func decodeNamedExpectations(
    _ key: ExpectKey, _ node: YAMLNode, _ scope: ExpressionScope, isDefault: Bool
  ) -> [Expectation] {
    let what = key == .headers ? "header" : "cookie"
    if let items = node.sequence, !items.isEmpty, !node.isAlias {
      let names = items.compactMap { $0.scalar?.text }.filter { HTTPToken.isToken($0) }
      report(
        .wrongType, "expected a mapping of \(what) names to expectations, found a list", at: node.range,
        help: "to expect only that they are present, write `exists: true` for each",
        replacement: names.count < items.count
          ? nil : "{ \(names.map { "\(YAMLQuoting.scalar($0)): { exists: true }" }.joined(separator: ", ")) }")
      return []
    }
    guard let mapping = mapping(node, "a mapping of \(what) names to expectations") else { return [] }
    return mapping.entries.flatMap { entry -> [Expectation] in
      let name = expressionName(entry, scope, "the name of a \(what)")
      if name == nil, !HTTPToken.isToken(entry.name) {
        report(.badHeader, "`\(Words.excerpt(entry.name))` is not a valid \(what) name", at: entry.key.range)
      }
      if key == .cookies, let facts = decodeCookieFacts(entry, scope, isDefault: isDefault) { return facts.map { $0.named(by: name) } }
      let subject = CheckSubject(words: "the \(what) `\(entry.name)`", kinds: key == .headers ? [.text, .list] : .text)
      let predicates = decodePredicates(entry.value, subject, scope)
      return [
        Expectation(
          check: key == .headers ? .header(entry.name, predicates) : .cookie(entry.name, predicates), keyRange: entry.key.range,
          range: entry.value.range, isDefault: isDefault
        ).named(by: name)
      ]
    }
  }

  /// Decodes the predicates that limit a duration, such as `{ lt: 500ms }`. If the value is a single duration or a list, reports an error
  /// and returns nil.
  private func decodeTimeLimits(_ node: YAMLNode, _ scope: ExpressionScope) -> [Predicate]? {
    if node.sequence != nil {
      report(.wrongType, "expected a time limit such as `{ lt: 500ms }`, found a list", at: node.range)
      return nil
    }
    if let number = node.scalar, !number.isString, JSONNumber(number.text) != nil {
      report(
        .wrongType, "expected a time limit such as `{ lt: 500ms }`, found \(found(node))", at: node.range,
        replacements: SettingMistake.durations(TemplateCompiler.constant(number)).map { "{ lt: \($0) }" })
      return nil
    }
    let subject = CheckSubject(words: "the time", kinds: .number, unit: .duration)
    if refuseOperator(node, subject) { return nil }
    if node.scalar != nil, let time = setting(node, scope, as: Duration.self) {
      report(
        .neverHolds, "no response takes exactly this time", at: node.range,
        help: "to set a limit, write `{ lt: \(node.scalar?.text ?? "1s") }`",
        replacement: time.constant == nil ? nil : "{ lt: \(node.scalar?.text ?? "1s") }")
      return nil
    }
    return decodePredicates(node, subject, scope)
  }

  /// Decodes the expected digest of a body: the digest as hexadecimal text, or a file whose digest the body must have.
  private func decodeDigest(_ node: YAMLNode, _ scope: ExpressionScope) -> DigestTemplate? {
    if let mapping = node.mapping {
      let reader = MappingReader(node, mapping, FileKey.table, into: &diagnostics)
      guard let file = reader.value(.file) else {
        if !reader.hasRefusedKeys {
          report(.missingKey, "`sha256` has no `file`", at: startOf(node), help: "write `sha256: { file: PATH }`")
        }
        return nil
      }
      return fileTemplate(file, scope, canBeDownloaded: true).map { .file($0) }
    }
    return setting(node, scope, as: DigestText.self).map { .hex($0) }
  }

  /// Decodes the expectations of a received request's query: a mapping from the names of query parameters to predicates.
  private func decodeQueryExpectations(_ node: YAMLNode, _ scope: ExpressionScope, isDefault: Bool) -> [Expectation] {
    guard let mapping = mapping(node, "a mapping of query parameters to expectations") else { return [] }
    return mapping.entries.map { entry in
      let subject = CheckSubject(words: "the query parameter `\(entry.name)`", kinds: [.text, .list])
      return Expectation(
        check: .query(entry.name, decodePredicates(entry.value, subject, scope)), keyRange: entry.key.range, range: entry.value.range,
        isDefault: isDefault
      ).named(by: expressionName(entry, scope, "the name of a parameter"))
    }
  }

  /// Decodes a setting whose value may be a single element or a list.
  func decodeList<Wrapped: SettingValue>(_ node: YAMLNode, _ scope: ExpressionScope) -> [Setting<Wrapped>] {
    guard let items = node.sequence else { return setting(node, scope).map { [$0] } ?? [] }
    if items.isEmpty {
      report(.neverHolds, "the list is empty, so no value is accepted", at: node.range, help: "add a value, or remove the key")
    }
    return items.compactMap { setting($0, scope) }
  }

  // MARK: JSON

  private func decodeJSONExpectations(
    _ node: YAMLNode, _ key: String, _ scope: ExpressionScope, isDefault: Bool,
    _ check: (JSONPath, [Predicate]) -> Expectation.Check
  ) -> [Expectation] {
    guard let mapping = node.mapping else {
      report(
        .wrongType, "expected a mapping of JSONPaths to values, found \(found(node))", at: node.range,
        help: "to check the whole body, write `\(key): { $: … }`")
      return []
    }
    var result: [Expectation] = []
    result.reserveCapacity(mapping.count)
    for position in 0..<mapping.count {
      let entry = mapping.entry(at: position)
      guard let path = jsonPath(entry.key, expecting: entry.value) else { continue }
      result.append(
        Expectation(
          check: check(path, decodePredicates(entry.value, CheckSubject(path), scope)), keyRange: entry.key.range, range: entry.value.range,
          isDefault: isDefault))
    }
    return result
  }

  /// Whether an unknown key among a cookie's predicates is the name of a cookie attribute, such as `path`, or resembles one.
  private static func isCookieFact(_ name: String) -> Bool {
    if CookieFact.table.key(name) != nil { return true }
    return Suggestion.nearest(to: name, in: PredicateKey.table.names) == nil && PredicateKey.table.key(name) == nil
      && Suggestion.nearest(to: name, in: CookieFact.table.names) != nil
  }

  /// Decodes the expectations of a cookie's attributes, such as `path` or `expires`. Returns nil if the entry checks only the cookie's
  /// value.
  private func decodeCookieFacts(_ entry: YAMLMapping.Entry, _ scope: ExpressionScope, isDefault: Bool) -> [Expectation]? {
    guard let mapping = entry.value.mapping, mapping.entries.contains(where: { Self.isCookieFact($0.name) }) else { return nil }
    if let predicate = mapping.entries.first(where: { PredicateKey.table.key($0.name) != nil }) {
      report(
        .conflict, "the predicate `\(predicate.name)` can't be used together with attributes of the cookie", at: predicate.key.range,
        help: "to check the value of the cookie, write `value: { \(predicate.name): … }`")
      return []
    }
    if let step = scope.step, names.kinds.listens.contains(step) {
      report(
        .conflict, "a cookie of a request has no attributes", at: entry.value.range,
        help: "only the header `Set-Cookie` of a response has attributes")
      return []
    }
    return MappingReader(entry.value, mapping, CookieFact.table, into: &diagnostics).entries.map { fact, part in
      Expectation(
        check: .cookieFact(entry.name, fact, decodePredicates(part.value, fact.subject, scope)), keyRange: part.key.range,
        range: part.value.range, isDefault: isDefault)
    }
  }

  /// Parses a JSONPath. If the path is invalid, reports the error at the character that causes it and returns nil.
  ///
  /// - Parameters:
  ///   - node: the path.
  ///   - value: the expected value or the predicates, if the path is that of an expectation.
  func jsonPath(_ node: YAMLNode, expecting value: YAMLNode? = nil) -> JSONPath? {
    if !node.isNull, let known = node.withText({ cache.paths[$0] }) { return known }
    guard let scalar = scalar(node, "a JSONPath such as `$.id`") else { return nil }
    if ExpressionScanner.hasExpression(scalar.text) {
      report(
        .badJSONPath, "a JSONPath can't contain `${…}`", at: node.range,
        help: value == nil ? nil : "write an expression instead of the JSONPath: `that: ${response.json…}`")
      return nil
    }
    do {
      let path = try JSONPath(scalar.text)
      if !node.isNull { node.withText { cache.paths.keep(path, of: $0) } }
      return path
    } catch {
      if let value, refuseCallAfterPath(node, expecting: value) { return nil }
      let range = scalar.sourceRange(of: error.range, in: node)
      guard !scalar.text.hasPrefix("$") else {
        let quoted = Self.quotingNames(scalar.text)
        report(
          .badJSONPath, error.message, at: range, help: quoted.map { "write `\(Words.excerpt($0))`" } ?? error.suggestion,
          replacement: node.isAlias ? nil : quoted.map(YAMLQuoting.scalar), fixRange: node.range)
        return nil
      }
      if let advice = Self.misplacedCheck(scalar.text) {
        report(.badJSONPath, error.message, at: range, help: advice)
        return nil
      }
      let pointed = JSONPointer.path(scalar.text)
      let path = pointed ?? JSONPath.meant(by: scalar.text)
      report(
        .badJSONPath, error.message, at: range,
        help: path.map { "\(pointed == nil ? "a path begins with `$`" : "the JSONPath for this JSON Pointer is"): `\(Words.excerpt($0))`" },
        replacement: node.isAlias ? nil : path.map(YAMLQuoting.scalar), fixRange: node.range)
      return nil
    }
  }

  /// Returns help if the name of a predicate or expectation is written where a JSONPath is required; nil for any other text.
  private static func misplacedCheck(_ name: String) -> String? {
    if PredicateKey.table.key(name) != nil { return "to check the whole body, write `json: { $: { \(name): … } }`" }
    guard ExpectKey.table.key(name) != nil else { return nil }
    return "move `\(name)` next to `json`; if it is a member of the body, write `$.\(name)`"
  }

  /// Returns a JSONPath with quotes around each name that contains a `-`, such as `$['x-key']`. Returns nil if the path is invalid even
  /// with the quotes.
  static func quotingNames(_ path: String) -> String? {
    let parts = path.split(separator: ".", omittingEmptySubsequences: false)
    let quoted = parts.dropFirst().reduce(parts.first.map(String.init) ?? "") { path, part in
      let name = part.prefix { $0 != "[" }
      let isName = name.contains("-") && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
      return path + (isName ? "['\(name)']\(part.dropFirst(name.count))" : ".\(part)")
    }
    return quoted != path && (try? JSONPath(quoted)) != nil ? quoted : nil
  }

  // MARK: Patterns and schemas

  func pattern(_ node: YAMLNode, _ scope: ExpressionScope) -> PatternTemplate? {
    guard let scalar = scalar(node, "a regular expression") else { return nil }
    if ExpressionScanner.hasExpression(scalar.text), let template = template(node, scope, "a regular expression"), template.constant == nil
    {
      return PatternTemplate(content: .template(template), range: node.range)
    }
    if let known = cache.patterns[scalar.text] { return PatternTemplate(content: .constant(known), range: node.range) }
    do {
      let expression = try RegularExpression(scalar.text)
      cache.patterns[scalar.text] = expression
      return PatternTemplate(content: .constant(expression), range: node.range)
    } catch {
      let count = scalar.text.utf8.count
      let start = min(max(0, error.offset), max(0, count - 1))
      report(.badRegex, error.message, at: scalar.sourceRange(of: start..<min(start + 1, count), in: node))
      return nil
    }
  }
}

extension Expectation {
  /// Returns this expectation about a header field or cookie, but with a name that is computed during the run.
  ///
  /// - Parameter name: the expression that computes the name. If nil, the name is a literal, and the expectation is returned unchanged.
  fileprivate func named(by name: Template?) -> Expectation {
    guard let name else { return self }
    return Expectation(check: .named(name, check), keyRange: keyRange, range: range, isDefault: isDefault)
  }
}
