import GarlandText

/// A media type, or a range of media types as in `Accept`: `text/html`, `image/*`, `*/*`,
/// `application/*+json`, optionally with parameters.
///
/// ```swift
/// MediaRange("text/*;charset=utf-8")?.matches("Text/Plain; charset=\"UTF-8\"; format=flowed")   // true
/// ```
/// Comparisons are case-insensitive. A media type matches if it has all parameters of the range; `q`
/// is a weight and not a parameter (RFC 9110, section 12.5.1).
public struct MediaRange: Sendable, Hashable, CustomStringConvertible {
  /// The original text of the range.
  public let description: String
  private let type: String
  private let subtype: String
  private var parameters: [String: String]

  /// Parses a text such as `text/html; charset=utf-8`; nil unless the text begins with a type and a subtype, separated by a slash.
  public init?(_ text: String) {
    let end = text.utf8.firstIndex(of: UInt8(ascii: ";")) ?? text.endIndex
    let name = text[..<end].withoutBlanks.lowercased()
    guard let slash = name.utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    type = String(name[..<slash])
    subtype = String(name[name.utf8.index(after: slash)...])
    guard !type.isEmpty, !subtype.isEmpty else { return nil }
    var parameters: [String: String] = [:]
    var scanner = ParameterScanner(text)
    while let (name, value) = scanner.next() { if name != "q" { parameters[name] = value.lowercased() } }
    self.parameters = parameters
    description = String(text[...].withoutBlanks)
  }

  /// Returns the media ranges of an `Accept` field. Invalid media ranges are skipped.
  public static func list(_ accept: String) -> [MediaRange] {
    var ranges: [MediaRange] = []
    var start = accept.startIndex
    var isQuoted = false
    var index = start
    while index < accept.endIndex {
      let byte = accept.utf8[index]
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte == UInt8(ascii: ","), !isQuoted {
        if let range = MediaRange(String(accept[start..<index])) { ranges.append(range) }
        start = accept.utf8.index(after: index)
      }
      index = accept.utf8.index(after: index)
    }
    if let range = MediaRange(String(accept[start...])) { ranges.append(range) }
    return ranges
  }

  /// Whether the range is `*/*` without parameters, so that it contains every media type.
  var isAny: Bool { type == "*" && subtype == "*" && parameters.isEmpty }

  /// The range with its parameters removed, so that it matches any parameters.
  var withoutParameters: MediaRange {
    var range = self
    range.parameters = [:]
    return range
  }

  /// Whether a media type, such as the value of a `Content-Type` field, is in the range.
  public func matches(_ contentType: String) -> Bool {
    MediaRange(contentType).map(contains) ?? false
  }

  /// Whether every media type in `other` is also in this range.
  public func contains(_ other: MediaRange) -> Bool {
    guard type == "*" || type == other.type else { return false }
    guard subtype == "*" || subtype == other.subtype || matchesSuffix(of: other) else { return false }
    return parameters.allSatisfy { other.parameters[$0.key] == $0.value }
  }

  /// Whether this range is like `*+json`, and the subtype of `other` ends with the suffix of this range, such as `+json` (RFC 6839).
  private func matchesSuffix(of other: MediaRange) -> Bool {
    subtype.utf8.starts(with: "*+".utf8) && other.subtype.hasSuffix(subtype.dropFirst())
  }
}
