/// Recognises the workflows among the YAML files of a folder. Other files, such as a vars file or a `docker-compose.yml`, have none of the
/// keys with which a workflow can begin.
enum WorkflowRecognition {
  private static let keys = ["garland", "steps"].map { Array($0.utf8) }

  static func isWorkflow(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    // A file in UTF-16 or UTF-32 counts as a workflow. Hardly any other YAML file has this encoding, and the decoder reports it.
    if rest.starts(with: [0xFF, 0xFE]) || rest.starts(with: [0xFE, 0xFF]) || rest.prefix(4).contains(0) { return true }
    // The column of the first key. A key further to the right belongs to another mapping.
    var column: Int?
    while !rest.isEmpty {
      let end = rest.firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? rest.endIndex
      let line = rest[..<end]
      rest = rest[end...].dropFirst()
      var text = line.drop { $0 == UInt8(ascii: " ") }
      let own = line.count - text.count
      if text.starts(with: "---".utf8) {
        text = text.dropFirst(3).drop { $0 == UInt8(ascii: " ") }
        column = nil
      }
      guard let first = text.first, first != UInt8(ascii: "#"), first != UInt8(ascii: "%") else { continue }
      if column == nil {
        // Within braces, the indentation of lines has no meaning.
        if first == UInt8(ascii: "{") { return hasKey(text) || hasKey(rest) }
        column = own
      }
      if own == column, beginsWithKey(text) { return true }
    }
    return false
  }

  private static func beginsWithKey(_ line: ArraySlice<UInt8>) -> Bool {
    var text = line
    if text.starts(with: "? ".utf8) { text = text.dropFirst(2) }
    if let first = text.first, isQuote(first) { text = text.dropFirst() }
    return keys.contains { key in
      guard text.starts(with: key) else { return false }
      guard let next = text.dropFirst(key.count).first else { return true }
      return isQuote(next) || next == UInt8(ascii: ":") || next == UInt8(ascii: " ")
    }
  }

  private static func hasKey(_ text: ArraySlice<UInt8>) -> Bool { keys.contains { text.firstRange(of: $0) != nil } }

  private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }
}
