import GarlandDiagnostics
import GarlandYAML

/// Merges a step with the steps that it `extends`. YAML nodes are merged, so that every value keeps the source range where it was written.
///
/// The rules are the same as for `defaults`:
/// - Mappings of headers, query, cookies, TLS and retry merge key by key, with header names compared case-insensitively. `expect` and
///   `extract` merge by their keys.
/// - Scalars and lists are replaced.
/// - If the step has its own action, the inherited action is dropped, even if it has another key, such as `post` instead of `get`. The same
///   applies to the loop, the body and the credentials.
struct StepInheritance {
  private let steps: YAMLMapping
  private let templates: YAMLMapping?
  /// The steps and step templates that were already merged with the steps that they extend, so that each is merged only once. The keys are
  /// the ids of the steps and the names of the templates. `depth` is the number of steps in the chain of `extends`.
  private var resolved: [String: (node: YAMLNode, depth: Int)] = [:]
  private var path: [YAMLMapping.Entry] = []
  /// The mistakes that were found while steps were merged with the steps that they extend.
  private(set) var diagnostics: [Diagnostic] = []

  /// The maximum number of steps in a chain of `extends`. The limit is needed because the steps are merged recursively, which uses stack
  /// space.
  private static let deepest = 64

  /// Creates a merger for the steps of a document.
  ///
  /// - Parameters:
  ///   - steps: the steps of the document.
  ///   - defaults: the `defaults` of the document, whose `steps` are templates that steps can extend.
  init(steps: YAMLMapping, defaults: YAMLNode?) {
    self.steps = steps
    templates = defaults?.mapping?.written(StepKey.steps)?.value.mapping
  }

  /// Whether any step extends another step. If not, no steps have to be merged.
  var isNeeded: Bool { (0..<steps.count).contains { steps.value(at: $0).mapping?.written(StepKey.extends) != nil } }

  /// Returns a step after merging it with the steps that it extends.
  mutating func resolve(_ entry: YAMLMapping.Entry) -> YAMLNode { resolved(entry).node }

  private mutating func resolved(_ entry: YAMLMapping.Entry) -> (node: YAMLNode, depth: Int) {
    if let known = resolved[entry.name] { return known }
    let result = merged(entry)
    resolved[entry.name] = result
    return result
  }

  private mutating func merged(_ entry: YAMLMapping.Entry) -> (node: YAMLNode, depth: Int) {
    let alone = (node: entry.value, depth: 0)
    guard let own = entry.value.mapping, let extends = own.written(StepKey.extends) else { return alone }
    guard let name = extends.value.scalar?.text, let base = base(name, of: extends, in: entry) else { return alone }
    let isCyclic = entry.name == base.name || path.contains { $0.key.range == base.key.range }
    guard !isCyclic else {
      reportCycle(from: entry, to: base, at: extends.value.range)
      return alone
    }
    guard path.count < Self.deepest else {
      reportDepth(at: extends.value.range)
      return alone
    }
    path.append(entry)
    defer { path.removeLast() }
    let inherited = templates?.entry(name)?.key.range == base.key.range ? merged(base) : resolved(base)
    guard let inheritedMapping = inherited.node.mapping else { return alone }
    guard inherited.depth < Self.deepest else {
      reportDepth(at: extends.value.range)
      return alone
    }
    return (entry.value.with(YAMLMapping(of: Self.merge(own, over: inheritedMapping))), inherited.depth + 1)
  }

  /// Reports that a chain of `extends` is too long. Only the first such chain is reported: another chain may be too long only because it
  /// contains the first chain.
  private mutating func reportDepth(at range: SourceRange) {
    guard !diagnostics.contains(where: { $0.code == .nestedTooDeep }) else { return }
    diagnostics.append(
      Diagnostic(.nestedTooDeep, "steps extend each other more than \(Self.deepest) deep", at: range)
        .help("move the keys that they share to a template in `defaults.steps`, and let each step extend it"))
  }

  private mutating func base(_ name: String, of extends: YAMLMapping.Entry, in step: YAMLMapping.Entry) -> YAMLMapping.Entry? {
    let template = templates?.entry(name)
    let other = steps.entry(name)
    if let template, let other {
      diagnostics.append(
        Diagnostic(
          .conflict, "a step and a template in `defaults.steps` have the same name, `\(Words.excerpt(name))`", at: extends.value.range
        )
        .note("the step is here", at: other.key.range).note("the template is here", at: template.key.range).help("rename one of them"))
      return nil
    }
    if let found = template ?? other { return found }
    let names = (templates?.entries.map(\.name) ?? []) + steps.entries.map(\.name).filter { $0 != step.name }
    let near = Suggestion.nearest(to: name, in: names)
    diagnostics.append(
      Diagnostic(.undefinedStep, "there is no step `\(Words.excerpt(name))` to extend", at: extends.value.range).help(
        near.map { "did you mean `\($0)`?" } ?? "name a step of this document, or one of `defaults.steps`",
        fix: near.map { .init(extends.value.range, $0) }))
    return nil
  }

  private mutating func reportCycle(from entry: YAMLMapping.Entry, to base: YAMLMapping.Entry, at range: SourceRange) {
    var diagnostic = Diagnostic(
      .extendsCycle, entry.name == base.name ? "`\(entry.name)` extends itself" : "these steps extend each other in a circle", at: range)
    let start = path.firstIndex { $0.key.range == base.key.range } ?? path.startIndex
    for step in path[start...] {
      guard let extends = step.value.mapping?.written(StepKey.extends)?.value else { continue }
      diagnostic = diagnostic.note("`\(step.name)` extends `\(extends.scalar?.text ?? "")`", at: extends.range)
    }
    diagnostic = diagnostic.help("remove one of the `extends`")
    guard !diagnostics.contains(where: { $0.range == range }) else { return }
    diagnostics.append(diagnostic)
  }

  // MARK: Merging

  /// Returns the entries of a step's settings after merging them with the settings that the step inherits. Settings of a document are
  /// merged with those of its project in the same way.
  ///
  /// - Parameters:
  ///   - own: the settings that take precedence.
  ///   - base: the settings that are inherited.
  static func merge(_ own: YAMLMapping, over base: YAMLMapping) -> [YAMLMapping.Entry] {
    let ownKeys = KeySet(own.entries.compactMap(key(of:)))
    func replaces(_ group: KeySet<StepKey>) -> Bool { !group.isDisjoint(with: ownKeys) }
    let groups = [StepKey.everyAction, StepKey.bodies, StepKey.credentials, StepKey.loops].filter(replaces)
    var result: [YAMLMapping.Entry] = []
    for inherited in base.entries {
      if let mine = own.entry(inherited.name) {
        result.append(combined(mine, inherited))
        continue
      }
      if let key = key(of: inherited) {
        if groups.contains(where: { $0.contains(key) }), !isOtherHalf(key, of: ownKeys) { continue }
        if !admits(key, beside: ownKeys, base) { continue }
        // Options of parameters apply only to the parameters in the same mapping.
        if ownKeys.contains(.params), StepKey.parameterOptions.contains(key) { continue }
        if key == .limit || key == .label, replaces(StepKey.loops) { continue }
      }
      result.append(inherited)
    }
    for mine in own.entries where base.entry(mine.name) == nil { result.append(mine) }
    return result
  }

  private static func key(of entry: YAMLMapping.Entry) -> StepKey? {
    StepKey(rawValue: entry.name).map { StepKey.key($0, with: entry.value) }
  }

  /// Whether an inherited key is the missing half of the step's own action: `method` if the step has only `url`, or `url` if the step has
  /// only `method`.
  private static func isOtherHalf(_ key: StepKey, of own: KeySet<StepKey>) -> Bool {
    switch key {
    case .method: own.contains(.url)
    case .url: own.contains(.method)
    default: false
    }
  }

  /// Returns whether a step inherits a key from the step that it extends. A key that does not apply to the inheriting step's action is not
  /// inherited. For example, a listening step does not inherit the expectations of a response.
  ///
  /// - Parameters:
  ///   - own: the keys of the inheriting step.
  ///   - base: the step that is extended.
  private static func admits(_ key: StepKey, beside own: KeySet<StepKey>, _ base: YAMLMapping) -> Bool {
    guard !own.isDisjoint(with: StepKey.everyAction) else { return true }
    switch key {
    // Expectations of a response do not apply to a received request, and vice versa.
    case .expect, .extract:
      let isBaseListening = KindDecoders.listening.keys.contains { base.written($0) != nil }
      if own.isDisjoint(with: KindDecoders.listening) == isBaseListening { return false }
    default: break
    }
    return key.isPossible(beside: own)
  }

  /// Merges the two values of a key that both the step and the extended step have. Only the mappings of certain keys, such as `headers`,
  /// are merged. Any other value of the step replaces the inherited value.
  private static func combined(_ mine: YAMLMapping.Entry, _ inherited: YAMLMapping.Entry) -> YAMLMapping.Entry {
    guard let key = StepKey(rawValue: mine.name), mergedKeys.contains(key), let own = mine.value.mapping, let base = inherited.value.mapping
    else { return mine }
    func name(_ entry: YAMLMapping.Entry) -> String { key == .headers ? entry.name.lowercased() : entry.name }
    let ownNames = Set(own.entries.map(name))
    let kept = base.entries.filter { !ownNames.contains(name($0)) }
    return YAMLMapping.Entry(key: mine.key, value: mine.value.with(YAMLMapping(of: kept + own.entries)))
  }

  private static let mergedKeys: Set<StepKey> = [.headers, .query, .cookies, .tls, .retry, .expect, .extract, .steps]
}
