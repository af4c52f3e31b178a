import GarlandText
import HTTPTypes

/// Parses the names and values of cookies in header fields.
enum CookiePairs {
  /// Returns the cookies that a request sends (RFC 6265, section 4.2.1).
  static func sent(in fields: HTTPFields) -> [(name: String, value: String)] {
    fields[values: .cookie].flatMap { CookiePair.all(of: $0) }
  }

  /// Returns the cookies that a response sets (RFC 6265, section 5.2). Each field is read up to the first `;` and split at the first `=`;
  /// white space around both parts is removed.
  static func set(by fields: HTTPFields) -> [(name: String, value: String)] {
    fields[values: .setCookie].compactMap { field in
      let (name, value) = CookiePair.halves(field.prefix { $0 != ";" })
      return name.isEmpty ? nil : value.map { (name, $0) }
    }
  }
}
