import GarlandDiagnostics
import GarlandYAML

/// Decodes `events:`, `lines:` and `parts:`, with which a step reads its response item by item.
extension DocumentDecoder {
  /// The keys that are forbidden in a step that reads a stream. These keys need the whole body, or send the request again.
  private static let wholeBodyKeys: KeySet<StepKey> = [.download, .poll, .paginate]
  /// The expectations that need the whole body.
  private static let wholeBodyChecks: KeySet<ExpectKey> = [.json, .xpath, .plist, .body, .firstBytes, .schema, .snapshot, .sha256]
  /// The keys of extracts that read from the whole body of a response.
  private static let wholeBodySources: KeySet<ExtractKey> = [.json, .pointer, .xpath, .plist, .regex, .firstBytes]

  /// The entries of `events:`, `lines:` or `parts:`, by the text of their keys. The keys are texts and not cases of one enumeration, so
  /// that this type can be used for all three mappings, which have most of their keys in common.
  private struct StreamEntries {
    let all: [String: YAMLMapping.Entry]
    let hasRefusedKeys: Bool

    init<Key: DocumentKey>(_ reader: MappingReader<Key>) {
      all = Dictionary(reader.entries.map { ($0.key.rawValue, $0.entry) }) { first, _ in first }
      hasRefusedKeys = reader.hasRefusedKeys
    }

    /// The value of a key; nil if the key is missing or its value is null.
    subscript(key: EventsKey) -> YAMLNode? { all[key.rawValue].flatMap { $0.value.isNull ? nil : $0.value } }
  }

  /// Decodes the stream that a step reads. Returns nil if the step reads no stream, or if the setting is invalid.
  func decodeStream(_ reader: MappingReader<StepKey>, _ scope: ExpressionScope) -> StreamTemplate? {
    let entries = reader.entries(of: StepKey.streams)
    guard let (key, entry) = entries.first else { return nil }
    if entries.count > 1 {
      diagnostics.report(
        Diagnostic(
          .conflict, "a response can be read in only one way, found `\(entries[1].entry.name)` and `\(entry.name)`",
          at: entries[1].entry.key.range
        )
        .note("`\(entry.name)` is here", at: entry.key.range))
    }
    guard let format = StreamFormat(rawValue: key.rawValue) else { return nil }
    if entry.value.isNull {
      report(
        .wrongType, "`\(entry.name)` has no value", at: entry.key.range,
        help: "write `\(entry.name): true`, or set a limit: `\(entry.name): { count: 3 }`")
      return nil
    }
    checkWholeBodyKeys(reader, format)
    checkWholeBody(reader, format)
    if case .bool(true)? = entry.value.scalar?.value { return StreamTemplate(format: format, at: entry.key.range) }
    return decodeStream(format, entry, scope)
  }

  private func streamEntries(_ format: StreamFormat, _ node: YAMLNode) -> StreamEntries? {
    let expected = "`true`, or a limit such as `{ count: 3 }`"
    return switch format {
    case .events: reader(node, EventsKey.table, expected).map { StreamEntries($0) }
    case .lines: reader(node, LinesKey.table, expected).map { StreamEntries($0) }
    case .parts: reader(node, PartsKey.table, expected).map { StreamEntries($0) }
    // The messages of a connection are decoded by `talk`.
    case .messages: nil
    }
  }

  private func decodeStream(_ format: StreamFormat, _ entry: YAMLMapping.Entry, _ scope: ExpressionScope) -> StreamTemplate? {
    guard let entries = streamEntries(format, entry.value) else { return nil }
    let itemScope = scope.with(itemOf: format)
    let until = entries[.until].flatMap { setting($0, itemScope, as: Bool.self) }
    if let until, until.constant != nil {
      report(
        .neverHolds, "the value of `until` never changes, because it does not use the \(format.itemName)", at: until.range,
        help: "use the \(format.itemName): `\(format.conditionExample)`")
    }
    let count: Setting<Int>? = entries[.count].flatMap { setting($0, scope) }
    let keep: Setting<Int>? = entries[.keep].flatMap { setting($0, scope) }
    let reconnect: Setting<Int>? = entries[.reconnect].flatMap { setting($0, scope) }
    check(count, from: 1)
    check(keep, from: 0)
    check(reconnect, from: 0)
    if let node = entries.all[EventsKey.reconnect.rawValue], !node.value.isNull, entries[.until] == nil, entries[.count] == nil,
      !entries.hasRefusedKeys
    {
      report(
        .conflict, "`reconnect` needs `until` or `count`: otherwise the step can't detect that the stream ended too early",
        at: node.key.range,
        help: "add `count: …` or `until: …`")
    }
    return StreamTemplate(
      format: format, until: until, count: count, within: entries[.within].flatMap { setting($0, scope) }, keep: keep,
      each: entries[.each].map { decodeEach($0, format, itemScope) } ?? [], reconnect: reconnect, at: entry.key.range)
  }

  func check(_ setting: Setting<Int>?, from least: Int) {
    guard let setting, let value = setting.constant, value < least else { return }
    report(.wrongType, "expected a number of at least \(least), found \(value)", at: setting.range)
  }

  /// Reports keys that need the whole body, in a step that reads a stream.
  private func checkWholeBodyKeys(_ reader: MappingReader<StepKey>, _ format: StreamFormat) {
    let key = format.key
    for (_, other) in reader.entries(of: Self.wholeBodyKeys) where !other.value.isNull {
      report(
        .conflict, "`\(other.name)` needs the whole body, but a step with `\(key)` does not keep it",
        at: other.key.range, help: "use `\(other.name)` and `\(key)` in separate steps")
    }
  }

  /// Reports those expectations and extracts of a step that need the whole body. The step reads a stream, so it does not keep the whole
  /// body.
  func checkWholeBody(_ reader: MappingReader<StepKey>, _ format: StreamFormat) {
    let (key, items) = (format.key, format.rawValue)
    for entry in reader.value(.expect)?.mapping?.entries ?? [] {
      guard let check = ExpectKey(rawValue: entry.name), Self.wholeBodyChecks.contains(check) else { continue }
      report(
        .conflict, "`\(entry.name)` needs the whole body, but a step with `\(key)` does not keep it", at: entry.key.range,
        help: check == .json || check == .schema
          ? "to check each \(format.itemName), write `\(format.check(of: entry.name))`"
          : "to check the \(items), write `expect: { \(items): … }` or `expect: { that: … }`")
    }
    for entry in reader.value(.extract)?.mapping?.entries ?? [] {
      let source = entry.value.mapping?.entries.first { ExtractKey(rawValue: $0.name).map(Self.wholeBodySources.contains) ?? false }
      guard let place = source?.key.range ?? (entry.value.hasText(where: ExtractKinds.isPath) ? entry.value.range : nil) else { continue }
      report(
        .conflict, "the extract `\(entry.name)` needs the whole body, but a step with `\(key)` does not keep it", at: place,
        help: "take the value from the \(items): `\(entry.name): \"${response.\(items)\(format.jsonExample)}\"`")
    }
  }

  /// Reports a conflict if a step that reads a stream inherits `poll` or `paginate` from the defaults.
  ///
  /// - Parameters:
  ///   - repetition: the settings of the step, merged with the defaults.
  ///   - format: the format of the stream.
  ///   - place: the source range of the key that makes the step read a stream.
  func checkRepetition(_ repetition: Repetition, of format: StreamFormat, at place: SourceRange, _ reader: MappingReader<StepKey>) {
    let inherited: [(key: StepKey, range: SourceRange?)] = [(.poll, repetition.poll?.range), (.paginate, repetition.pagination?.range)]
    for (key, range) in inherited where !reader.has(key) {
      guard let range else { continue }
      diagnostics.report(
        Diagnostic(
          .conflict,
          "`\(format.key)` can't be used with `\(key.rawValue)` of the defaults, which sends the request again", at: place
        )
        .note("`\(key.rawValue)` is here", at: range)
        .help("switch it off for this step: `\(key.rawValue): null`"))
    }
  }

  /// Reports each expectation about a stream, such as `events`, in a step that does not read the response as this kind of stream.
  func checkExpectationsOfStreams(_ reader: MappingReader<StepKey>) {
    for entry in reader.value(.expect)?.mapping?.entries ?? [] {
      guard let format = ExpectKey(rawValue: entry.name)?.stream, StepKey(rawValue: format.key).map(reader.has) != true else {
        continue
      }
      report(
        .conflict, "`\(entry.name)` needs a stream of \(format.rawValue), but this step does not read one", at: entry.key.range,
        help: format.advice)
    }
  }

  // MARK: Each item

  private func decodeEach(_ node: YAMLNode, _ format: StreamFormat, _ scope: ExpressionScope) -> [Expectation] {
    let expected = "expectations of each \(format.itemName) such as `{ json: { $.id: 7 } }`"
    switch format {
    case .events:
      guard let reader = reader(node, EachEventKey.table, expected) else { return [] }
      checkEach(isEmpty: reader.entries.isEmpty && !reader.hasRefusedKeys, node, format)
      return reader.entries.flatMap { key, entry -> [Expectation] in
        switch key {
        case .type: part(.type, "the type", entry, scope)
        case .data: part(.data, "the data", entry, scope)
        case .id: part(.id, "the ID", entry, scope)
        case .json: decodeExpectation(.json, entry, scope, isDefault: false)
        case .schema: decodeExpectation(.schema, entry, scope, isDefault: false)
        case .that: decodeExpectation(.that, entry, scope, isDefault: false)
        }
      }
    case .lines:
      guard let reader = reader(node, EachLineKey.table, expected) else { return [] }
      checkEach(isEmpty: reader.entries.isEmpty && !reader.hasRefusedKeys, node, format)
      return reader.entries.flatMap { key, entry -> [Expectation] in
        switch key {
        case .text: part(.text, "the line", entry, scope)
        case .json: decodeExpectation(.json, entry, scope, isDefault: false)
        case .schema: decodeExpectation(.schema, entry, scope, isDefault: false)
        case .that: decodeExpectation(.that, entry, scope, isDefault: false)
        }
      }
    case .parts:
      guard let reader = reader(node, EachPartKey.table, expected) else { return [] }
      checkEach(isEmpty: reader.entries.isEmpty && !reader.hasRefusedKeys, node, format)
      return reader.entries.flatMap { key, entry in
        key.whole.map { decodeExpectation($0, entry, scope, isDefault: false) } ?? []
      }
    case .messages: return []
    }
  }

  private func checkEach(isEmpty: Bool, _ node: YAMLNode, _ format: StreamFormat) {
    guard isEmpty else { return }
    report(
      .testsNothing, "there is no expectation for the \(format.rawValue)", at: node.range,
      help: "write an expectation, such as `\(format.eachExample)`")
  }

  /// Decodes an expectation for a text member of a stream item, such as the type of an event.
  func part(
    _ member: StreamItemMember, _ words: String, _ entry: YAMLMapping.Entry, _ scope: ExpressionScope
  ) -> [Expectation] {
    [
      Expectation(
        check: .item(member, decodePredicates(entry.value, .text(words), scope)), keyRange: entry.key.range, range: entry.value.range,
        isDefault: false)
    ]
  }
}
