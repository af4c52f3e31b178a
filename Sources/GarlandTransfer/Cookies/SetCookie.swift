import GarlandText

/// A parsed `Set-Cookie` value (RFC 6265, section 5.2).
package struct SetCookie {
  package var name: String
  package var value: String
  package var domain: String?
  package var path: String?
  /// The lifetime of the cookie in seconds from now; nil if the `Set-Cookie` field sets no lifetime in seconds.
  package var maxAge: Int64?
  package var expires: Int64?
  package var isSecure = false
  package var isHTTPOnly = false
  package var sameSite: Cookie.SameSite?

  /// Parses a `Set-Cookie` value. Returns nil if the value must be ignored.
  package init?(_ text: String) {
    // RFC 6265bis drops a cookie with control characters.
    guard !text.utf8.contains(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }) else { return nil }
    var pieces = text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)[...]
    guard let pair = pieces.popFirst() else { return nil }
    if let equals = pair.firstIndex(of: UInt8(ascii: "=")) {
      name = Self.trimmed(pair[..<equals])
      value = Self.trimmed(pair[pair.index(after: equals)...])
    } else {
      name = ""
      value = Self.trimmed(pair)
    }
    if name.isEmpty, value.isEmpty { return nil }
    // Browsers have the same limit.
    if name.utf8.count + value.utf8.count > 4096 { return nil }
    for piece in pieces { takeAttribute(piece) }
  }

  private mutating func takeAttribute(_ piece: Substring.UTF8View.SubSequence) {
    let key: String
    var value = ""
    if let equals = piece.firstIndex(of: UInt8(ascii: "=")) {
      key = Self.trimmed(piece[..<equals]).lowercased()
      value = Self.trimmed(piece[piece.index(after: equals)...])
    } else {
      key = Self.trimmed(piece).lowercased()
    }
    if value.utf8.count > 1024 { return }
    switch key {
    case "expires": if let date = CookieDate.parse(value) { expires = date }
    case "max-age": if let seconds = Self.seconds(value) { maxAge = seconds }
    case "domain":
      let bare = value.utf8.first == UInt8(ascii: ".") ? String(value.dropFirst()) : value
      domain = bare.isEmpty ? nil : bare.lowercased()
    case "path": path = value.utf8.first == UInt8(ascii: "/") ? value : nil
    case "secure": isSecure = true
    case "httponly": isHTTPOnly = true
    case "samesite": sameSite = Cookie.SameSite(rawValue: value.prefix(1).uppercased() + value.dropFirst().lowercased())
    default: break
    }
  }

  /// Parses digits with an optional minus sign. Returns -1 if there is a minus sign; otherwise returns the number, but at most 2^31 - 1.
  /// Returns nil for a text of any other form.
  private static func seconds(_ text: String) -> Int64? {
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    let digits = isNegative ? text.dropFirst() : text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else { return nil }
    return isNegative ? -1 : min(Int64(digits) ?? .max, Int64(Int32.max))
  }

  private static func trimmed(_ bytes: Substring.UTF8View.SubSequence) -> String {
    String(Substring(bytes).withoutBlanks)
  }
}
