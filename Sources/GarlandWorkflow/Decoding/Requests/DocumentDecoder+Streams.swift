import GarlandDiagnostics
import GarlandYAML

/// `events:` and `lines:`.
extension DocumentDecoder {
  /// Keys of a step that read the whole body, or send the request again for another one.
  private static let wholeBodyKeys: KeySet<StepKey> = [.download, .poll, .paginate]
  /// Expectations of the whole body.
  private static let wholeBodyChecks: KeySet<ExpectKey> = [.json, .xpath, .plist, .body, .firstBytes, .schema, .snapshot, .sha256]
  /// Expectations of a stream.
  static let ofStreams: KeySet<ExpectKey> = [.events, .timeToFirstEvent, .lines, .timeToFirstLine]
  /// Sources of extracts that are in the whole body.
  private static let wholeBodySources: KeySet<ExtractKey> = [.json, .pointer, .xpath, .plist, .regex, .firstBytes]

  /// The entries that both kinds of streams may have.
  private struct StreamEntries {
    var until, count, within, each, keep, reconnect: YAMLMapping.Entry?
    var hasRefusedKeys = false
  }

  /// Returns the stream that a step reads; nil if that is wrong.
  func decodeStream(_ reader: MappingReader<StepKey>, _ scope: ExpressionScope) -> StreamTemplate? {
    let entries = reader.entries(of: StepKey.streams)
    guard let (key, entry) = entries.first else { return nil }
    if entries.count > 1 {
      diagnostics.report(
        Diagnostic(
          .conflict, "a response is read in one way: `\(entries[1].entry.name)` beside `\(entry.name)`", at: entries[1].entry.key.range
        )
        .note("`\(entry.name)` is here", at: entry.key.range))
    }
    let format: StreamFormat = key == .lines ? .lines : .events
    if entry.value.isNull {
      report(
        .wrongType, "`\(entry.name)` has no value", at: entry.key.range,
        help: "write `\(entry.name): true`, or when to stop: `\(entry.name): { count: 3 }`")
      return nil
    }
    checkWholeBody(reader, format)
    if case .bool(true)? = entry.value.scalar?.value { return StreamTemplate(format: format, at: entry.key.range) }
    return decodeStream(format, entry, scope)
  }

  private func streamEntries(_ format: StreamFormat, _ node: YAMLNode) -> StreamEntries? {
    let expected = "`true`, or when to stop reading, such as `{ count: 3 }`"
    switch format {
    case .events:
      return reader(node, EventsKey.table, expected).map { reader in
        StreamEntries(
          until: reader[.until], count: reader[.count], within: reader[.within], each: reader[.each], keep: reader[.keep],
          reconnect: reader[.reconnect], hasRefusedKeys: reader.hasRefusedKeys)
      }
    case .lines:
      return reader(node, LinesKey.table, expected).map { reader in
        StreamEntries(
          until: reader[.until], count: reader[.count], within: reader[.within], each: reader[.each], keep: reader[.keep],
          hasRefusedKeys: reader.hasRefusedKeys)
      }
    }
  }

  private func decodeStream(_ format: StreamFormat, _ entry: YAMLMapping.Entry, _ scope: ExpressionScope) -> StreamTemplate? {
    guard let entries = streamEntries(format, entry.value) else { return nil }
    func value(_ entry: YAMLMapping.Entry?) -> YAMLNode? { entry.flatMap { $0.value.isNull ? nil : $0.value } }
    let itemScope = scope.with(itemOf: format)
    let until = value(entries.until).flatMap { setting($0, itemScope, as: Bool.self) }
    if let until, until.constant != nil {
      let example = format == .events ? "${event.data == '[DONE]'}" : "${line.json.done}"
      report(
        .neverHolds, "`until` never changes: it does not use the \(format.itemName)", at: until.range,
        help: "use the \(format.itemName): `\(example)`")
    }
    let count: Setting<Int>? = value(entries.count).flatMap { setting($0, scope) }
    let keep: Setting<Int>? = value(entries.keep).flatMap { setting($0, scope) }
    let reconnect: Setting<Int>? = value(entries.reconnect).flatMap { setting($0, scope) }
    check(count, from: 1)
    check(keep, from: 0)
    check(reconnect, from: 0)
    if let entry = entries.reconnect, !entry.value.isNull, value(entries.until) == nil, value(entries.count) == nil, !entries.hasRefusedKeys
    {
      report(
        .conflict, "`reconnect` without `until` or `count`: nothing says that the stream ended too early", at: entry.key.range,
        help: "add `count: …` or `until: …`")
    }
    return StreamTemplate(
      format: format, until: until, count: count, within: value(entries.within).flatMap { setting($0, scope) }, keep: keep,
      each: value(entries.each).map { decodeEach($0, format, itemScope) } ?? [], reconnect: reconnect, at: entry.key.range)
  }

  private func check(_ setting: Setting<Int>?, from least: Int) {
    guard let setting, let value = setting.constant, value < least else { return }
    report(.wrongType, "expected a number from \(least), found \(value)", at: setting.range)
  }

  /// Reports what needs the whole body of a step that reads a stream.
  private func checkWholeBody(_ reader: MappingReader<StepKey>, _ format: StreamFormat) {
    let key = format.rawValue
    for (_, other) in reader.entries(of: Self.wholeBodyKeys) where !other.value.isNull {
      report(
        .conflict, "`\(other.name)` beside `\(key)`, which reads the body one \(format.itemName) after the other and does not keep it",
        at: other.key.range, help: "make two steps of it")
    }
    for entry in reader.value(.expect)?.mapping?.entries ?? [] {
      guard let check = ExpectKey(rawValue: entry.name), Self.wholeBodyChecks.contains(check) else { continue }
      report(
        .conflict, "`\(entry.name)` is of a whole body, and `\(key)` does not keep it", at: entry.key.range,
        help: check == .json || check == .schema
          ? "requirements on each \(format.itemName) belong in `\(key): { each: { \(entry.name): … } }`"
          : "check the \(key) with `\(key)` or `that`")
    }
    for entry in reader.value(.extract)?.mapping?.entries ?? [] {
      let source = entry.value.mapping?.entries.first { ExtractKey(rawValue: $0.name).map(Self.wholeBodySources.contains) ?? false }
      guard let place = source?.key.range ?? (entry.value.hasText(where: ExtractKinds.isPath) ? entry.value.range : nil) else { continue }
      let example = format == .events ? "[0].json…" : "[0]…"
      report(
        .conflict, "`\(entry.name)` is taken out of a whole body, and `\(key)` does not keep it", at: place,
        help: "take it out of the \(key): `\(entry.name): \"${response.\(key)\(example)}\"`")
    }
  }

  /// Reports expectations of another stream than the step reads.
  func checkExpectationsOfStreams(_ reader: MappingReader<StepKey>) {
    for entry in reader.value(.expect)?.mapping?.entries ?? [] {
      guard let key = ExpectKey(rawValue: entry.name), Self.ofStreams.contains(key) else { continue }
      let format: StreamFormat = key == .lines || key == .timeToFirstLine ? .lines : .events
      guard !reader.has(format == .lines ? .lines : .events) else { continue }
      report(
        .conflict, "`\(entry.name)` is of a stream of \(format.rawValue), and this step reads none", at: entry.key.range,
        help: "read one with `\(format.rawValue): true` beside the request")
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
    }
  }

  private func checkEach(isEmpty: Bool, _ node: YAMLNode, _ format: StreamFormat) {
    guard isEmpty else { return }
    let example = format == .events ? "{ type: message }" : "{ json: { $.id: 7 } }"
    report(.testsNothing, "nothing is expected of the \(format.rawValue)", at: node.range, help: "say what is, such as `\(example)`")
  }

  /// An expectation of a part of an item that is a text.
  private func part(
    _ member: StreamItemMember, _ words: String, _ entry: YAMLMapping.Entry, _ scope: ExpressionScope
  ) -> [Expectation] {
    [
      Expectation(
        check: .item(member, decodePredicates(entry.value, .text(words), scope)), keyRange: entry.key.range, range: entry.value.range,
        isDefault: false)
    ]
  }
}
