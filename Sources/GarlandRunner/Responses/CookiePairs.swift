import GarlandText
import HTTPTypes

/// Parses the names and values of cookies in header fields.
enum CookiePairs {
  /// Returns the cookies that a request sends (RFC 6265, section 4.2.1).
  static func sent(in fields: HTTPFields) -> [(name: String, value: String)] {
    fields[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { pair in
      guard let equals = pair.firstIndex(of: "=") else { return nil }
      return (String(pair[..<equals].withoutBlanks), String(pair[pair.index(after: equals)...].withoutBlanks))
    }
  }

  /// Returns the cookies that a response sets (RFC 6265, section 5.2). Each field is read up to the first `;` and split at the first `=`;
  /// white space around both parts is removed.
  static func set(by fields: HTTPFields) -> [(name: String, value: String)] {
    fields[values: .setCookie].compactMap { field in
      let pair = field.prefix { $0 != ";" }
      guard let equals = pair.firstIndex(of: "=") else { return nil }
      let name = String(pair[..<equals].withoutBlanks)
      return name.isEmpty ? nil : (name, String(pair[pair.index(after: equals)...].withoutBlanks))
    }
  }
}
