extension MediaTypePattern {
  /// Parses a media type in the syntax of a `Content-Type` field (RFC 9110, section 8.3.1). Returns nil if the text is not a media type.
  public init?(_ text: String) {
    let parts = MediaTypePattern.split(text[...], at: UInt8(ascii: ";")).map(MediaTypePattern.trim)
    let names = parts[0].split(separator: "/", omittingEmptySubsequences: false)
    guard names.count == 2, MediaTypePattern.isToken(names[0]), MediaTypePattern.isToken(names[1]) else { return nil }
    guard names[0] != "*" || names[1] == "*" else { return nil }
    var parameters: [String: String] = [:]
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, MediaTypePattern.isToken(pair[0]) else { return nil }
      parameters[pair[0].lowercased()] = MediaTypePattern.unquoted(pair[1])
    }
    self.init(type: names[0].lowercased(), subtype: names[1].lowercased(), parameters: parameters)
  }

  /// Whether the media type of a response matches this pattern. Values of parameters such as `charset` are compared case-insensitively.
  public func matches(_ other: MediaTypePattern) -> Bool {
    guard type == "*" || type == other.type, subtype == "*" || subtype == other.subtype else { return false }
    return parameters.allSatisfy { name, value in other.parameters[name]?.lowercased() == value.lowercased() }
  }

  private static func trim(_ text: Substring) -> Substring {
    var text = text.drop { $0 == " " || $0 == "\t" }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text
  }

  /// Splits the value of a header field at each `separator` (`,` or `;`) that is not in quotes (RFC 9110, section 5.6.4).
  package static func split(_ text: Substring, at separator: UInt8) -> [Substring] {
    guard text.utf8.contains(UInt8(ascii: "\"")) else {
      return text.split(separator: Character(Unicode.Scalar(separator)), omittingEmptySubsequences: false)
    }
    var parts: [Substring] = []
    var (start, isQuoted, isEscaped) = (text.startIndex, false, false)
    for index in text.utf8.indices {
      switch text.utf8[index] {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isQuoted: isEscaped = true
      case UInt8(ascii: "\""): isQuoted.toggle()
      case separator where !isQuoted:
        parts.append(text[start..<index])
        start = text.utf8.index(after: index)
      default: break
      }
    }
    return parts + [text[start...]]
  }

  /// Returns the content of a quoted string (RFC 9110, section 5.6.4). Returns a text without quotes unchanged.
  private static func unquoted(_ text: Substring) -> String {
    guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return String(text) }
    var result = ""
    var isEscaped = false
    for character in text.dropFirst().dropLast() {
      isEscaped = character == "\\" && !isEscaped
      if !isEscaped { result.append(character) }
    }
    return result
  }

  /// Whether a text is a token (RFC 9110, section 5.6.2).
  package static func isToken(_ text: some StringProtocol) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"),
          UInt8(ascii: "."), UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
          true
        default: false
        }
      }
  }
}

/// A media type or pattern of `expect.type`, such as `application/json`, `text/*` or `text/html; charset=utf-8`.
public struct MediaTypePattern: Sendable, Hashable {
  /// The part before the `/`, in lower case, or `*`.
  public let type: String
  /// The part after the `/`, in lower case, or `*`.
  public let subtype: String
  /// The required parameters, with their names in lower case.
  public let parameters: [String: String]
}
