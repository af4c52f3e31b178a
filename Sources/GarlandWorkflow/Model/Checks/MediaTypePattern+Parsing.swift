import GarlandText

extension MediaTypePattern {
  /// Parses a media type in the syntax of a `Content-Type` field (RFC 9110, section 8.3.1). Returns nil if the text is not a media type.
  public init?(_ text: String) {
    let end = text.utf8.firstIndex(of: UInt8(ascii: ";")) ?? text.endIndex
    let name = text[..<end].withoutBlanks
    guard let slash = name.utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let (type, subtype) = (name[..<slash], name[name.utf8.index(after: slash)...])
    guard HTTPToken.isToken(type), HTTPToken.isToken(subtype), type != "*" || subtype == "*" else { return nil }
    var parameters: [String: String] = [:]
    if end < text.endIndex {
      let parts = MediaTypePattern.split(text[text.utf8.index(after: end)...], at: UInt8(ascii: ";")).map(\.withoutBlanks)
      // RFC 9110, section 5.6.6: a parameter may be empty, as after the last `;`.
      for part in parts where !part.isEmpty {
        let pair = MediaTypePattern.split(part.utf8, at: UInt8(ascii: "="), maxSplits: 1)
        guard pair.count == 2, HTTPToken.isToken(pair[0]) else { return nil }
        parameters[pair[0].lowercased()] = MediaTypePattern.unquoted(pair[1])
      }
    }
    self.init(type: type.lowercased(), subtype: subtype.lowercased(), parameters: parameters)
  }

  /// Returns whether the media type of a response matches this pattern. The response's media type must have all parameters of the pattern;
  /// the values of the parameters are compared case-insensitively.
  public func matches(_ other: MediaTypePattern) -> Bool {
    guard type == "*" || type == other.type, subtype == "*" || subtype == other.subtype else { return false }
    return parameters.allSatisfy { name, value in other.parameters[name]?.lowercased() == value.lowercased() }
  }

  /// Splits a text at each `separator`. The function is called for many responses, so it compares bytes, which is much faster than
  /// comparing characters.
  private static func split(_ text: Substring.UTF8View, at separator: UInt8, maxSplits: Int = .max) -> [Substring] {
    text.split(separator: separator, maxSplits: maxSplits, omittingEmptySubsequences: false).map { Substring($0) }
  }

  /// Splits the value of a header field at each `separator` (`,` or `;`) that is not in quotes (RFC 9110, section 5.6.4).
  package static func split(_ text: Substring, at separator: UInt8) -> [Substring] {
    guard text.utf8.contains(UInt8(ascii: "\"")) else { return split(text.utf8, at: separator) }
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
