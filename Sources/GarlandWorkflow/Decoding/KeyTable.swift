/// A key of one of the document's mappings.
protocol DocumentKey: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// What it is for.
  var info: KeyInfo { get }
}

/// What a key is for: the reference and the editor's schema are made of this.
struct KeyInfo: Sendable {
  /// What the value may be. Wherever a scalar can stand, `${…}` can, unless it is ``Shape/name``.
  indirect enum Shape: Sendable {
    case anything
    case text, boolean, integer, number, duration, size, url, status, path
    /// A scalar without `${…}`, such as an id.
    case name
    /// One of these words.
    case oneOf([String])
    case list(Shape)
    /// Any names with such values.
    case mapping(Shape)
    /// A mapping with the keys of the table of that name.
    case table(String)
    /// One of several.
    case either([Shape])
    case null
  }

  let shape: Shape
  /// What it does, in a sentence or two.
  let summary: String
  /// A value, as YAML.
  let example: String

  init(_ shape: Shape, _ summary: String, _ example: String) {
    self.shape = shape
    self.summary = summary
    self.example = example
  }
}

/// The keys that a mapping knows.
struct KeyTable<Key: DocumentKey>: Sendable {
  /// How errors name the mapping: "a step", "`expect`".
  let place: String
  /// The keys that may stand in it.
  let keys: [Key]
  private let byName: [String: Key]
  /// Keys of the language that are refused for now.
  let refused: Set<String>

  /// - Parameters:
  ///   - place: how errors name the mapping.
  ///   - feature: how ``NotYetSupported`` names it.
  ///   - keys: the keys that may stand in it.
  init(_ place: String, feature: String, keys: [Key] = Array(Key.allCases)) {
    self.place = place
    self.keys = keys
    let refused = NotYetSupported.keys[feature] ?? []
    byName = Dictionary(keys.lazy.filter { !refused.contains($0.rawValue) }.map { ($0.rawValue, $0) }) { first, _ in first }
    self.refused = refused
  }

  /// The key of a name, unless it is not known or refused for now.
  func key(_ name: String) -> Key? { byName[name] }

  /// The names to suggest from.
  var names: [String] { keys.map(\.rawValue) + refused }
}
