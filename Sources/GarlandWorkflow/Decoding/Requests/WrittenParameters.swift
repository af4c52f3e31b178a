import GarlandText

/// Converts a query text such as `a=1&b=2` to the YAML mapping with the same parameters, as a suggestion.
enum WrittenParameters {
  /// Returns the parameters of a query text as a YAML mapping on one line, such as `{ a: 1, b: 2 }`. Returns nil if the text is not a list
  /// of parameters.
  static func mapping(of text: String) -> String? {
    var bytes = Array(text.utf8)
    if bytes.first == UInt8(ascii: "?") { bytes.removeFirst() }
    guard let pairs = pairs(of: bytes), !pairs.isEmpty else { return nil }
    var names: [String] = []
    var values: [String: [String]] = [:]
    for (name, value) in pairs {
      guard let name = decoded(name), let value = decoded(value), !name.isEmpty else { return nil }
      if values[name] == nil { names.append(name) }
      values[name, default: []].append(value)
    }
    let members = names.map { name in
      let written = (values[name] ?? []).map(scalar)
      return "\(scalar(name)): \(written.count == 1 ? written[0] : "[\(written.joined(separator: ", "))]")"
    }
    return "{ \(members.joined(separator: ", ")) }"
  }

  /// Splits a text at each `&`, and each part at its first `=`. A `&` or `=` within an expression is not a separator. Returns nil if a part
  /// has no `=`.
  private static func pairs(of bytes: [UInt8]) -> [(name: [UInt8], value: [UInt8])]? {
    var pairs: [(name: [UInt8], value: [UInt8])] = []
    var name: [UInt8]?
    var part: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if ExpressionScanner.begins(at: index, in: bytes), let end = ExpressionScanner.end(of: bytes, from: index + 2) {
        part += bytes[index..<end]
        index = end
        continue
      }
      switch bytes[index] {
      case UInt8(ascii: "&"):
        guard let found = name else { return nil }
        pairs.append((found, part))
        (name, part) = (nil, [])
      case UInt8(ascii: "=") where name == nil: (name, part) = (part, [])
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return nil
      case let byte: part.append(byte)
      }
      index += 1
    }
    guard let name else { return nil }
    return pairs + [(name, part)]
  }

  /// Decodes the percent-encoding of a text. Returns nil if the encoding is invalid.
  private static func decoded(_ bytes: [UInt8]) -> String? {
    // Within an expression, these characters have another meaning.
    if bytes.contains(UInt8(ascii: "$")) {
      return bytes.contains(UInt8(ascii: "%")) || bytes.contains(UInt8(ascii: "+")) ? nil : String(validating: bytes, as: UTF8.self)
    }
    guard let text = String(validating: bytes, as: UTF8.self), let decoded = PercentEncoding.strictText(decoding: text, plusIsSpace: true)
    else { return nil }
    return decoded.utf8.contains { $0 < 0x20 } || ExpressionScanner.hasExpression(decoded) ? nil : decoded
  }

  /// Returns a text as a YAML scalar. The scalar has no quotes if YAML reads the unquoted text as a string or a number.
  private static func scalar(_ text: String) -> String {
    ["true", "false", "null", ""].contains(text) ? YAMLQuoting.quoted(text) : YAMLQuoting.scalar(text)
  }
}
