import GarlandDiagnostics
import GarlandYAML

/// The keys of a kind of mapping, and what users are told of others.
struct KnownKeys {
  private let place: String
  private let names: [String]

  init<Key: DocumentKey>(_ table: KeyTable<Key>) {
    place = table.place
    names = table.names
  }

  private init(_ table: SchemaTable) {
    place = table.place
    names = table.keys.map(\.name)
  }

  /// Those of a profile, which has the keys of `defaults` as well.
  static let profile = KnownKeys(SchemaTables.named("profile") ?? SchemaTable("profile", ProfileKey.table))

  /// What is wrong with an entry whose key is not known: the key, and in the mapping behind it the keys that the one that was probably meant does
  /// not have either.
  func refusals(of entry: YAMLMapping.Entry, in mapping: YAMLMapping) -> [Diagnostic] {
    let diagnostic = Diagnostic(
      .unknownKey, "unknown key `\(Words.excerpt(entry.name))`", at: entry.key.range, label: "not a key of \(place)")
    if let advice = Self.setting(entry.name, in: place) { return [diagnostic.help(advice)] }
    if let moved = MisplacedPath(entry, in: mapping, of: place) { return [diagnostic.help(moved.help, fix: moved.fix)] }
    if let hint = KeyAliases.hint(for: entry.name, among: names) {
      return [diagnostic.help(hint.words, fix: RewrittenEntry.fix(entry, in: mapping, names: names))]
    }
    // What other tools call a setting is in a profile a variable.
    if place == ProfileKey.table.place, Suggestion.nearest(to: entry.name, in: names) == nil {
      return [diagnostic.help("variables stand under `vars:`, as in `{ vars: { \(Words.excerpt(entry.name)): … } }`")]
    }
    let meant = KeyAliases.keys(for: entry.name, among: names)
    if let key = best(meant, for: entry) {
      // A second entry of one key would be the next mistake.
      let isRight = mapping[key] == nil && admits(key, entry.value)
      let name = YAMLQuoting.key(key, inPlaceOf: entry.key.range.text)
      return [diagnostic.help("did you mean `\(key)`?", fix: isRight ? .init(entry.key.range, name) : nil)]
        + refusals(below: entry, as: key)
    }
    if let key = meant.first { return [diagnostic.help(info(of: key).map { "write `\(key): \($0.example)`" } ?? "did you mean `\(key)`?")] }
    guard names.count <= 12 else { return [diagnostic] }
    return [diagnostic.help("\(place) has \(Words.list(names))")]
  }

  /// The key that was probably meant: of several that another tool's name may stand for the first that admits the value, and has what stands below
  /// it; else one that is a typing error away.
  private func best(_ meant: [String], for entry: YAMLMapping.Entry) -> String? {
    guard !meant.isEmpty else { return Suggestion.nearest(to: entry.name, in: names) }
    let inner = entry.value.mapping?.entries.map(\.name) ?? []
    func fits(_ key: String) -> Bool { keys(below: key).map { known in inner.allSatisfy { known.names.contains($0) } } ?? true }
    let admitting = meant.filter { admits($0, entry.value) }
    return admitting.first(where: fits) ?? admitting.first
  }

  /// Whether a key takes such a value.
  private func admits(_ key: String, _ value: YAMLNode) -> Bool { info(of: key)?.shape.admits(value) ?? true }

  private func info(of key: String) -> KeyInfo? {
    (SchemaTables.all + SchemaTables.ofProjects).first { $0.place == place }?.keys.first { $0.name == key }?.info
  }

  private func refusals(below entry: YAMLMapping.Entry, as meant: String) -> [Diagnostic] {
    guard let mapping = entry.value.mapping, !entry.value.isAlias, let shape = info(of: meant)?.shape else { return [] }
    if let known = Self.table(shape) { return known.refusals(in: mapping) }
    guard let known = Self.tableOfEach(shape) else { return [] }
    return mapping.entries.flatMap { each in each.value.mapping.map { known.refusals(in: $0) } ?? [] }
  }

  private func refusals(in mapping: YAMLMapping) -> [Diagnostic] {
    mapping.entries.filter { !names.contains($0.name) }.flatMap { refusals(of: $0, in: mapping) }
  }

  /// The keys of the mapping that stands behind a key; nil if it is none with keys of its own.
  private func keys(below name: String) -> KnownKeys? { info(of: name).flatMap { Self.table($0.shape) } }

  private static func table(_ shape: KeyInfo.Shape) -> KnownKeys? {
    switch shape {
    case .table(let name) where name != "predicates": SchemaTables.named(name).map { KnownKeys($0) }
    case .either(let shapes): shapes.lazy.compactMap(table).first
    default: nil
    }
  }

  /// The same of the mappings that stand behind the names of one, such as those of `extract`.
  private static func tableOfEach(_ shape: KeyInfo.Shape) -> KnownKeys? {
    switch shape {
    case .mapping(let each), .filledMapping(let each), .namedMapping(_, let each): table(each)
    default: nil
    }
  }

  /// A setting at the top of the document, which other tools have there.
  private static func setting(_ name: String, in place: String) -> String? {
    guard place == RootKey.table.place || place == ProjectKey.table.place else { return nil }
    let meant = StepKey.defaultsTable.key(name) != nil ? name : KeyAliases.key(for: name, among: [StepKey.baseURL.rawValue])
    return meant.map { "what holds for all steps stands under `defaults:`, as in `defaults: { \($0): … }`" }
  }
}
