public import GarlandDiagnostics

/// Searches a document that could not be decoded for the names and files of secrets. Diagnostics quote lines of the document; with the
/// names, secret values in these lines can be masked.
public enum SecretNames {
  /// Returns the names in `${secrets.NAME}` and below `secrets:`, and other words that could be names of secrets.
  public static func find(in file: SourceFile) -> Set<String> {
    uses(in: file) { declaration(in: $0) ?? reference(in: $0) }.reduce(into: []) { $0.formUnion(words(in: $1)) }
  }

  /// Returns the paths of the files that contain values of secrets, as written below `secrets:`.
  public static func filePaths(in file: SourceFile) -> Set<String> {
    let key = Array("file:".utf8)
    return uses(in: file, declaration).reduce(into: []) { paths, section in
      var rest = section
      while let found = rest.firstRange(of: key) {
        rest = rest[found.upperBound...]
        let words = rest.prefix { !"\n,}#".utf8.contains($0) }.split { isBlank($0) || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
        if let path = words.first { paths.insert(String(decoding: Array(path), as: UTF8.self)) }
      }
    }
  }

  /// Returns the values that the document itself has below `secrets:`, which is a mistake. They are found in the text, line by line, so that
  /// no other mistake hides them.
  public static func values(in file: SourceFile) -> Set<String> {
    let text = String(decoding: file.bytes, as: UTF8.self).utf8
    let isFlow = text.first { !isBlank($0) } == UInt8(ascii: "{")
    let word = Array("secrets".utf8)
    var found: Set<String> = []
    var rest = text[...]
    while let place = rest.firstRange(of: word) {
      rest = rest[place.upperBound...]
      let before = text[..<place.lowerBound].last { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }
      let isKey = isFlow || before == nil || before == UInt8(ascii: "\n")
      if isKey, let section = declaration(in: rest) { addValues(in: section, to: &found) }
    }
    return found
  }

  /// Adds the values in the text after `secrets:`. A list has only names, and `file` has a path.
  private static func addValues(in section: Text, to found: inout Set<String>) {
    guard let first = section.first(where: { !isBlank($0) }), first != UInt8(ascii: "["), first != UInt8(ascii: "-") else { return }
    let isFlow = first == UInt8(ascii: "{")
    for line in section.split(separator: UInt8(ascii: "\n")) where line.first(where: { !isBlank($0) }) != UInt8(ascii: "#") {
      // A plain value of a block may contain commas and brackets.
      let pieces = pieces(of: line, endsAtBrace: isFlow) + (isFlow ? [] : [line])
      for piece in pieces {
        let key = piece.prefix { $0 != UInt8(ascii: ":") }
        guard trimmed(key) != "file" else { continue }
        let value = key.endIndex == piece.endIndex ? piece : piece[key.endIndex...].dropFirst()
        let text = trimmed(value)
        let plain = text.firstRange(of: " #").map { String(text[..<$0.lowerBound]) } ?? text
        for form in [text, plain] where !form.hasPrefix("{") && !form.hasPrefix("[") && form != "null" { found.insert(form) }
      }
    }
  }

  /// Returns the parts of a line that commas, brackets and braces outside of quotes separate.
  ///
  /// - Parameter endsAtBrace: whether the text after a brace without a counterpart in this line belongs to another key.
  private static func pieces(of line: Text, endsAtBrace: Bool) -> [Text] {
    var pieces: [Text] = []
    var start = line.startIndex
    var quote: UInt8?
    var previous = UInt8(ascii: " ")
    var depth = 0
    for index in line.indices {
      let byte = line[index]
      defer { previous = byte }
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        if isBlank(previous) || ":,{[".utf8.contains(previous) { quote = byte }
      } else if ",{}[]".utf8.contains(byte) {
        pieces.append(line[start..<index])
        start = line.index(after: index)
        depth += byte == UInt8(ascii: "{") ? 1 : byte == UInt8(ascii: "}") ? -1 : 0
        if endsAtBrace, depth <= 0, byte == UInt8(ascii: "}") { return pieces }
      }
    }
    return pieces + [line[start...]]
  }

  /// Returns a text without the blanks, the quotes and the dash of a list around it.
  private static func trimmed(_ text: Text) -> String {
    func isOutside(_ byte: UInt8) -> Bool { isBlank(byte) || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }
    let rest = text.drop(while: isBlank)
    let item = rest.starts(with: "- ".utf8) ? rest.dropFirst() : rest
    let end = item.lastIndex { !isOutside($0) }.map { item.index(after: $0) } ?? item.startIndex
    return String(decoding: Array(item[..<end].drop(while: isOutside)), as: UTF8.self)
  }

  /// Returns a part of the text after each occurrence of the word `secrets` in a document. The function `part` selects this part;
  /// occurrences for which it returns nil are omitted.
  private static func uses(in file: SourceFile, _ part: (Text) -> Text?) -> [Text] {
    let text = String(decoding: file.bytes, as: UTF8.self).utf8
    let word = Array("secrets".utf8)
    var parts: [Text] = []
    var rest = text[...]
    while let found = rest.firstRange(of: word) {
      rest = rest[found.upperBound...]
      if let part = part(rest) { parts.append(part) }
    }
    return parts
  }

  private typealias Text = Substring.UTF8View

  /// Returns the rest of a reference such as `secrets.NAME` or `secrets['NAME']`, such as `.NAME`.
  ///
  /// - Parameter rest: the text after `secrets`.
  private static func reference(in rest: Text) -> Text { rest.prefix { isWord($0) || ".['\"".utf8.contains($0) } }

  /// Returns the text after `secrets:`, up to the next key. Returns nil if `rest` does not begin with a colon.
  private static func declaration(in rest: Text) -> Text? {
    let key = rest.drop { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: " ") }
    guard key.first == UInt8(ascii: ":") else { return nil }
    let value = key.dropFirst()
    if value.first(where: { !isBlank($0) }) == UInt8(ascii: "[") { return value.prefix { $0 != UInt8(ascii: "]") } }
    var end = value.firstIndex(of: UInt8(ascii: "\n")) ?? value.endIndex
    while end < value.endIndex {
      let next = value[end...].dropFirst()
      // A YAML list may begin in the same column as its key.
      guard let first = next.first, isBlank(first) || first == UInt8(ascii: "-") || first == UInt8(ascii: "#") else { break }
      end = next.firstIndex(of: UInt8(ascii: "\n")) ?? value.endIndex
    }
    return value[..<end]
  }

  private static func words(in text: Text) -> [String] { text.split { !isWord($0) }.map { String(decoding: Array($0), as: UTF8.self) } }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
