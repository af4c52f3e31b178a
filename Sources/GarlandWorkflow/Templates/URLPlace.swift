/// Where in a URL its text has come to.
struct URLPlace {
  private enum Part { case start, base, authority, path, query }

  private var part = Part.start

  /// The encoding of an expression that stands here.
  var encoding: URLTemplate.Encoding {
    switch part {
    case .start, .base, .authority: .raw
    case .path: .pathSegment
    case .query: .queryComponent
    }
  }

  /// A literal part.
  mutating func pass(_ literal: String) {
    var rest = literal.utf8[...]
    if part == .start {
      if let authority = URLPlace.authority(of: literal) {
        part = .authority
        rest = rest[authority...]
      } else {
        part = .path
      }
    }
    for byte in rest {
      switch (part, byte) {
      case (.authority, UInt8(ascii: "/")), (.base, UInt8(ascii: "/")): part = .path
      case (_, UInt8(ascii: "?")), (_, UInt8(ascii: "#")): part = .query
      default: break
      }
    }
  }

  /// An expression. What a URL begins with is its base, up to the next `/`: `${vars.host}:${vars.port}/x`.
  mutating func passExpression() {
    if part == .start { part = .base }
  }

  /// Where the authority begins, if the text has a scheme.
  private static func authority(of text: String) -> String.Index? {
    guard URLJoining.isAbsolute(text) else { return nil }
    let bytes = text.utf8
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let behind = bytes[bytes.index(after: colon)...]
    return behind.starts(with: "//".utf8) ? bytes.index(colon, offsetBy: 3) : bytes.index(after: colon)
  }
}
