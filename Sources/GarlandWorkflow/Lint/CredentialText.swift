/// Finds credentials that are parts of longer texts: URLs, forms, and header fields with cookies.
package enum CredentialText {
  /// A credential that was found in a text.
  package struct Finding: Equatable {
    /// The name of the parameter or cookie that contains the credential; nil for the password in a URL.
    package let name: String?
    /// The range of the credential's value in the UTF-8 bytes of the text.
    package let range: Range<Int>
  }

  /// Returns the credentials in a text. A value that may contain an expression does not count as a credential.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - key: the key or the header field whose value is the text.
  package static func findings(in text: String, under key: String) -> [Finding] {
    let bytes = Array(text.utf8)
    if key.lowercased() == "cookie" {
      return pairs(in: bytes, bytes.indices, separator: UInt8(ascii: ";")) { CredentialName.isCredential(cookie: $0) }
    }
    var found = password(in: bytes).map { [Finding(name: nil, range: $0)] } ?? []
    let query: Range<Int>?
    if let mark = bytes.firstIndex(of: UInt8(ascii: "?")) {
      query = mark + 1..<(bytes[mark...].firstIndex(of: UInt8(ascii: "#")) ?? bytes.count)
    } else {
      query = key == "body" && !bytes.contains { $0 <= 0x20 } ? bytes.indices : nil
    }
    if let query { found += pairs(in: bytes, query, separator: UInt8(ascii: "&")) { CredentialName.isCredential($0) } }
    return found
  }

  /// Returns the range of the password in the user information of a URL (RFC 3986, section 3.2.1); nil if there is none.
  private static func password(in bytes: [UInt8]) -> Range<Int>? {
    guard let scheme = bytes.firstRange(of: Array("://".utf8)) else { return nil }
    let authority = bytes[scheme.upperBound...].prefix { $0 > 0x20 && !"/?#".utf8.contains($0) }
    guard let at = authority.lastIndex(of: UInt8(ascii: "@")), let colon = authority[..<at].firstIndex(of: UInt8(ascii: ":")) else {
      return nil
    }
    return isLiteral(bytes[(colon + 1)..<at]) ? colon + 1..<at : nil
  }

  /// Returns the values of all pairs `NAME=VALUE` whose name is usual for a credential.
  private static func pairs(
    in bytes: [UInt8], _ range: Range<Int>, separator: UInt8, _ isCredential: (String) -> Bool
  ) -> [Finding] {
    bytes[range].split(separator: separator).compactMap { pair in
      guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      let name = String(decoding: pair[..<equals].drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
      let value = pair[(equals + 1)...]
      return isLiteral(value) && isCredential(name) ? Finding(name: name, range: value.indices) : nil
    }
  }

  /// Whether a value is certainly literal: it is not empty, and contains none of the characters that may belong to an expression (white
  /// space, quotes, braces and `$`).
  private static func isLiteral(_ value: ArraySlice<UInt8>) -> Bool {
    !value.isEmpty && !value.contains { $0 <= 0x20 || "{}$'\"".utf8.contains($0) }
  }
}
