extension MediaTypePattern {
  /// From text as in a `Content-Type` field (RFC 9110 §8.3.1); nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(MediaTypePattern.trim)
    let names = parts[0].split(separator: "/", omittingEmptySubsequences: false)
    guard names.count == 2, MediaTypePattern.isToken(names[0]), MediaTypePattern.isToken(names[1]) else { return nil }
    guard names[0] != "*" || names[1] == "*" else { return nil }
    var parameters: [String: String] = [:]
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, MediaTypePattern.isToken(pair[0]) else { return nil }
      var value = String(pair[1])
      if value.utf8.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") { value = String(value.dropFirst().dropLast()) }
      parameters[pair[0].lowercased()] = value
    }
    self.init(type: names[0].lowercased(), subtype: names[1].lowercased(), parameters: parameters)
  }

  /// Whether a response's media type (with its own parameters) is admitted: `charset` and such are compared without case.
  public func matches(_ other: MediaTypePattern) -> Bool {
    guard type == "*" || type == other.type, subtype == "*" || subtype == other.subtype else { return false }
    return parameters.allSatisfy { name, value in other.parameters[name]?.lowercased() == value.lowercased() }
  }

  private static func trim(_ text: Substring) -> Substring {
    var text = text.drop { $0 == " " || $0 == "\t" }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text
  }

  /// RFC 9110 §5.6.2.
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
