import GarlandJSON

extension JSONPointer {
  /// Returns the JSONPath for a JSON Pointer. Returns nil for a text that is not a pointer, for a pointer with an empty name, and for the
  /// empty pointer, which selects the whole value.
  static func path(_ text: String) -> String? {
    guard let pointer = try? JSONPointer(text.hasPrefix("#/") ? String(text.dropFirst()) : text), !pointer.tokens.isEmpty,
      pointer.tokens.allSatisfy({ !$0.isEmpty })
    else { return nil }
    let path = "$" + pointer.tokens.map(selector).joined()
    return (try? JSONPath(path)) == nil ? nil : path
  }

  /// Returns the segment of a JSONPath for a name or an index: `.id`, `[0]` or `['a b']`.
  static func selector(_ token: String) -> String {
    if token.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) { return "[\(token)]" }
    if (try? JSONPath("$.\(token)")) != nil, !token.contains(where: { ".[*".contains($0) }) { return ".\(token)" }
    return "['\(token.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))']"
  }
}
