import GarlandDiagnostics
import GarlandYAML

/// The entries of a mapping by its known keys. Making one reports every key that is not known.
struct MappingReader<Key: DocumentKey> {
  /// Entries with their keys. Each is made when it is looked at: to look through the keys alone counts no references.
  struct Entries: RandomAccessCollection {
    fileprivate let mapping: YAMLMapping
    fileprivate let found: [(key: Key, position: Int32)]

    var startIndex: Int { 0 }
    var endIndex: Int { found.count }
    subscript(index: Int) -> (key: Key, entry: YAMLMapping.Entry) {
      (found[index].key, mapping.entry(at: Int(found[index].position)))
    }
  }

  /// The known ones, in document order.
  let entries: Entries
  /// Which these are.
  let keys: KeySet<Key>
  /// The mapping.
  let node: YAMLNode
  /// Whether a key was refused, so that a missing one is perhaps only that.
  let hasRefusedKeys: Bool

  init(_ node: YAMLNode, _ mapping: YAMLMapping, _ table: KeyTable<Key>, into diagnostics: inout DiagnosticList) {
    var found: [(key: Key, position: Int32)] = []
    var keys = KeySet<Key>()
    let count = mapping.count
    found.reserveCapacity(count)
    mapping.forEachName { position, name in
      guard let key = table.key(name) else { return }
      found.append((key, Int32(truncatingIfNeeded: position)))
      keys.insert(key)
    }
    hasRefusedKeys = found.count < count
    if hasRefusedKeys { Self.report(mapping, besides: found, table, into: &diagnostics) }
    entries = Entries(mapping: mapping, found: found)
    self.keys = keys
    self.node = node
  }

  private static func report(
    _ mapping: YAMLMapping, besides found: [(key: Key, position: Int32)], _ table: KeyTable<Key>, into diagnostics: inout DiagnosticList
  ) {
    var rest = found[...]
    for position in 0..<mapping.count {
      if let next = rest.first, Int(next.position) == position {
        rest.removeFirst()
      } else {
        let entry = mapping.entry(at: position)
        diagnostics.report(refusal(entry.name, entry.key.range, table))
      }
    }
  }

  private static func refusal(_ name: String, _ range: SourceRange, _ table: KeyTable<Key>) -> Diagnostic {
    let diagnostic = Diagnostic(.unknownKey, "unknown key `\(Words.excerpt(name))`", at: range, label: "not a key of \(table.place)")
    let isHinted = KeyAliases.hints[name].map { table.names.contains($0.key) } ?? false
    if let advice = misplacement(name) { return diagnostic.help(advice) }
    if !isHinted, let meant = near(name, among: table.names) {
      return diagnostic.help("did you mean `\(meant)`?", fix: .init(range, YAMLQuoting.key(meant, inPlaceOf: range.text)))
    }
    if let hint = KeyAliases.hints[name], table.names.contains(hint.key) { return diagnostic.help(hint.words) }
    guard table.keys.count <= 12 else { return diagnostic }
    return diagnostic.help("\(table.place) has \(Words.list(table.keys.map(\.rawValue)))")
  }

  /// A setting at the top of the document, which other tools have there.
  private static func misplacement(_ name: String) -> String? {
    guard Key.self == RootKey.self else { return nil }
    let meant = StepKey.defaultsTable.key(name) != nil ? name : KeyAliases.key(for: name, among: [StepKey.baseURL.rawValue])
    return meant.map { "what holds for all steps stands under `defaults:`, as in `defaults: { \($0): … }`" }
  }

  /// The name that was probably meant.
  static func near(_ name: String, among names: [String]) -> String? {
    KeyAliases.key(for: name, among: names) ?? Suggestion.nearest(to: name, in: names)
  }

  /// Whether a key that was refused is probably this one.
  func hasKey(near key: Key) -> Bool { hasRefusedKeys && hasKey(near: key.rawValue, of: Key.allCases.map(\.rawValue)) }

  /// Whether a key that was refused is probably this one of another mapping.
  func hasKey(near name: String, of names: [String]) -> Bool {
    guard hasRefusedKeys, let mapping = node.mapping else { return false }
    let known = Set(entries.map { $0.entry.name })
    return mapping.entries.contains { entry in
      !known.contains(entry.name)
        && (entry.name == name || MappingReader.near(entry.name, among: names) == name || KeyAliases.hints[entry.name]?.key == name)
    }
  }

  subscript(key: Key) -> YAMLMapping.Entry? {
    guard keys.contains(key), let index = index(of: key) else { return nil }
    return entries[index].entry
  }

  private func index(of key: Key) -> Int? { entries.found.firstIndex { $0.key.isSame(as: key) } }

  /// The entries of some keys, in document order.
  func entries(of wanted: KeySet<Key>) -> [(key: Key, entry: YAMLMapping.Entry)] {
    guard has(oneOf: wanted) else { return [] }
    var result: [(key: Key, entry: YAMLMapping.Entry)] = []
    for (index, item) in entries.found.enumerated() where wanted.contains(item.key) { result.append(entries[index]) }
    return result
  }

  /// The entry of the only one of some keys that is there; nil if there is none, or several are.
  func onlyEntry(of wanted: KeySet<Key>) -> (key: Key, entry: YAMLMapping.Entry)? {
    guard keys.intersection(wanted).count == 1 else { return nil }
    return entries.found.firstIndex { wanted.contains($0.key) }.map { entries[$0] }
  }

  /// Whether one of some keys is there.
  func has(oneOf wanted: KeySet<Key>) -> Bool { !keys.isDisjoint(with: wanted) }

  /// The key of an entry by its place.
  func key(at index: Int) -> Key { entries.found[index].key }

  /// Whether an entry by its place has null.
  func isNull(at index: Int) -> Bool { entries.mapping.isNull(at: Int(entries.found[index].position)) }

  /// Whether a key is there.
  func has(_ key: Key) -> Bool { keys.contains(key) }

  /// The value of a key that is there and not null.
  func value(_ key: Key) -> YAMLNode? {
    guard keys.contains(key), let index = index(of: key) else { return nil }
    return isNull(at: index) ? nil : entries.mapping.value(at: Int(entries.found[index].position))
  }

  /// Whether a key is there with null.
  func isNull(_ key: Key) -> Bool { keys.contains(key) && index(of: key).map(isNull(at:)) == true }
}

/// Names that other tools have for a key.
enum KeyAliases {
  private static let aliases: [String: [String]] = [
    "assert": ["expect"], "asserts": ["expect"], "check": ["expect"], "checks": ["expect"], "validate": ["expect"], "test": ["expect"],
    "tests": ["expect"], "response": ["expect"], "captures": ["extract"], "capture": ["extract"], "save": ["extract"], "bind": ["extract"],
    "outputs": ["extract"], "needs": ["after"], "depends_on": ["after"], "dependsOn": ["after"], "if": ["when"], "condition": ["when"],
    "continue_on_error": ["allow_failure"], "continue-on-error": ["allow_failure"], "variables": ["vars"], "env": ["vars"],
    "url": ["base_url"], "data": ["body", "form"],
    "payload": ["json"], "header": ["headers"], "cookie": ["cookies"], "queryParams": ["query"], "params": ["query"], "user": ["basic"],
    "code": ["status"], "statusCode": ["status"], "status_code": ["status"], "duration": ["time"], "responseTime": ["time"],
    "jsonpath": ["json"],
    "jsonPath": ["json"], "content_type": ["type"], "contentType": ["type"], "equals": ["eq"], "equal": ["eq"], "is": ["eq"], "==": ["eq"],
    "!=": ["ne"], "not_equals": ["ne"], "greaterThan": ["gt"], "lessThan": ["lt"],
    "greater_or_equal": ["gte"], "less_or_equal": ["lte"], ">": ["gt"], "<": ["lt"],
    ">=": ["gte"], "<=": ["lte"], "isOneOf": ["in"], "one_of": ["in"], "OAuth2": ["oauth2"],
    "min": ["gte"], "max": ["lte"], "regex": ["matches"],
    "match": ["matches"], "pattern": ["matches"], "startsWith": ["starts_with"], "endsWith": ["ends_with"], "includes": ["contains"],
    "include": ["contains"], "oneOf": ["in"], "len": ["length"], "count": ["length", "limit"], "retries": ["limit"], "times": ["limit"],
    "max_attempts": ["limit"], "maxAttempts": ["limit"],
    "grant_type": ["grant"], "grantType": ["grant"], "output": ["download"], "save_to": ["download"], "saveTo": ["download"],
    "test_name": ["name"],
    "foreach": ["for_each"], "forEach": ["for_each"], "all": ["each"], "every": ["each"],
    "baseUrl": ["base_url"], "baseURL": ["base_url"], "baseurl": ["base_url"], "host": ["base_url"], "server": ["base_url"],
    "selector": ["xpath"], "css": ["xpath"], "title": ["name"], "basic_auth": ["basic"], "token": ["bearer"],
    "greater_than_or_equal": ["gte"], "less_than_or_equal": ["lte"],
    "greaterThanOrEqual": ["gte"], "lessThanOrEqual": ["lte"], "greaterOrEqual": ["gte"], "lessOrEqual": ["lte"], "ge": ["gte"],
    "le": ["lte"], "greater_than": ["gt"], "less_than": ["lt"], "greater": ["gt"], "less": ["lt"], "not_equal": ["ne"], "notEqual": ["ne"],
    "notEquals": ["ne"], "equal_to": ["eq"], "equalTo": ["eq"], "at_least": ["gte"], "at_most": ["lte"], "has_length": ["length"],
  ]

  /// What other tools have under a name, where it is more than another name here.
  static let hints: [String: (key: String, words: String)] = [
    "insecure": ("tls", "write `tls: { verify: false }`"), "http": ("get", "a request is `get: URL`, or `method:` and `url:`"),
    "request": ("get", "a request is `get: URL`, or `method:` and `url:`"), "version": ("garland", "the format's version is `garland: 1`"),
    "status": ("expect", "write `expect: { status: … }`"), "timeout-minutes": ("timeout", "write `timeout: 5m`"),
    "assertions": ("expect", "checks stand in `expect:`, such as `expect: { status: 200 }`"),
    "response_json_paths": ("expect", "write `expect: { json: {…} }`"), "tests": ("steps", "steps stand under `steps:`, each under its id"),
    "stages": ("steps", "steps stand under `steps:`, each under its id"),
    "testcases": ("steps", "steps stand under `steps:`, each under its id"),
    "until": ("statuses", "waiting for a state is `poll: { until: … }`"), "attempts": ("limit", "how many times more is `limit`"),
    "interval": ("max_delay", "the pause is `delay`"), "verify": ("tls", "write `tls: { verify: … }`"),
    "files": ("multipart", "write `multipart: { image: { file: cover.png } }`"),
    "repeat": ("for_each", "write `for_each: \"${3 | range}\"`"), "skip": ("when", "write `when: false`"),
    "follow_redirects": ("redirect", "write `redirect: { follow: … }`"), "followRedirects": ("redirect", "write `redirect: { follow: … }`"),
    "follow_redirect": ("redirect", "write `redirect: { follow: … }`"), "allow_redirects": ("redirect", "write `redirect: { follow: … }`"),
    "teardown": ("steps", "a step that cleans up has `cleanup: STEP`, and runs when all that uses that step has ended"),
    "setup": ("steps", "what has to come first is a step that others name, or have in `after:`"),
    "include": ("use", "write `use: { NAME: FILE }`; its steps are then `NAME.STEP` in expressions"),
    "includes": ("use", "write `use: { NAME: FILE }`; its steps are then `NAME.STEP` in expressions"),
    "import": ("use", "write `use: { NAME: FILE }`; its steps are then `NAME.STEP` in expressions"),
    "imports": ("use", "write `use: { NAME: FILE }`; its steps are then `NAME.STEP` in expressions"),
    "log": ("expect", "what is sent and comes is shown by `garland run --show all`"),
    "csv": ("rows", "write `rows: FILE.csv`; a cell is `${item.COLUMN}`"),
    "data_file": ("rows", "write `rows: FILE.csv`; a cell is `${item.COLUMN}`"),
    "with_items": ("for_each", "write `for_each: […]`"), "loop": ("for_each", "write `for_each: […]`"),
  ]

  static func key(for name: String, among names: [String]) -> String? {
    aliases[name]?.first { names.contains($0) }
  }
}
