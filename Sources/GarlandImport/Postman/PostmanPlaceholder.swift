import GarlandText

/// Finds placeholders `{{name}}` in a text of Postman. As in Postman, a name cannot contain braces.
enum PostmanPlaceholder {
  enum Piece: Equatable {
    case literal(Substring)
    /// The name of a placeholder, without the spaces around it.
    case name(String)
  }

  /// Splits a text into literals and placeholders. No character is read more than twice.
  static func pieces(of text: String) -> [Piece] {
    let (open, close) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
    let bytes = text.utf8
    var pieces: [Piece] = []
    /// The start of the literal text that was not added to the pieces yet.
    var begun = bytes.startIndex
    var position = begun
    while let first = bytes[position...].firstIndex(of: open) {
      let start = bytes.index(after: first)
      guard start < bytes.endIndex else { break }
      guard bytes[start] == open else {
        position = start
        continue
      }
      let name = bytes.index(after: start)
      guard let end = bytes[name...].firstIndex(where: { $0 == open || $0 == close }) else { break }
      let behind = bytes.index(after: end)
      guard bytes[end] == close, behind < bytes.endIndex, bytes[behind] == close, name < end else {
        // If three braces follow each other, the last two may begin a placeholder.
        position = bytes[end] == open ? (end == name ? start : end) : behind
        continue
      }
      if begun < first { pieces.append(.literal(text[begun..<first])) }
      pieces.append(.name(text[name..<end].trimmed))
      position = bytes.index(after: behind)
      begun = position
    }
    if begun < bytes.endIndex { pieces.append(.literal(text[begun...])) }
    return pieces
  }
}
