/// Splits the header fields of cookies into names and values.
package enum CookiePair {
  /// Returns the cookies in the value of a `Cookie` field (RFC 6265, section 4.2.1). A part without `=` is not a cookie.
  package static func all(of field: String) -> [(name: String, value: String)] {
    field.split(separator: ";").compactMap { part in
      let (name, value) = halves(part)
      return value.map { (name, $0) }
    }
  }

  /// Splits a cookie or an attribute of a cookie at the first `=`, and removes the white space around both halves. Without `=`, the value
  /// is nil.
  package static func halves(_ part: Substring) -> (name: String, value: String?) {
    guard let equals = part.firstIndex(of: "=") else { return (String(part.withoutBlanks), nil) }
    return (String(part[..<equals].withoutBlanks), String(part[part.index(after: equals)...].withoutBlanks))
  }
}
