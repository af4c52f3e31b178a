/// Splits a URL reference at its delimiters, from left to right (RFC 3986, appendix B).
struct URLScanner {
  private var rest: Substring

  init(_ text: String) { rest = text[...] }

  mutating func scheme() -> String? {
    var index = rest.utf8.startIndex
    var hasCapital = false
    while index < rest.utf8.endIndex {
      let byte = rest.utf8[index]
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): hasCapital = true
      case UInt8(ascii: "a")...UInt8(ascii: "z"): break
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
        if index == rest.startIndex { return nil }
      case UInt8(ascii: ":"):
        if index == rest.startIndex { return nil }
        let scheme = rest[..<index]
        rest = rest[rest.utf8.index(after: index)...]
        return hasCapital ? scheme.lowercased() : String(scheme)
      default: return nil
      }
      index = rest.utf8.index(after: index)
    }
    return nil
  }

  mutating func authority() -> Substring? {
    guard rest.utf8.starts(with: "//".utf8) else { return nil }
    let start = rest.utf8.index(rest.startIndex, offsetBy: 2)
    return take(from: start) { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
  }

  mutating func path() -> String {
    String(take(from: rest.startIndex) { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") })
  }

  mutating func query() -> String? {
    guard rest.utf8.first == UInt8(ascii: "?") else { return nil }
    return String(take(from: rest.utf8.index(after: rest.startIndex)) { $0 == UInt8(ascii: "#") })
  }

  mutating func fragment() -> String? {
    guard rest.utf8.first == UInt8(ascii: "#") else { return nil }
    return String(take(from: rest.utf8.index(after: rest.startIndex)) { _ in false })
  }

  private mutating func take(from start: String.Index, until isEnd: (UInt8) -> Bool) -> Substring {
    let end = rest.utf8[start...].firstIndex(where: isEnd) ?? rest.endIndex
    defer { rest = rest[end...] }
    return rest[start..<end]
  }
}
