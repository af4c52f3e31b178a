import GarlandYAML

/// The keys that one kind of mapping in a document can have, such as those of a step. Each case is a key; its raw value is the key's name.
protocol DocumentKey: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// The description of the key: the form of its value, a summary and an example.
  var info: KeyInfo { get }
  /// Returns the key that an entry of the document represents. Usually this is `key`, the key with the entry's name. A few names, such as
  /// `trace`, belong to several keys, so the value of the entry selects the key. The default implementation always returns `key`.
  static func key(_ key: Self, with value: @autoclosure () -> YAMLNode) -> Self
}

extension DocumentKey {
  static func key(_ key: Self, with value: @autoclosure () -> YAMLNode) -> Self { key }
}

/// The description of a key. The language reference and the schema for editors are generated from these descriptions.
struct KeyInfo: Sendable {
  /// The form of a key's value. Every scalar may contain `${…}`, except for ``Shape/name``, ``Shape/flag`` and the other shapes that do not
  /// allow an expression.
  indirect enum Shape: Sendable {
    case anything
    case text, boolean, integer, number, duration, size, url, status, path
    /// The value must be `true` or `false`. An expression is not allowed, since the value is needed before expressions can be evaluated.
    case flag
    /// The value must be `true`; no other value is allowed.
    case yes
    /// A number. An expression is not allowed.
    case plainNumber
    /// A text that matches the given regular expression, or that contains a `${…}`.
    case pattern(String)
    /// A text that matches a regular expression and contains no `${…}`.
    case word(String)
    /// A single expression, without other text.
    case expression
    /// An integer, or any number, that is at least the given minimum.
    case atLeast(Int), numberAtLeast(Int)
    /// The code of a close frame that a client sends (RFC 6455, section 7.4).
    case closeCode
    /// An integer that is at least the given minimum. An expression is not allowed.
    case plainCount(Int)
    /// A scalar or a list to which the checked value must be equal, or a mapping of predicates.
    case check
    /// The expectation for an amount with a unit, such as a duration. Its value is either the expected amount or a mapping of predicates.
    /// The associated values are the name of the ``KeyTable`` of these predicates, and the shape of the expected amount.
    case amountCheck(String, Shape)
    /// The parameters of a request: a mapping from names to values, or any other value that the key `encoding` allows.
    case parameters
    /// A scalar without `${…}`, such as an id.
    case name
    /// One of the given words. An expression is not allowed.
    case oneOf([String])
    /// One of the given words, or an expression whose value is one of the words.
    case choice([String])
    case list(Shape)
    /// A list with at least one item of the given shape.
    case filledList(Shape)
    /// A mapping with keys that the author of the document chooses. Its values have the given shape.
    case mapping(Shape)
    /// A mapping with keys that the author of the document chooses, and with at least one entry. Its values have the given shape.
    case filledMapping(Shape)
    /// A mapping with keys that the author of the document chooses and that match the given regular expression. Its values have the given
    /// shape.
    case namedMapping(String, Shape)
    /// A mapping with a fixed set of keys: those of the ``KeyTable`` with the given name.
    case table(String)
    /// A value that has one of the given shapes.
    case either([Shape])
    case null
    /// A JSON Schema that is written in the document, not the name of a schema file.
    case jsonSchema

    /// A value of the given shape, a list of such values, or a mapping with the keys of the ``KeyTable`` with the given name.
    static func oneOrMore(_ shape: Shape, or table: String) -> Shape { .either([shape, .list(shape), .table(table)]) }
  }

  let shape: Shape
  /// A description of the key in one or two sentences.
  let summary: String
  /// An example of a value of the key, as YAML.
  let example: String

  init(_ shape: Shape, _ summary: String, _ example: String) {
    self.shape = shape
    self.summary = summary
    self.example = example
  }
}

/// The valid keys of a mapping, with a fast search by name.
final class KeyTable<Key: DocumentKey>: Sendable {
  /// The description of the mapping in errors, such as "a step" or "`expect`".
  let place: String
  /// The page of `garland help` that describes a mapping with many keys; nil for a mapping with few keys, which a message can list.
  let page: String?
  /// The keys that the mapping may contain.
  let keys: [Key]
  /// The keys with short names, sorted by the length of the name. Nearly every key of the language has a short name; ``long``
  /// contains the other keys.
  private let short: [(name: PackedName, key: Key)]
  /// For each length of a name, the index in ``short`` of the first name with this length.
  private let starts: [Int]
  /// The keys whose names are too long for ``short``.
  private let long: [String: Key]

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - place: the description of the mapping in errors.
  ///   - page: the page of `garland help` that describes a mapping with many keys; nil for a mapping with few keys.
  ///   - keys: the keys that the mapping may contain.
  init(_ place: String, page: String? = nil, keys: [Key] = Array(Key.allCases)) {
    self.place = place
    self.page = page
    self.keys = keys
    var byLength = [[(name: PackedName, key: Key)]](repeating: [], count: PackedName.longest + 1)
    var long: [String: Key] = [:]
    for key in keys {
      let name = key.rawValue
      if let packed = PackedName(name) { byLength[name.utf8.count].append((packed, key)) } else { long[name] = key }
    }
    short = byLength.flatMap { $0 }
    starts = byLength.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }
    self.long = long
  }

  /// Returns the key with the given name; nil if there is no such key.
  func key(_ name: String) -> Key? {
    var name = name
    return name.withUTF8 { key($0) }
  }

  /// Returns the key with the given name; nil if there is no such key.
  ///
  /// - Parameter name: the name as UTF-8.
  func key(_ name: UnsafeBufferPointer<UInt8>) -> Key? {
    guard let packed = PackedName(name) else { return long[String(decoding: name, as: UTF8.self)] }
    let end = starts[name.count + 1]
    var index = starts[name.count]
    while index < end {
      if short[index].name == packed { return short[index].key }
      index += 1
    }
    return nil
  }

  /// The names of the keys, for suggestions.
  var names: [String] { keys.map(\.rawValue) }
}
