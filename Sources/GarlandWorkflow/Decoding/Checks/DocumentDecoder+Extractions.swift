import GarlandDiagnostics
import GarlandJSON
import GarlandYAML

extension DocumentDecoder {
  /// Decodes the entries of `extract`. An invalid entry is reported but stays in the result as an extraction, so that the indexes of the
  /// other entries stay the same.
  func decodeExtractions(_ node: YAMLNode, _ scope: ExpressionScope) -> [Extraction] {
    guard let mapping = mapping(node, "a mapping of extract names to sources") else { return [] }
    var result: [Extraction] = []
    result.reserveCapacity(mapping.count)
    for position in 0..<mapping.count {
      let entry = mapping.entry(at: position)
      let computed = computedNames.values.isEmpty ? nil : computedNames.values[entry.key.range]
      let name = Located(computed ?? entry.name, at: entry.key.range)
      let isComputed = computed != nil || entry.key.hasText { ExpressionScanner.hasExpression($0) }
      if !computedNames.values.isEmpty, result.contains(where: { $0.name.value == name.value }) {
        report(.duplicateKey, "another extract of the step has the name `\(name.value)`", at: entry.key.range)
      }
      if !isComputed, !ReservedNames.admits(entry.key, besides: ReservedNames.extracts) {
        checkName(entry.name, entry.key.range, reserved: ReservedNames.extracts, what: "extract")
      }
      if !names.kinds.listens.isEmpty, let step = scope.step, names.kinds.listens.contains(step), ["method", "query"].contains(name.value) {
        report(
          .reservedName,
          "`\(name.value)` can't be the name of an extract of a `listen` step: every received request has a value with this name",
          at: entry.key.range)
      }
      if let format = StreamFormat(rawValue: name.value), let step = scope.step, names.owner(of: step) == .stream(format) {
        report(
          .reservedName,
          "`\(name.value)` can't be the name of an extract of this step: this name is reserved for the list of \(name.value)",
          at: entry.key.range,
          help: adviceOnExtract(name.value))
      }
      if let extraction = decodeExtraction(entry, name, scope) { result.append(extraction) }
    }
    return result
  }

  private func decodeExtraction(_ entry: YAMLMapping.Entry, _ name: Located<String>, _ scope: ExpressionScope) -> Extraction? {
    let node = entry.value
    func extraction(_ source: Extraction.Source, _ choice: Extraction.Choice = .found) -> Extraction {
      Extraction(
        name: name, source: source, defaultValue: nil, isOptional: false, choice: choice, isSecret: false, range: node.range,
        kinds: ExtractKinds.value(of: node))
    }
    if node.hasText(where: ExtractKinds.isPath) {
      if refuseFiltersBehindPath(node) || refuseHeaderAsPath(node) || refuseCallAfterPath(node) { return nil }
      return jsonPath(node).map { extraction(.json($0), $0.isSingular ? .found : .all) }
    }
    if case .scalar(let scalar) = node.content {
      if ExpressionScanner.hasExpression(scalar.text) {
        return extraction(.expression(templates.template(node, scope, into: &diagnostics)))
      }
      reportSource(scalar.text, node)
      return nil
    }
    guard let reader = reader(node, ExtractKey.table, "a JSONPath, or a source such as `{ header: Location }`") else {
      return nil
    }
    let sources = reader.entries.filter { ExtractKey.sources.contains($0.key) }
    guard let (key, sourceEntry) = sources.first else {
      if !reader.hasRefusedKeys {
        report(
          .missingKey, "the extract `\(name.value)` has no source for its value", at: name.range,
          help: "add one of \(Words.list(ExtractKey.sources.map(\.rawValue)))")
      }
      return nil
    }
    if sources.count > 1 {
      report(
        .conflict, "a value can have only one source, found `\(sources[1].entry.name)` and `\(sourceEntry.name)`",
        at: sources[1].entry.key.range)
    }
    if let attribute = reader[.attribute], key != .cookie {
      report(.conflict, "`attribute` can only be used with `cookie`", at: attribute.key.range)
    }
    let found =
      key == .cookie ? cookieSource(sourceEntry.value, reader[.attribute], scope) : extractionSource(key, sourceEntry, scope)
    guard let source = found else { return nil }
    var extraction = Extraction(
      name: name, source: source, defaultValue: reader[.defaultValue].map { value($0.value, scope) },
      isOptional: reader.value(.optional).flatMap { plainBool($0) } ?? false, choice: choice(of: source, reader),
      isSecret: reader.value(.secret).flatMap { plainBool($0) } ?? false, range: node.range, kinds: ExtractKinds.value(of: node))
    extraction.refinement = refinement(reader, of: ExtractKinds.found(by: node), scope)
    return extraction
  }

  /// Reports a text such as `$.header.x-key`, which is not a JSONPath. The help mentions both a response header and a member of the body.
  /// Returns whether the text was reported.
  private func refuseHeaderAsPath(_ node: YAMLNode) -> Bool {
    guard let text = node.scalar?.text, ["$.header.", "$.headers."].contains(where: { text.hasPrefix($0) }),
      (try? JSONPath(text)) == nil, let path = Self.quotingNames(text)
    else { return false }
    var diagnostic = Diagnostic(.badJSONPath, "'-' is not allowed in a name without quotes", at: node.range)
    for meaning in ExtractMeaning.all(of: String(text.dropFirst(2))).prefix(1) {
      diagnostic = diagnostic.help(
        "\(meaning.words) `\(Words.excerpt(meaning.shown))`", fix: node.isAlias ? nil : .init(node.range, meaning.replacement))
    }
    diagnostics.report(
      diagnostic.help(
        "to select a member of the body, write `\(Words.excerpt(path))`",
        fix: node.isAlias ? nil : .init(node.range, YAMLQuoting.scalar(path))))
    return true
  }

  /// Reports a text such as `$.id | upper`, since a filter is not part of a JSONPath. Returns whether the text was reported.
  private func refuseFiltersBehindPath(_ node: YAMLNode) -> Bool {
    guard let text = node.scalar?.text, text.utf8.contains(UInt8(ascii: "|")), let bar = text.firstRange(of: " | "),
      (try? JSONPath(text)) == nil,
      (try? JSONPath(String(text[..<bar.lowerBound]))) != nil
    else { return false }
    let path = String(text[..<bar.lowerBound])
    let filters = String(text[bar.upperBound...])
    report(
      .badJSONPath, "`| \(Words.excerpt(filters))` can't be a part of a JSONPath: write filters in `then`", at: node.range,
      help: "write `{ json: \(Words.excerpt(path)), then: \(Words.excerpt(filters)) }`",
      replacement: node.isAlias ? nil : "{ json: \(YAMLQuoting.scalar(path)), then: \(YAMLQuoting.scalar(filters)) }")
    return true
  }

  /// Decodes the keys `matches` (a regular expression) and `then` (filters) of an extract, which change the extracted value.
  private func refinement(
    _ reader: MappingReader<ExtractKey>, of kinds: ValueKinds, _ scope: ExpressionScope
  ) -> ExtractionRefinement? {
    let pattern = reader[.matches].flatMap { self.pattern($0.value, scope) }
    let filters = reader[.then].flatMap { self.filters($0.value, of: kinds, scope) }
    return pattern == nil && filters == nil ? nil : ExtractionRefinement(pattern: pattern, filters: filters)
  }

  /// Compiles the filters of `then`, such as `trim | upper`. Their input is the extracted value.
  private func filters(_ node: YAMLNode, of kinds: ValueKinds, _ scope: ExpressionScope) -> Expression? {
    guard let scalar = scalar(node, "filters such as `trim | upper`") else { return nil }
    if ExpressionScanner.hasExpression(scalar.text) {
      report(
        .notAName, "write filters here without `${…}`", at: node.range,
        help: "write only the filters, with `|` between them: `trim | upper`")
      return nil
    }
    return templates.filters(scalar, in: node, of: kinds, scope, into: &diagnostics)
  }

  /// Decodes the source of an extract that takes its value from a cookie, or from an attribute of a cookie such as `path`.
  private func cookieSource(_ node: YAMLNode, _ attribute: YAMLMapping.Entry?, _ scope: ExpressionScope) -> Extraction.Source? {
    guard let name: Setting<String> = setting(node, scope) else { return nil }
    guard let attribute else { return .cookie(name) }
    if let step = scope.step, names.kinds.listens.contains(step) {
      report(
        .conflict, "a cookie of a request has no attributes", at: attribute.key.range,
        help: "only the header `Set-Cookie` of a response has attributes")
      return nil
    }
    let words = CookieFact.attributes.map(\.rawValue)
    guard let text = plainText(attribute.value, Words.list(words, conjunction: "or")) else { return nil }
    if let fact = CookieFact(rawValue: text), fact != .value { return .cookieFact(name, fact) }
    let near = Suggestion.nearest(to: text.lowercased(), in: words)
    report(
      .wrongType, "expected \(Words.list(words, conjunction: "or")), found \(found(attribute.value))", at: attribute.value.range,
      help: near.map { "did you mean `\($0)`?" }, replacement: near)
    return nil
  }

  /// The maximum number of bytes that `first_bytes` of an extract can take from the start of a body.
  static let mostFirstBytes = 1024

  private func firstBytes(_ node: YAMLNode) -> Extraction.Source? {
    guard let scalar = node.scalar, case .number(let text) = scalar.value, let count = JSONNumber(text)?.intValue, count > 0 else {
      report(.wrongType, "expected a number of bytes, found \(found(node))", at: node.range)
      return nil
    }
    if count <= Self.mostFirstBytes { return .firstBytes(count) }
    report(.neverHolds, "expected at most \(Self.mostFirstBytes) bytes, found \(found(node))", at: node.range)
    return nil
  }

  /// Decodes the keys `first` and `all`. If the source of an extract finds several values, these keys determine whether the extract takes
  /// the first value or all values.
  private func choice(of source: Extraction.Source, _ reader: MappingReader<ExtractKey>) -> Extraction.Choice {
    let first = reader.value(.first).flatMap { plainBool($0) }
    let all = reader.value(.all).flatMap { plainBool($0) }
    if let entry = reader[.first], let other = reader[.all] {
      diagnostics.report(
        Diagnostic(.conflict, "an extract can have only one of `first` and `all`", at: other.key.range)
          .note("`first` is here", at: entry.key.range))
    }
    if let takesAll = all ?? first.map({ !$0 }) { return takesAll ? .all : .first }
    switch source {
    case .json(let path), .plist(let path): return path.isSingular ? .found : .all
    default: return .found
    }
  }

  /// Reports a text that is neither a JSONPath, nor an expression, nor any other valid source for the value of an extract.
  private func reportSource(_ text: String, _ node: YAMLNode) {
    var diagnostic = Diagnostic(
      .wrongType, "expected the source of the value, such as a JSONPath or an expression, found \(found(node))", at: node.range)
    let meanings = ExtractMeaning.all(of: text)
    for meaning in meanings {
      diagnostic = diagnostic.help(
        "\(meaning.words) `\(Words.excerpt(meaning.shown))`", fix: node.isAlias ? nil : .init(node.range, meaning.replacement))
    }
    if meanings.isEmpty {
      diagnostic = diagnostic.help("write a JSONPath such as `$.id`, or another source such as `{ header: Location }`")
    }
    diagnostics.report(diagnostic)
  }

  private func extractionSource(_ key: ExtractKey, _ entry: YAMLMapping.Entry, _ scope: ExpressionScope) -> Extraction.Source? {
    let node = entry.value
    switch key {
    case .json: return jsonPath(node).map { .json($0) }
    case .pointer:
      guard let scalar = scalar(node, "a JSON Pointer such as `/id`"), let text = plainText(node) else { return nil }
      do {
        return .pointer(try JSONPointer(text))
      } catch {
        let count = text.utf8.count
        let start = min(max(0, error.offset), max(0, count - 1))
        let place = scalar.sourceRange(of: start..<min(start + 1, count), in: node)
        if (try? JSONPath(text)) != nil, !node.isAlias {
          let whole = SourceRange(entry.key.range.file, entry.key.range.offsets.lowerBound..<node.range.offsets.upperBound)
          let path = "json: \(YAMLQuoting.scalar(text))"
          report(.badPointer, error.message, at: place, help: "write `\(Words.excerpt(path))`", replacement: path, fixRange: whole)
        } else if !text.hasPrefix("/"), !node.isAlias, (try? JSONPointer("/" + text)) != nil {
          report(
            .badPointer, error.message, at: place, help: "write `/\(Words.excerpt(text))`", replacement: YAMLQuoting.scalar("/" + text),
            fixRange: node.range)
        } else {
          report(.badPointer, error.message, at: place, help: error.suggestion)
        }
        return nil
      }
    case .xpath: return xpath(node).map { .xpath($0) }
    case .regex: return pattern(node, scope).map { .regex($0) }
    case .header: return setting(node, scope).map { .header($0) }
    case .plist: return jsonPath(node).map { .plist($0) }
    case .firstBytes: return firstBytes(node)
    case .query:
      if let step = scope.step, !names.kinds.listens.contains(step) {
        report(
          .conflict, "only a request that `listen` receives has a `query`, but this step receives a response", at: node.range,
          help: "to read the query of the final URL, use `url` with a regular expression")
        return nil
      }
      return setting(node, scope).map { .query($0) }
    default:
      if case .bool(true)? = node.scalar?.value { return .url }
      return pattern(node, scope).map { .urlPattern($0) }
    }
  }
}
