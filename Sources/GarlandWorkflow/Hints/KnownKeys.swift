import GarlandDiagnostics
import GarlandYAML

/// The valid keys of one kind of mapping, such as a step. This type also creates the diagnostics for unknown keys.
struct KnownKeys {
  private let place: String
  private let page: String?
  private let names: [String]

  init<Key: DocumentKey>(_ table: KeyTable<Key>) {
    place = table.place
    page = table.page
    names = table.names
  }

  private init(_ table: SchemaTable) {
    place = table.place
    page = table.page
    names = table.keys.map(\.name)
  }

  /// The keys of a profile, which include those of `defaults`.
  static let profile = KnownKeys(SchemaTables.named("profile") ?? SchemaTable("profile", ProfileKey.table))

  /// Returns the diagnostics for an entry with an unknown key: one for the key itself, and one for each unknown key within its value. The
  /// value is checked by the rules for the key that the author probably meant.
  ///
  /// - Parameters:
  ///   - mapping: The mapping of the entry. It may also have entries that are inherited from a project, a profile or another step.
  ///   - node: The node at which the mapping is written in the document.
  func refusals(of entry: YAMLMapping.Entry, in mapping: YAMLMapping, at node: YAMLNode) -> [Diagnostic] {
    if lacksSpace(entry) { return [] }
    let diagnostic = Diagnostic(
      .unknownKey, "unknown key `\(Words.excerpt(entry.name))`", at: entry.key.range, label: "not a key of \(place)")
    if let advice = Self.setting(entry.name, in: place) { return [diagnostic.help(advice)] }
    if let moved = MisplacedPath(entry, in: mapping, of: place) { return [diagnostic.help(moved.help, fix: moved.fix)] }
    let suggested = suggested(in: mapping)
    if let hint = KeyAliases.hint(for: entry.name, among: suggested) {
      return [diagnostic.help(hint, fix: RewrittenEntry.fix(entry, in: mapping, names: suggested))]
    }
    // A text would otherwise become the name of a cookie file.
    if entry.name == "cookie", let fix = RewrittenEntry.fix(entry, in: mapping, names: suggested) {
      return [diagnostic.help("write `cookies: { NAME: VALUE }`", fix: fix)]
    }
    // In a profile, an unknown setting is probably meant as a variable.
    if place == ProfileKey.table.place, Suggestion.nearest(to: entry.name, in: suggested) == nil {
      return [diagnostic.help("variables belong under `vars:`, as in `{ vars: { \(Words.excerpt(entry.name)): … } }`")]
    }
    let meant = KeyAliases.keys(for: entry.name, among: suggested)
    let ties = meant.isEmpty ? Suggestion.allNearest(to: entry.name, in: suggested) : []
    if ties.count > 1 {
      return [
        ties.reduce(diagnostic) { result, key in
          result.choice("did you mean `\(key)`?", fix: .init(entry.key.range, YAMLQuoting.key(key, inPlaceOf: entry.key.range.text)))
        }
      ]
    }
    if let key = best(meant, for: entry, among: suggested) {
      // A second entry with the same key would be another mistake. An inherited entry is written elsewhere, and would be overridden.
      let isTaken = mapping.entry(key).map { Self.isWritten($0, in: node) || !Self.isWritten(entry, in: node) } ?? false
      let isRight = !isTaken && admits(key, entry.value) && !isOtherValue(entry.value, of: key)
      let name = YAMLQuoting.key(key, inPlaceOf: entry.key.range.text)
      return [diagnostic.help("did you mean `\(key)`?", fix: isRight ? .init(entry.key.range, name) : nil)]
        + refusals(below: entry, as: key)
    }
    if let key = meant.first {
      return [diagnostic.help(info(of: key).map { "write `\(key)`, for example `\(key): \($0.example)`" } ?? "did you mean `\(key)`?")]
    }
    if place == StepKey.defaultsTable.place, StepKey(rawValue: entry.name) != nil {
      return [diagnostic.help("`\(entry.name)` is a key of a step: write it in each step that needs it")]
    }
    if let page { return [diagnostic.help("for the keys of \(place), see `garland help \(page)`")] }
    return [diagnostic.help("\(place) has \(Words.list(names))")]
  }

  /// Returns the valid keys that a diagnostic may suggest in place of an unknown key of `mapping`. In a step, these are only the keys that
  /// the action of the step can have: in a step with `call`, for example, no key of a request.
  private func suggested(in mapping: YAMLMapping) -> [String] {
    guard place == StepKey.table.place else { return names }
    let keys = KeySet(mapping.entries.compactMap { entry in StepKey.table.key(entry.name).map { StepKey.key($0, with: entry.value) } })
    let possible = Set(StepKey.allCases.filter { $0.isPossible(beside: keys) }.map(\.name))
    return names.filter(possible.contains)
  }

  /// Whether `value` is a text that means something else in Garland than in other tools. This is the case for two keys: Garland reads the
  /// text of `cookies` as the name of a file, and sends the text of `json` as a JSON string. False for a text with an expression.
  private func isOtherValue(_ value: YAMLNode, of key: String) -> Bool {
    guard names.contains(StepKey.cookies.rawValue), key == StepKey.cookies.rawValue || key == StepKey.json.rawValue else { return false }
    return value.scalar.map { $0.isString && !ExpressionScanner.hasExpression($0.text) } ?? false
  }

  private static func isWritten(_ entry: YAMLMapping.Entry, in node: YAMLNode) -> Bool {
    entry.key.range.file === node.range.file && node.offsets.contains(entry.key.offsets.lowerBound)
  }

  /// Whether an entry is a text such as `get:/health`, in which the space after the colon is missing. The parser has already reported this
  /// mistake.
  private func lacksSpace(_ entry: YAMLMapping.Entry) -> Bool {
    guard entry.value.isNull, entry.value.range.offsets.isEmpty, entry.key.range.text == entry.name,
      let colon = entry.name.firstIndex(of: ":")
    else { return false }
    return names.contains(String(entry.name[..<colon])) && !entry.name[colon...].hasPrefix("://")
  }

  /// Returns the key that the author of an unknown key probably meant; nil if there is no such key.
  ///
  /// A key in `meant` is considered only if it allows the kind of the entry's value, such as a list. If the value is a mapping, a key that
  /// allows all names in this mapping is preferred.
  ///
  /// - Parameters:
  ///   - meant: the keys that the unknown key can mean. If the list is empty, the function returns the key in `suggested` with the most
  ///     similar name.
  ///   - suggested: the keys that the diagnostic may suggest.
  private func best(_ meant: [String], for entry: YAMLMapping.Entry, among suggested: [String]) -> String? {
    guard !meant.isEmpty else { return Suggestion.nearest(to: entry.name, in: suggested) }
    let inner = entry.value.mapping?.entries.map(\.name) ?? []
    func fits(_ key: String) -> Bool { keys(below: key).map { known in inner.allSatisfy { known.names.contains($0) } } ?? true }
    let admitting = meant.filter { admits($0, entry.value) }
    return admitting.first(where: fits) ?? admitting.first
  }

  /// Whether the key `key` allows a value of the same kind as `value`, such as a list. Also true for an unknown key.
  private func admits(_ key: String, _ value: YAMLNode) -> Bool { info(of: key)?.shape.admits(value) ?? true }

  private func info(of key: String) -> KeyInfo? {
    (SchemaTables.all + SchemaTables.ofProjects).first { $0.place == place }?.keys.first { $0.name == key }?.info
  }

  private func refusals(below entry: YAMLMapping.Entry, as meant: String) -> [Diagnostic] {
    guard let mapping = entry.value.mapping, !entry.value.isAlias, let shape = info(of: meant)?.shape else { return [] }
    if let known = Self.table(shape) { return known.refusals(in: mapping, at: entry.value) }
    guard let known = Self.tableOfEach(shape) else { return [] }
    return mapping.entries.flatMap { each in each.value.mapping.map { known.refusals(in: $0, at: each.value) } ?? [] }
  }

  private func refusals(in mapping: YAMLMapping, at node: YAMLNode) -> [Diagnostic] {
    mapping.entries.filter { !names.contains($0.name) }.flatMap { refusals(of: $0, in: mapping, at: node) }
  }

  /// Returns the valid keys of the mapping that is the value of the key `name`; nil if that value is not a mapping with known keys.
  private func keys(below name: String) -> KnownKeys? { info(of: name).flatMap { Self.table($0.shape) } }

  private static func table(_ shape: KeyInfo.Shape) -> KnownKeys? {
    switch shape {
    case .table(let name) where name != "predicates": SchemaTables.named(name).map { KnownKeys($0) }
    case .either(let shapes): shapes.lazy.compactMap(table).first
    default: nil
    }
  }

  /// Returns the keys that are valid in each entry of a mapping such as `extract`, in which the author of the document chooses the names of
  /// the entries. Returns nil if `shape` does not describe such a mapping.
  private static func tableOfEach(_ shape: KeyInfo.Shape) -> KnownKeys? {
    switch shape {
    case .mapping(let each), .filledMapping(let each), .namedMapping(_, let each): table(each)
    default: nil
    }
  }

  /// Returns help for an unknown top-level key that belongs under `defaults:`, such as `base_url`. Returns nil for any other key.
  private static func setting(_ name: String, in place: String) -> String? {
    guard place == RootKey.table.place || place == ProjectKey.table.place else { return nil }
    if name == StepKey.steps.rawValue {
      return "steps belong in a workflow document; below `defaults: { steps: … }`, a project file has only templates that steps extend"
    }
    let meant = StepKey.defaultsTable.key(name) != nil ? name : KeyAliases.key(for: name, among: [StepKey.baseURL.rawValue])
    return meant.map { "settings for all steps belong under `defaults:`, as in `defaults: { \($0): … }`" }
  }
}
