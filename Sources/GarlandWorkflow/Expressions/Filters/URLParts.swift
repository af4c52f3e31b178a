import GarlandJSON
import GarlandText

/// The components of a URL (RFC 3986, appendix B).
enum URLParts {
  /// Returns the components of a URL as a mapping. `path` and `query` are always present, the other components only if the URL has them.
  ///
  /// - Parameter node: the filter that is evaluated. The time and size limits of this filter apply.
  static func json(of url: String, for node: ExpressionNode) throws(ExpressionFailure) -> JSONValue {
    var parts = JSONObject()
    var rest = Substring(url)
    let fragment = cut(&rest, from: "#")
    let query = cut(&rest, from: "?")
    var scheme = ""
    if let colon = rest.firstIndex(of: ":"), isScheme(rest[..<colon]) {
      scheme = rest[..<colon].lowercased()
      parts["scheme"] = .string(scheme)
      rest = rest[rest.index(after: colon)...]
    }
    if rest.hasPrefix("//") {
      let behind = rest.dropFirst(2)
      let end = behind.firstIndex(of: "/") ?? behind.endIndex
      addAuthority(behind[..<end], scheme, to: &parts)
      rest = behind[end...]
    }
    parts["path"] = .string(String(rest))
    parts["query"] = .object(try parameters(of: query ?? "", for: node))
    if let fragment { parts["fragment"] = .string(String(fragment)) }
    return .object(parts)
  }

  /// Cuts a text at the first occurrence of `mark`: removes `mark` and everything after it from `rest`, and returns the text after `mark`.
  /// Returns nil if the text does not contain `mark`.
  private static func cut(_ rest: inout Substring, from mark: Character) -> Substring? {
    guard let index = rest.firstIndex(of: mark) else { return nil }
    defer { rest = rest[..<index] }
    return rest[rest.index(after: index)...]
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, first | 0x20 >= UInt8(ascii: "a"), first | 0x20 <= UInt8(ascii: "z") else { return false }
    return text.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || "+-.".unicodeScalars.contains($0))
    }
  }

  private static func addAuthority(_ authority: Substring, _ scheme: String, to parts: inout JSONObject) {
    var host = authority
    if let at = authority.lastIndex(of: "@") {
      let user = authority[..<at]
      let colon = user.firstIndex(of: ":") ?? user.endIndex
      parts["user"] = .string(decoded(user[..<colon]))
      if colon < user.endIndex { parts["password"] = .string(decoded(user[user.index(after: colon)...])) }
      host = authority[authority.index(after: at)...]
    }
    var port = ["http": 80, "ws": 80, "https": 443, "wss": 443, "ftp": 21][scheme]
    // A colon within brackets is part of an IPv6 address.
    if let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") {
      if let number = Int(host[host.index(after: colon)...]) { port = number }
      host = host[..<colon]
    }
    parts["host"] = .string(decoded(host).lowercased())
    if let port { parts["port"] = JSONValue(port) }
  }

  /// Returns the decoded names and values of a query. If a name occurs several times, its value is a list.
  private static func parameters(of query: Substring, for node: ExpressionNode) throws(ExpressionFailure) -> JSONObject {
    // The index of each name in `parameters`. An object compares names by their scalars.
    var positions = JSONObject()
    var parameters: [(name: String, values: [JSONValue])] = []
    var size = SizeLimit.Count()
    var rest: Substring? = query
    while var pair = rest {
      rest = cut(&pair, from: "&")
      try node.checkTime(16 + pair.utf8.count)
      guard !pair.isEmpty else { continue }
      let value = JSONValue.string(decoded(cut(&pair, from: "=") ?? "", plus: true))
      try node.count(.plain(value), in: &size)
      let name = decoded(pair, plus: true)
      if let position = positions[name]?.intValue {
        parameters[position].values.append(value)
      } else {
        positions[name] = JSONValue(parameters.count)
        parameters.append((name, [value]))
      }
    }
    return JSONObject(parameters.lazy.map { ($0.name, $0.values.count == 1 ? $0.values[0] : .array($0.values)) })
  }

  /// Decodes the percent-encoding of a text. Returns the text unchanged if its bytes are not UTF-8.
  ///
  /// - Parameter plus: whether a `+` stands for a space.
  private static func decoded(_ text: Substring, plus: Bool = false) -> String {
    PercentEncoding.text(validating: text, plusIsSpace: plus) ?? String(text)
  }
}
