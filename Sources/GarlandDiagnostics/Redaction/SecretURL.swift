import GarlandText

/// Finds the parts of a secret URL, such as the URL of a webhook, that must be masked even where the rest of the URL is missing or
/// different. These parts are the path with its query, and the password.
///
/// Output often does not contain the whole URL, because a client normalises a URL before it sends and prints the URL (RFC 3986, section
/// 6.2.2): the host is in lower case; user, password, fragment and dot segments are omitted.
enum SecretURL {
  /// Returns the secret parts of a URL: its target (path and query), the same target without the dot segments `.` and `..` in the path, and
  /// its password. Returns an empty list if the text is not a URL.
  static func parts(of secret: String) -> [String] {
    guard let scheme = secret.firstRange(of: "://"), isScheme(secret[..<scheme.lowerBound]) else { return [] }
    let rest = secret[scheme.upperBound...].prefix { $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let target = rest[authority.endIndex...]
    var parts: [String] = []
    if target != "/" {
      parts.append(String(target))
      let path = target.prefix { $0 != "?" }
      parts.append(withoutDotSegments(path) + target[path.endIndex...])
    }
    if let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") {
      let password = String(authority[authority.index(after: colon)..<at])
      parts.append(password)
    }
    return parts.filter { !$0.isEmpty }
  }

  private static func isScheme(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
  }

  /// Removes `.` and `..` segments from a path (RFC 3986, section 5.2.4).
  private static func withoutDotSegments(_ path: Substring) -> String {
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".": if isLast { kept.append("") }
      case "..":
        if kept.count > 1 { kept.removeLast() }
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return kept.joined(separator: "/")
  }
}
