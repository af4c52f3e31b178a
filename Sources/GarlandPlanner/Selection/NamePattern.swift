/// A pattern with which a user selects steps by name: an id, with or without a file name. The pattern may contain wildcards, as in `login`,
/// `read_*` or `shop.yaml#login`.
struct NamePattern {
  let file: [UInt8]?
  let id: [UInt8]
  let hasWildcards: Bool

  init(_ text: String) {
    if let hash = text.utf8.lastIndex(of: UInt8(ascii: "#")) {
      file = Array(text.utf8[..<hash])
      id = Array(text.utf8[text.utf8.index(after: hash)...])
    } else {
      file = nil
      id = Array(text.utf8)
    }
    hasWildcards = text.utf8.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }
  }

  /// Returns whether the pattern matches the name of a document's file. The pattern must match the whole name, or everything after one of
  /// the `/` in the name: `books.yaml` matches `shop/books.yaml`. A pattern without a file name matches every document.
  func matches(file name: String) -> Bool {
    guard let file else { return true }
    let name = Array(name.utf8)
    if NamePattern.matches(name[...], file) { return true }
    return name.indices.contains { name[$0] == UInt8(ascii: "/") && NamePattern.matches(name[($0 + 1)...], file) }
  }

  func matches(id name: String) -> Bool {
    if !hasWildcards { return name.utf8.elementsEqual(id) }
    return NamePattern.matches(Array(name.utf8)[...], id)
  }

  /// Returns whether a text matches a pattern.
  ///
  /// The function first matches each `*` with as little text as possible. After a mismatch, it tries a longer text only for the last `*`
  /// that it has read. Therefore the function needs no recursion.
  private static func matches(_ text: ArraySlice<UInt8>, _ pattern: [UInt8]) -> Bool {
    var position = text.startIndex
    var index = 0
    var star: (index: Int, position: Int)?
    while position < text.endIndex {
      if index < pattern.count, pattern[index] == UInt8(ascii: "*") {
        star = (index, position)
        index += 1
      } else if index < pattern.count, pattern[index] == UInt8(ascii: "?") {
        position += 1
        while position < text.endIndex, text[position] & 0xC0 == 0x80 { position += 1 }
        index += 1
      } else if index < pattern.count, pattern[index] == text[position] {
        position += 1
        index += 1
      } else if let last = star {
        index = last.index + 1
        position = last.position + 1
        star = (last.index, position)
      } else {
        return false
      }
    }
    return pattern[index...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
