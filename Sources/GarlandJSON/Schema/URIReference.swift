import GarlandText

/// A URI reference, which can be resolved as defined in [RFC 3986
/// §5](https://www.rfc-editor.org/rfc/rfc3986#section-5).
struct URIReference {
  var scheme: String?
  var authority: String?
  var path: String
  var query: String?
  var fragment: String?

  init(_ text: String) {
    var rest = text[...]
    if let hash = rest.firstIndex(of: "#") {
      fragment = String(rest[rest.index(after: hash)...])
      rest = rest[..<hash]
    }
    if let mark = rest.firstIndex(of: "?") {
      query = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let colon = rest.firstIndex(of: ":"), URIReference.isScheme(rest[..<colon]) {
      scheme = String(rest[..<colon])
      rest = rest[rest.index(after: colon)...]
    }
    if rest.hasPrefix("//") {
      let behind = rest.dropFirst(2)
      let end = behind.firstIndex(of: "/") ?? behind.endIndex
      authority = String(behind[..<end])
      rest = behind[end...]
    }
    path = String(rest)
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, (first | 0x20) &- UInt8(ascii: "a") < 26 else { return false }
    return text.utf8.allSatisfy {
      $0.isLetterOrDigit || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-")
        || $0 == UInt8(ascii: ".")
    }
  }

  func resolved(against base: URIReference) -> URIReference {
    var target = self
    if scheme != nil {
      target.path = URIReference.withoutDotSegments(path)
      return target
    }
    target.scheme = base.scheme
    if authority != nil {
      target.path = URIReference.withoutDotSegments(path)
      return target
    }
    target.authority = base.authority
    if path.isEmpty {
      target.path = base.path
      target.query = query ?? base.query
    } else if path.hasPrefix("/") {
      target.path = URIReference.withoutDotSegments(path)
    } else {
      let merged: String
      if base.authority != nil, base.path.isEmpty {
        merged = "/" + path
      } else {
        merged = base.path.lastIndex(of: "/").map { base.path[...$0] + path } ?? path
      }
      target.path = URIReference.withoutDotSegments(merged)
    }
    return target
  }

  private static func withoutDotSegments(_ path: String) -> String {
    guard path.contains(".") else { return path }
    var output: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      if segment == "." {
        if isLast { output.append("") }
      } else if segment == ".." {
        // Keep the empty segment before the first slash of an absolute path.
        if output.count > 1 || (output.first.map { !$0.isEmpty } ?? false) { output.removeLast() }
        if isLast { output.append("") }
      } else {
        output.append(segment)
      }
    }
    return output.joined(separator: "/")
  }

  var withoutFragment: String {
    var copy = self
    copy.fragment = nil
    return copy.text
  }

  var text: String {
    var text = ""
    if let scheme { text += scheme + ":" }
    if let authority { text += "//" + authority }
    text += path
    if let query { text += "?" + query }
    if let fragment { text += "#" + fragment }
    return text
  }
}
