/// Tracks the component of a URL (such as path or query) at the current position while the URL is read from the start. The component
/// determines how the value of an expression is encoded.
struct URLPlace {
  private enum Part { case start, base, authority, path, query }

  private var part = Part.start

  /// The encoding that the value of an expression needs at this position.
  var encoding: URLTemplate.Encoding {
    switch part {
    case .start, .base, .authority: .raw
    case .path: .pathSegment
    case .query: .queryComponent
    }
  }

  /// Moves the position in the URL to the end of a literal part.
  mutating func pass(_ literal: String) {
    var literal = literal
    let start = part
    part = literal.withUTF8 { URLPlace.part(behind: $0, from: start) }
  }

  private static func part(behind bytes: UnsafeBufferPointer<UInt8>, from start: Part) -> Part {
    var part = start
    var index = 0
    if part == .start {
      if let authority = URLPlace.authority(of: bytes) {
        part = .authority
        index = authority
      } else {
        part = .path
      }
    }
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "/"): if part == .authority || part == .base { part = .path }
      case UInt8(ascii: "?"), UInt8(ascii: "#"): part = .query
      default: break
      }
      index += 1
    }
    return part
  }

  /// Moves the position in the URL to the end of an expression. If the URL begins with this expression, the text up to the next `/` still
  /// belongs to the base of the URL. For example, the base of `${vars.host}:${vars.port}/x` is `${vars.host}:${vars.port}`.
  mutating func passExpression() {
    if part == .start { part = .base }
  }

  /// Returns the offset at which the authority of a URL begins; nil if the text has no scheme.
  private static func authority(of bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard URLJoining.isAbsolute(bytes), let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    return URLJoining.hasSlashes(bytes, behind: colon) ? colon + 3 : colon + 1
  }
}
