import GarlandDiagnostics
import GarlandJSON
import GarlandText
import GarlandYAML

/// A key of `expect` or `until` that belongs inside another key: a JSONPath or JSON Pointer inside `json`, an XPath inside `xpath`, or the
/// name of a header field inside `headers`.
struct MisplacedPath {
  let help: String
  /// The fix that moves the entry below the key to which it belongs, such as `json`. Nil if the mapping already has this key, or if the
  /// value of the entry has several lines.
  let fix: Diagnostic.Fix?

  /// Recognises a key that belongs inside another key. Returns nil for any other key.
  init?(_ entry: YAMLMapping.Entry, in mapping: YAMLMapping, of place: String) {
    guard [ExpectKey.table.place, ExpectKey.untilTable.place].contains(place), let (key, name) = Self.meaning(of: entry.name) else {
      return nil
    }
    let first = mapping.entries.first { Self.meaning(of: $0.name)?.key == key }
    let isFirst = mapping[key] == nil && first?.key.range == entry.key.range
    help = isFirst ? "write `\(key): { \(Words.excerpt(name)): … }`" : "move `\(Words.excerpt(name)): …` into `\(key)`"
    fix = mapping[key] == nil ? Self.fix(entry, in: mapping, key) : nil
  }

  /// Returns a fix that inserts the missing key `key`, and moves `entry` below this key. The fix also moves the entries directly after
  /// `entry` that belong below this key.
  ///
  /// Returns nil if the fix for an earlier entry already moves `entry`, if one of the entries can't be written on one line, or if there is
  /// a comment between the entries.
  private static func fix(_ entry: YAMLMapping.Entry, in mapping: YAMLMapping, _ key: String) -> Diagnostic.Fix? {
    let rest = mapping.entries.drop { meaning(of: $0.name)?.key != key }
    guard let first = rest.first, first.key.range == entry.key.range else { return nil }
    let run = rest.prefix { meaning(of: $0.name)?.key == key }
    var members: [String] = []
    for member in run {
      let value = member.value.range.text
      guard let (_, name) = meaning(of: member.name), !member.value.isAlias, !member.key.isAlias, !value.isEmpty, !value.contains("\n")
      else {
        return nil
      }
      // Within braces, a scalar without quotes ends at a comma or a bracket.
      let isPlain = member.value.scalar.map { $0.style == .plain && $0.isString } ?? false
      members.append("\(YAMLQuoting.scalar(name)): \(isPlain ? YAMLQuoting.scalar(value) : value)")
    }
    guard let last = run.last else { return nil }
    let whole = SourceRange(first.key.range.file, first.key.range.offsets.lowerBound..<last.value.range.offsets.upperBound)
    // The fix would delete comments between the entries.
    let between = zip(run, run.dropFirst()).contains { one, next in
      SourceRange(whole.file, one.value.range.offsets.upperBound..<next.key.range.offsets.lowerBound).text.contains("#")
    }
    return between ? nil : Diagnostic.Fix(whole, "\(key): { \(members.joined(separator: ", ")) }")
  }

  private static func meaning(of name: String) -> (key: String, name: String)? {
    if name.hasPrefix("$"), (try? JSONPath(name)) != nil { return ("json", name) }
    if name.hasPrefix("//"), (try? XPath(name)) != nil { return ("xpath", name) }
    if name.hasPrefix("/"), let path = JSONPointer.path(name) { return ("json", path) }
    // Bruno writes paths as `res.body.id` and `res.headers.location`. Without `res`, `body.length` could also be the length of the body.
    let root = ["res.", "response."].first { name.hasPrefix($0) } ?? ""
    let parts = name.dropFirst(root.count).split(separator: ".", maxSplits: 1).map(String.init)
    if parts.count == 2, !root.isEmpty, parts[0] == "body", let path = JSONPath.meant(by: parts[1]) { return ("json", path) }
    if parts.count == 2, ["header", "headers"].contains(parts[0]), HTTPToken.isToken(parts[1]) { return ("headers", parts[1]) }
    let isHeader =
      name.contains("-") && name.lowercased() != "content-type" && name.first?.isUppercase == true && HTTPToken.isToken(name)
    return isHeader ? ("headers", name) : nil
  }
}
