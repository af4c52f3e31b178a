import HTTPTypes

/// Parses the names and values of cookies in header fields.
enum CookiePairs {
  /// Returns the cookies that a request sends (RFC 6265, section 4.2.1).
  static func sent(in fields: HTTPFields) -> [(name: String, value: String)] {
    fields[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { pair in
      guard let equals = pair.firstIndex(of: "=") else { return nil }
      return (trimmed(pair[..<equals]), trimmed(pair[pair.index(after: equals)...]))
    }
  }

  /// Returns the cookies that a response sets (RFC 6265, section 5.2). Each field is read up to the first `;` and split at the first `=`;
  /// white space around both parts is removed.
  static func set(by fields: HTTPFields) -> [(name: String, value: String)] {
    fields[values: .setCookie].compactMap { field in
      let pair = field.prefix { $0 != ";" }
      guard let equals = pair.firstIndex(of: "=") else { return nil }
      let name = trimmed(pair[..<equals])
      return name.isEmpty ? nil : (name, trimmed(pair[pair.index(after: equals)...]))
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let start = text.drop(while: isBlank)
    guard let end = start.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(start[...end])
  }
}
