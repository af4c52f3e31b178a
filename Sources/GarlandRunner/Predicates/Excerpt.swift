import GarlandJSON

/// Cuts out the part of a body that explains a failure, shortened to a readable size.
enum Excerpt {
  static let lines = 16
  static let bytes = 1200

  /// Returns a value as indented JSON, shortened to a readable size.
  static func of(_ value: JSONValue) -> String { cut(pretty(value, depth: 0)) }

  /// Returns the beginning of a response's body, indented if it is JSON.
  static func beginning(of response: some ResponseView) -> String? {
    guard response.size > 0 else { return nil }
    if response.size <= 256 << 10, let value = try? response.json() {
      switch value {
      case .array, .object: return of(value)
      default: break
      }
    }
    guard let text = try? response.text() else { return nil }
    return cut(text)
  }

  static func cut(_ text: String) -> String {
    var kept: [Substring] = []
    var size = 0
    let text = Shown.masked(beginningOf: text, bytes)
    var rest = text[...]
    while !rest.isEmpty, kept.count < lines, size < bytes {
      let end = rest.firstIndex(where: \.isNewline) ?? rest.endIndex
      let line = rest[..<end]
      kept.append(line.utf8.count > 200 ? Substring(Shown.cut(String(line.prefix(201)), 200, isCut: true)) : line)
      size += line.utf8.count
      rest = end == rest.endIndex ? rest[end...] : rest[rest.index(after: end)...]
    }
    return kept.joined(separator: "\n") + (rest.isEmpty ? "" : "\n…")
  }

  /// Returns a value as indented JSON. A large container below the first level is shown only as its size, so that the rest of the value
  /// stays readable.
  private static func pretty(_ value: JSONValue, depth: Int) -> String {
    let indent = String(repeating: "  ", count: depth + 1)
    let end = String(repeating: "  ", count: depth)
    func tooLarge(_ count: Int) -> Bool { depth >= 4 || (depth > 0 && count > 12) }
    switch value {
    case .object(let members) where !members.isEmpty:
      if tooLarge(members.count) { return "{ … \(Shown.count(members.count, "member")) }" }
      let shown = members.prefix(lines).map { "\(indent)\(JSONValue.string($0.key).jsonText()): \(pretty($0.value, depth: depth + 1))" }
      let more = members.count > lines ? ",\n\(indent)… \(members.count - lines) more" : ""
      return "{\n\(shown.joined(separator: ",\n"))\(more)\n\(end)}"
    case .array(let items) where !items.isEmpty:
      if tooLarge(items.count) { return "[ … \(Shown.count(items.count, "item")) ]" }
      let shown = items.prefix(lines).map { "\(indent)\(pretty($0, depth: depth + 1))" }
      let more = items.count > lines ? ",\n\(indent)… \(items.count - lines) more" : ""
      return "[\n\(shown.joined(separator: ",\n"))\(more)\n\(end)]"
    default: return Shown.value(value, limit: 160)
    }
  }
}
