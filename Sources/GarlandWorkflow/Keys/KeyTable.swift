import GarlandYAML

/// A key of one of the document's mappings.
protocol DocumentKey: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// The description of the key.
  var info: KeyInfo { get }
  /// The key that a name stands for beside a value. Default: the same, whatever the value.
  static func key(_ key: Self, with value: @autoclosure () -> YAMLNode) -> Self
}

extension DocumentKey {
  static func key(_ key: Self, with value: @autoclosure () -> YAMLNode) -> Self { key }
}

/// The description of a key, of which the reference and the editor's schema are made.
struct KeyInfo: Sendable {
  /// The possible values. Every scalar may contain `${…}`, unless it is ``Shape/name``,
  /// ``Shape/flag`` or ``Shape/oneOf(_:)``.
  indirect enum Shape: Sendable {
    case anything
    case text, boolean, integer, number, duration, size, url, status, path
    /// `true` or `false`, written out: it is read before there are any values.
    case flag
    /// `true` and nothing else.
    case yes
    /// A number and nothing else.
    case plainNumber
    /// Text that matches a pattern, or has an expression in it.
    case pattern(String)
    /// Text that matches a pattern, without `${…}`.
    case word(String)
    /// One whole expression.
    case expression
    /// A whole number, or any number, from this one on.
    case atLeast(Int), numberAtLeast(Int)
    /// A whole number from this one on, and no expression.
    case plainCount(Int)
    /// A scalar or a list, which means equal, or predicates.
    case check
    /// The same of an amount with a unit, and the table of its predicates.
    case amountCheck(String, Shape)
    /// Names with values, or whatever `encoding` has them be.
    case parameters
    /// A scalar without `${…}`, such as an id.
    case name
    /// One of these words, and no `${…}`.
    case oneOf([String])
    /// One of these words, or a `${…}` whose value is one.
    case choice([String])
    case list(Shape)
    /// A list with at least one item.
    case filledList(Shape)
    /// Any names with such values.
    case mapping(Shape)
    /// At least one name with such a value.
    case filledMapping(Shape)
    /// Names that match a pattern with such values.
    case namedMapping(String, Shape)
    /// A mapping with the keys of the table of that name.
    case table(String)
    /// A value of one of several shapes.
    case either([Shape])
    case null
    /// A JSON Schema, written out: a mapping that is not about one.
    case jsonSchema
  }

  let shape: Shape
  /// A description in a sentence or two.
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
final class KeyTable<Key: DocumentKey>: Sendable {
  /// The name of the mapping in errors: "a step", "`expect`".
  let place: String
  /// The keys that it may contain.
  let keys: [Key]
  /// The keys in the order of the lengths of their names: nearly every key of a document is found
  /// here.
  private let short: [(name: PackedName, key: Key)]
  /// The index at which the names of each length begin.
  private let starts: [Int]
  /// The keys with longer names.
  private let long: [String: Key]

  /// - Parameters:
  ///   - place: how errors name the mapping.
  ///   - keys: the keys that it may contain.
  init(_ place: String, keys: [Key] = Array(Key.allCases)) {
    self.place = place
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

  /// The key of a name; nil if it is not known.
  func key(_ name: String) -> Key? {
    var name = name
    return name.withUTF8 { key($0) }
  }

  /// The key of a name as UTF-8; nil if it is not known.
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

  /// The names to suggest from.
  var names: [String] { keys.map(\.rawValue) }
}
