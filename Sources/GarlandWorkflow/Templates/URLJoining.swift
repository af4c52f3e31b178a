/// Appends relative URLs to a base URL by the rules of Garland: `https://h/v1` and `/books` become `https://h/v1/books`.
package enum URLJoining {
  /// Whether a URL begins with a scheme (RFC 3986, section 3.1).
  package static func isAbsolute(_ url: String) -> Bool {
    var url = url
    return url.withUTF8 { isAbsolute($0) }
  }

  static func isAbsolute(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    for count in bytes.indices {
      switch bytes[count] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): break
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): if count == 0 { return false }
      // `localhost:8080/x` is a host with a port. A scheme is followed by `//`, except for `data:` and `file:`.
      case UInt8(ascii: ":"):
        return count > 0
          && (hasSlashes(bytes, behind: count) || bytes[..<count].elementsEqual("data".utf8) || bytes[..<count].elementsEqual("file".utf8))
      default: return false
      }
    }
    return false
  }

  /// Whether `//` follows the byte at an index.
  static func hasSlashes(_ bytes: UnsafeBufferPointer<UInt8>, behind index: Int) -> Bool {
    index + 2 < bytes.count && bytes[index + 1] == UInt8(ascii: "/") && bytes[index + 2] == UInt8(ascii: "/")
  }

  /// Returns the URL `base` with `path` appended.
  ///
  /// Exactly one `/` is between the two, unless `path` is empty or begins with `?` or `#`. The query of `base` is moved to the end, and a
  /// query of `path` is added after `&`: `http://h/a?x=1` and `/b?y=2` become `http://h/a/b?x=1&y=2`.
  static func join(_ base: String, _ path: String) -> String {
    guard let first = path.utf8.first else { return base }
    guard let mark = base.utf8.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) else {
      return append(base, path, first)
    }
    let start = String(base[..<mark])
    guard base.utf8[mark] == UInt8(ascii: "?") else { return append(start, path, first) }
    let query = base[base.index(after: mark)...].prefix { $0 != "#" }
    let cut = path.firstIndex { $0 == "?" || $0 == "#" } ?? path.endIndex
    var joined = append(start, String(path[..<cut]), path[..<cut].utf8.first)
    joined += "?" + query
    guard cut < path.endIndex else { return joined }
    if path[cut] == "?" { joined += "&" + path[path.index(after: cut)...] } else { joined += path[cut...] }
    return joined
  }

  private static func append(_ base: String, _ path: String, _ first: UInt8?) -> String {
    guard let first, first != UInt8(ascii: "?"), first != UInt8(ascii: "#") else { return base + path }
    switch (base.utf8.last == UInt8(ascii: "/"), first == UInt8(ascii: "/")) {
    case (true, true): return base + path.dropFirst()
    case (false, false): return base + "/" + path
    default: return base + path
    }
  }
}
