import GarlandText

/// Checks the formats of URIs ([RFC 3986](https://www.rfc-editor.org/rfc/rfc3986#appendix-A)), IRIs ([RFC
/// 3987](https://www.rfc-editor.org/rfc/rfc3987)) and URI templates ([RFC
/// 6570](https://www.rfc-editor.org/rfc/rfc6570#section-2)).
enum URIFormat {
  static func isURI(_ text: String, allowsNonASCII: Bool) -> Bool {
    isReference(text, allowsNonASCII: allowsNonASCII) && URIReference(text).scheme != nil
  }

  static func isReference(_ text: String, allowsNonASCII: Bool) -> Bool {
    let reference = URIReference(text)
    guard isMadeOf(reference.path, ":@/", allowsNonASCII), isMadeOf(reference.query ?? "", ":@/?", allowsNonASCII),
      isMadeOf(reference.fragment ?? "", ":@/?", allowsNonASCII)
    else { return false }
    if let authority = reference.authority {
      return isAuthority(authority, allowsNonASCII)
    }
    // Without a scheme, a colon in the first segment would make the text before the colon look like a scheme.
    if reference.scheme == nil, let colon = reference.path.firstIndex(of: ":") {
      return reference.path[..<colon].contains("/")
    }
    return true
  }

  private static func isAuthority(_ authority: String, _ allowsNonASCII: Bool) -> Bool {
    var rest = authority[...]
    if let at = rest.lastIndex(of: "@") {
      guard isMadeOf(String(rest[..<at]), ":", allowsNonASCII) else { return false }
      rest = rest[rest.index(after: at)...]
    }
    if rest.hasPrefix("[") {
      guard let end = rest.firstIndex(of: "]") else { return false }
      let address = String(rest[rest.index(after: rest.startIndex)..<end])
      let isFuture = address.lowercased().hasPrefix("v") && address.contains(".") && isMadeOf(String(address.dropFirst()), ":", false)
      guard NetworkFormat.isIPv6(address) || isFuture else { return false }
      rest = rest[rest.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { return false }
      return rest.dropFirst().utf8.allSatisfy(\.isDigit)
    }
    if let colon = rest.lastIndex(of: ":") {
      guard rest[rest.index(after: colon)...].utf8.allSatisfy(\.isDigit) else { return false }
      rest = rest[..<colon]
    }
    return isMadeOf(String(rest), "", allowsNonASCII)
  }

  /// Whether a text contains only unreserved characters, sub-delimiters, percent-encoded bytes and the
  /// characters in `more`.
  private static func isMadeOf(_ text: String, _ more: String, _ allowsNonASCII: Bool) -> Bool {
    let allowed = Set("-._~!$&'()*+,;=".utf8).union(more.utf8)
    var iterator = text.utf8.makeIterator()
    while let byte = iterator.next() {
      if byte == UInt8(ascii: "%") {
        guard let high = iterator.next(), let low = iterator.next(), high.isHexDigit, low.isHexDigit else { return false }
      } else {
        guard byte.isLetterOrDigit || allowed.contains(byte) || (allowsNonASCII && byte >= 0x80) else { return false }
      }
    }
    return true
  }

  static func isTemplate(_ text: String) -> Bool {
    var rest = text[...]
    while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      guard rest[open] == "{", isTemplateLiteral(rest[..<open]), let close = rest[open...].firstIndex(of: "}") else { return false }
      guard isTemplateExpression(rest[rest.index(after: open)..<close]) else { return false }
      rest = rest[rest.index(after: close)...]
    }
    return isTemplateLiteral(rest)
  }

  private static func isTemplateLiteral(_ text: Substring) -> Bool {
    let forbidden = Set("\"'<>\\^`| ".utf8)
    var iterator = text.utf8.makeIterator()
    while let byte = iterator.next() {
      if byte == UInt8(ascii: "%") {
        guard let high = iterator.next(), let low = iterator.next(), high.isHexDigit, low.isHexDigit else { return false }
      } else if byte < 0x20 || byte == 0x7F || forbidden.contains(byte) {
        return false
      }
    }
    return true
  }

  private static func isTemplateExpression(_ text: Substring) -> Bool {
    var rest = text
    if let first = rest.first, "+#./;?&=,!@|".contains(first) { rest = rest.dropFirst() }
    guard !rest.isEmpty else { return false }
    return rest.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { variable in
      var name = variable
      if name.hasSuffix("*") {
        name = name.dropLast()
      } else if let colon = name.firstIndex(of: ":") {
        let length = name[name.index(after: colon)...]
        guard (1...4).contains(length.count), length.utf8.allSatisfy(\.isDigit), !length.hasPrefix("0") else { return false }
        name = name[..<colon]
      }
      return !name.isEmpty && !name.hasPrefix(".") && !name.hasSuffix(".") && !name.contains("..")
        && name.utf8.allSatisfy {
          $0.isLetterOrDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%")
        }
    }
  }
}
