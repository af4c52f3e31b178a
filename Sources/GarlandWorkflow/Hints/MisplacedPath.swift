import GarlandDiagnostics
import GarlandJSON
import GarlandYAML

/// A JSONPath, a JSON Pointer, an XPath or the name of a header that stands right below `expect` or `until`, where `json`, `xpath` or `headers` is missing.
struct MisplacedPath {
  let help: String
  /// Nil where the key is there already, or the value has several lines.
  let fix: Diagnostic.Fix?

  /// Nil for a key that is none of these.
  init?(_ entry: YAMLMapping.Entry, in mapping: YAMLMapping, of place: String) {
    guard [ExpectKey.table.place, ExpectKey.untilTable.place].contains(place), let (key, name) = Self.meaning(of: entry.name) else {
      return nil
    }
    help = "write `\(key): { \(Words.excerpt(name)): … }`"
    let value = entry.value.range.text
    guard mapping[key] == nil, !entry.value.isAlias, !entry.key.isAlias, !value.isEmpty, !value.contains("\n") else {
      fix = nil
      return
    }
    let whole = SourceRange(entry.key.range.file, entry.key.range.offsets.lowerBound..<entry.value.range.offsets.upperBound)
    // Between braces a plain scalar ends at a comma or a bracket.
    let isPlain = entry.value.scalar.map { $0.style == .plain && $0.isString } ?? false
    fix = Diagnostic.Fix(whole, "\(key): { \(YAMLQuoting.scalar(name)): \(isPlain ? YAMLQuoting.scalar(value) : value) }")
  }

  private static func meaning(of name: String) -> (key: String, name: String)? {
    if name.hasPrefix("$"), (try? JSONPath(name)) != nil { return ("json", name) }
    if name.hasPrefix("//"), (try? XPath(name)) != nil { return ("xpath", name) }
    if name.hasPrefix("/"), let path = JSONPointer.path(name) { return ("json", path) }
    // `res.body.id` and `res.headers.location`, as Bruno has them.
    if let root = ["res.", "response."].first(where: { name.hasPrefix($0) }) {
      let parts = name.dropFirst(root.count).split(separator: ".", maxSplits: 1).map(String.init)
      if parts.count == 2, parts[0] == "body", let path = JSONPath.meant(by: parts[1]) { return ("json", path) }
      if parts.count == 2, parts[0] == "headers", MediaTypePattern.isToken(parts[1]) { return ("headers", parts[1]) }
    }
    let isHeader =
      name.contains("-") && name.lowercased() != "content-type" && name.first?.isUppercase == true && MediaTypePattern.isToken(name)
    return isHeader ? ("headers", name) : nil
  }
}
