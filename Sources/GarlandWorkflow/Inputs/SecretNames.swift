public import GarlandDiagnostics
import GarlandText

/// Finds the names, files and values of secrets in a document that could not be decoded. Diagnostics quote lines of the document, and the
/// secret values in these lines must be masked.
public enum SecretNames {
  /// Returns the words that could be names of secrets: those in references such as `${secrets.NAME}` and in the value of the key
  /// `secrets:`.
  public static func find(in file: SourceFile) -> Set<String> {
    uses(in: file) { declaration(in: $0) ?? reference(in: $0) }.reduce(into: []) { $0.formUnion(words(in: $1)) }
  }

  /// Returns the paths of the files that contain values of secrets. These paths follow `file:` below `secrets:`, and are returned as they
  /// are written in the document.
  public static func filePaths(in file: SourceFile) -> Set<String> {
    let key = Array("file:".utf8)
    return uses(in: file, declaration).reduce(into: []) { paths, section in
      var rest = section
      while let found = rest.firstRange(of: key) {
        rest = rest[found.upperBound...]
        let words = rest.prefix { !"\n,}#".utf8.contains($0) }.split { $0.isWhiteSpace || "\"'".utf8.contains($0) }
        if let path = words.first { paths.insert(String(decoding: Array(path), as: UTF8.self)) }
      }
    }
  }

  /// Returns the values that a document contains below `secrets:`, or below `secrets:` of a profile. A document must not contain such
  /// values, so messages mask them. The values are found in the text, line by line, so that another mistake in the document can't hide
  /// them.
  public static func values(in file: SourceFile) -> Set<String> {
    let text = String(decoding: file.bytes, as: UTF8.self).utf8[...]
    var found: Set<String> = []
    guard text.first(where: { !$0.isWhiteSpace }) != UInt8(ascii: "{") else {
      addValues(inFlow: text, below: [], to: &found)
      return found
    }
    var parents: [(indentation: Int, key: String)] = []
    var rest = text
    while !rest.isEmpty {
      let line = rest.prefix { $0 != UInt8(ascii: "\n") }
      rest = rest[line.endIndex...].dropFirst()
      let content = line.drop(while: \.isWhiteSpace)
      guard let first = content.first, first != UInt8(ascii: "#") else { continue }
      let indentation = line.count - content.count
      let key = content.prefix { $0 != UInt8(ascii: ":") }
      parents.removeAll { $0.indentation >= indentation }
      parents.append((indentation, first == UInt8(ascii: "-") ? "-" : trimmed(key)))
      guard key.endIndex < content.endIndex, parents.count <= 3 else { continue }
      let path = parents.map(\.key)
      let value = text[key.endIndex...].dropFirst()
      if isDeclaration(path) {
        let section = block(value, below: indentation)
        addValues(in: section, to: &found)
        rest = text[section.endIndex...]
      } else if path.count < 3, path[0] == "profiles", value.first(where: { !$0.isWhiteSpace }) == UInt8(ascii: "{") {
        let section = block(value, below: indentation)
        addValues(inFlow: section, below: path, to: &found)
        rest = text[section.endIndex...]
      }
    }
    return found
  }

  /// Returns whether the key at `path` declares secrets: the key `secrets` at the top of a file, or in a profile (`profiles.NAME.secrets`).
  /// In any other place, such as the body of a request, a key with this name means something else.
  private static func isDeclaration(_ path: [String]) -> Bool {
    path.last == "secrets" && (path.count == 1 || path.count == 3 && path[0] == "profiles")
  }

  /// Returns the value of a YAML key. `text` begins after the key. The value ends before the first line that is not indented deeper than
  /// the key.
  private static func block(_ text: Text, below indentation: Int) -> Text {
    var end = text.firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
    while end < text.endIndex {
      let line = text[end...].dropFirst().prefix { $0 != UInt8(ascii: "\n") }
      let content = line.drop(while: \.isWhiteSpace)
      let column = line.count - content.count
      // A YAML list, and a bracket that ends a value, may be in the same column as the key.
      if let first = content.first, first != UInt8(ascii: "#"), column <= indentation, column < indentation || !"-]}".utf8.contains(first) {
        break
      }
      end = line.endIndex
    }
    return text[..<end]
  }

  /// Adds the values of secrets to `found`. `section` is the text that follows the key `secrets:` in block style. If the secrets are a
  /// list, no value is added, since such a list contains only names. The value of a key `file` is not added, since it is a path.
  private static func addValues(in section: Text, to found: inout Set<String>) {
    guard let first = section.first(where: { !$0.isWhiteSpace }), first != UInt8(ascii: "["), first != UInt8(ascii: "-") else { return }
    guard first != UInt8(ascii: "{") else {
      _ = addValue(atStartOf: section, to: &found)
      return
    }
    for line in section.split(separator: UInt8(ascii: "\n")) {
      // A plain value of a block may contain commas and brackets.
      for piece in pieces(of: line, endsWithValue: false).pieces + [line] { add(piece, to: &found) }
    }
  }

  /// Finds each `secrets:` in a text in YAML's flow style (`{…}`), and adds the values of the secrets to `found`.
  ///
  /// - Parameter parents: the keys of the mappings that contain the text, the outermost key first.
  private static func addValues(inFlow text: Text, below parents: [String], to found: inout Set<String>) {
    var quotes = Quotes()
    var keys: [String] = []
    var key: String?
    var start = text.startIndex
    var index = start
    while index < text.endIndex {
      let byte = text[index]
      let next = text.index(after: index)
      defer { index = max(index, next) }
      guard quotes.isOutside(byte), ",:{}[]".utf8.contains(byte) else { continue }
      if byte == UInt8(ascii: ":") {
        guard key == nil else { continue }
        let name = trimmed(text[start..<index])
        key = name
        guard parents.count + keys.count <= 3, isDeclaration(parents + keys.dropFirst() + [name]),
          text[next...].first(where: { !$0.isWhiteSpace }) != UInt8(ascii: "[")
        else { continue }
        index = addValue(atStartOf: text[next...], to: &found)
        quotes = Quotes()
        continue
      }
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { keys.append(key ?? "") }
      key = nil
      start = next
      if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]"), keys.popLast() == nil || keys.isEmpty {
        index = next
        break
      }
    }
    // If a quote or a brace is missing, the parents of a key are not known.
    guard quotes.isCut || !keys.isEmpty || text[index...].contains(where: { !$0.isWhiteSpace }) else { return }
    addMappings(in: text, to: &found)
  }

  /// Finds each key `secrets:` in the text that is followed by a mapping in braces, and adds the values of this mapping to `found`.
  private static func addMappings(in text: Text, to found: inout Set<String>) {
    let word = Array("secrets".utf8)
    var rest = text
    while let place = rest.firstRange(of: word) {
      rest = rest[place.upperBound...]
      let colon = rest.drop { $0.isWhiteSpace || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
      guard colon.first == UInt8(ascii: ":"), colon.dropFirst().first(where: { !$0.isWhiteSpace }) == UInt8(ascii: "{") else { continue }
      rest = rest[addValue(atStartOf: colon.dropFirst(), to: &found)...]
    }
  }

  /// Adds to `found` the values of the mapping at the start of `text`, or the single value if `text` does not start with a mapping. Returns
  /// the index at which the mapping or value ends.
  private static func addValue(atStartOf text: Text, to found: inout Set<String>) -> Text.Index {
    let (pieces, end) = pieces(of: text, endsWithValue: true)
    for piece in pieces { add(piece, to: &found) }
    return end
  }

  /// Adds the secret value in the text `piece` to `found`: the part after `NAME:`, or the whole text if it contains no colon. A value of
  /// more than 4,096 bytes is not added, since masking searches for every encoding of each value.
  private static func add(_ piece: Text, to found: inout Set<String>) {
    guard piece.first(where: { !$0.isWhiteSpace }) != UInt8(ascii: "#") else { return }
    let key = piece.prefix { $0 != UInt8(ascii: ":") }
    guard trimmed(key) != "file" else { return }
    let value = key.endIndex == piece.endIndex ? piece : piece[key.endIndex...].dropFirst()
    let text = trimmed(value)
    let plain = text.firstRange(of: " #").map { String(text[..<$0.lowerBound]) } ?? text
    for form in [text, plain] where !form.hasPrefix("{") && !form.hasPrefix("[") && form != "null" && form.utf8.count <= longestValue {
      found.insert(form)
    }
  }

  private static let longestValue = 4096

  /// Splits a text at the commas, brackets, braces and line breaks that are outside of quotes. Returns the parts, and the end of the last
  /// part.
  ///
  /// - Parameter endsWithValue: whether to stop after the first value, since the text after this value belongs to another key.
  private static func pieces(of text: Text, endsWithValue: Bool) -> (pieces: [Text], end: Text.Index) {
    var pieces: [Text] = []
    var start = text.startIndex
    var quotes = Quotes()
    var depth = 0
    for index in text.indices {
      let byte = text[index]
      guard quotes.isOutside(byte), ",{}[]\n".utf8.contains(byte) else { continue }
      pieces.append(text[start..<index])
      start = text.index(after: index)
      depth += byte == UInt8(ascii: "{") ? 1 : byte == UInt8(ascii: "}") ? -1 : 0
      guard endsWithValue, depth <= 0 else { continue }
      if byte == UInt8(ascii: "}") { return (pieces, depth == 0 ? start : index) }
      if byte == UInt8(ascii: ",") { return (pieces, index) }
    }
    return (pieces + [text[start...]], text.endIndex)
  }

  /// Determines, byte by byte, which parts of a text are in quotes or comments. If a closing quote is missing, the quoted text ends at the
  /// end of its line, so that the next lines do not count as quoted.
  private struct Quotes {
    private var quote: UInt8?
    private var isComment = false
    private var previous = UInt8(ascii: " ")
    /// Whether a quoted text has no closing quote in the line in which it begins.
    private(set) var isCut = false

    /// Reads the next byte. Returns false if the byte belongs to a comment or to a quoted text, including the quotes around the text;
    /// otherwise true.
    mutating func isOutside(_ byte: UInt8) -> Bool {
      let isEscaped = quote == UInt8(ascii: "\"") && previous == UInt8(ascii: "\\")
      let before = previous
      previous = isEscaped ? UInt8(ascii: " ") : byte
      if byte == UInt8(ascii: "\n") {
        isCut = isCut || quote != nil
        quote = nil
        isComment = false
        return true
      }
      if let open = quote {
        if byte == open, !isEscaped { quote = nil }
        return false
      }
      if isComment { return false }
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"), before.isWhiteSpace || ":,{[".utf8.contains(before) {
        quote = byte
        return false
      }
      isComment = byte == UInt8(ascii: "#") && before.isWhiteSpace
      return !isComment
    }
  }

  /// Returns a text without the blanks and quotes around it, and without the dash of a YAML list item before it.
  private static func trimmed(_ text: Text) -> String {
    func isOutside(_ byte: UInt8) -> Bool { byte.isWhiteSpace || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }
    let rest = text.drop(while: \.isWhiteSpace)
    let item = rest.starts(with: "- ".utf8) ? rest.dropFirst() : rest
    let end = item.lastIndex { !isOutside($0) }.map { item.index(after: $0) } ?? item.startIndex
    return String(decoding: Array(item[..<end].drop(while: isOutside)), as: UTF8.self)
  }

  /// Searches a document for the word `secrets`, and returns the text that `part` selects after each occurrence of the word. The function
  /// `part` receives the rest of the document after the word, and returns the selected text or nil. If two selected texts overlap, the text
  /// that they have in common is returned only once.
  private static func uses(in file: SourceFile, _ part: (Text) -> Text?) -> [Text] {
    let text = String(decoding: file.bytes, as: UTF8.self).utf8
    let word = Array("secrets".utf8)
    var parts: [Text] = []
    var end = text.startIndex
    var rest = text[...]
    while let found = rest.firstRange(of: word) {
      rest = rest[found.upperBound...]
      guard let part = part(rest), part.endIndex > end else { continue }
      parts.append(text[max(part.startIndex, end)..<part.endIndex])
      end = part.endIndex
    }
    return parts
  }

  private typealias Text = Substring.UTF8View

  /// Returns the part of a reference that follows `secrets`, such as `.NAME` in `secrets.NAME` or `['NAME']` in `secrets['NAME']`.
  ///
  /// - Parameter rest: the text after `secrets`.
  private static func reference(in rest: Text) -> Text { rest.prefix { isWord($0) || ".['\"".utf8.contains($0) } }

  /// Returns the text after `secrets:`, up to the next key. Returns nil if `rest` does not begin with a colon.
  private static func declaration(in rest: Text) -> Text? {
    let key = rest.drop { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: " ") }
    guard key.first == UInt8(ascii: ":") else { return nil }
    let value = key.dropFirst()
    if value.first(where: { !$0.isWhiteSpace }) == UInt8(ascii: "[") { return value.prefix { $0 != UInt8(ascii: "]") } }
    var end = value.firstIndex(of: UInt8(ascii: "\n")) ?? value.endIndex
    while end < value.endIndex {
      let next = value[end...].dropFirst()
      // A YAML list may begin in the same column as its key.
      guard let first = next.first, first.isWhiteSpace || first == UInt8(ascii: "-") || first == UInt8(ascii: "#") else { break }
      end = next.firstIndex(of: UInt8(ascii: "\n")) ?? value.endIndex
    }
    return value[..<end]
  }

  private static func words(in text: Text) -> [String] { text.split { !isWord($0) }.map { String(decoding: Array($0), as: UTF8.self) } }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
  }
}
