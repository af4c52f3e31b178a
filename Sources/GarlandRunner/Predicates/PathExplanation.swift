import GarlandDiagnostics
import GarlandJSON

/// Explains why a JSONPath selects no value, and shows the values that exist instead.
struct PathExplanation {
  /// The end of a message, after the path: for example `is missing`.
  let message: String
  let help: String?
  /// The value at the longest existing prefix of the path, as indented JSON.
  let excerpt: String

  private init(message: String, help: String?, excerpt: String) {
    self.message = message
    self.help = help
    self.excerpt = excerpt
  }

  init(_ path: JSONPath, in root: JSONValue) {
    if let elements = path.singularElements {
      self.init(elements, in: root)
    } else {
      self.init(message: "selects nothing", help: PathExplanation.helpForQuery(path, root), excerpt: Excerpt.of(root))
    }
  }

  init(_ elements: [JSONPathElement], in root: JSONValue) {
    var current = root
    var reached: [JSONPathElement] = []
    var missing: JSONPathElement?
    for element in elements {
      guard let next = current.value(at: [element]) else {
        missing = element
        break
      }
      current = next
      reached.append(element)
    }
    message = Mismatch.missing
    excerpt = Excerpt.of(current)
    help = missing.map { PathExplanation.help(missing: $0, in: current, at: reached) }
  }

  private static func help(missing: JSONPathElement, in value: JSONValue, at place: [JSONPathElement]) -> String {
    let path = PathText.short(place)
    switch (missing, value) {
    case (.name(let name), .object(let object)):
      let what = place.isEmpty ? "the object" : "the object at `\(path)`"
      if object.isEmpty { return "\(what) is empty" }
      if let near = Suggestion.nearest(to: name, in: object.keys) { return "\(what) has `\(near)`" }
      return "\(what) has \(Shown.list(Array(object.keys), limit: 8))"
    case (.name("length"), .array(let items)), (.name("size"), .array(let items)), (.name("count"), .array(let items)):
      return "`\(path)` is a list of \(Shown.count(items.count, "item")); to check the number of items, write `\(path): { length: … }`"
    case (.name(let name), .array(let items)):
      let first = items.first.flatMap { $0[name] } != nil
      return "`\(path)` is a list of \(Shown.count(items.count, "item"))"
        + (first ? "; for the first item, write `\(path)[0].\(name)`; for all items, write `\(path)[*].\(name)`" : "")
    case (.index(let index), .array(let items)):
      return items.isEmpty
        ? "the list at `\(path)` is empty" : "the list at `\(path)` has \(Shown.count(items.count, "item")), so it has no item [\(index)]"
    case (.index, .object): return "`\(path)` is an object, not a list"
    default: return "`\(path)` is \(Shown.found(value)), which has no members"
    }
  }

  /// Returns help for a path that can select several values; nil if there is no help.
  ///
  /// The help shows the value at the longest prefix of the path that selects at most one value, or explains why this value is missing.
  private static func helpForQuery(_ path: JSONPath, _ root: JSONValue) -> String? {
    var plain = "$"
    var best: JSONPath?
    // Each prefix of the path is evaluated separately.
    for character in path.text.dropFirst().prefix(200) {
      if character == "*" || character == "?" { break }
      plain.append(character)
      if let candidate = try? JSONPath(plain), candidate.singularElements != nil { best = candidate }
    }
    guard let elements = best?.singularElements, !elements.isEmpty else { return nil }
    guard let value = root.value(at: elements) else { return PathExplanation(elements, in: root).help }
    return "`\(PathText.short(elements))` is \(Shown.found(value))"
  }
}
