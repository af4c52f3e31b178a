/// Reads a netrc file, byte by byte.
struct NetrcParser {
  private let bytes: [UInt8]
  private let path: String?
  private var index = 0
  private var line = 1

  init(_ bytes: [UInt8], path: String?) {
    self.bytes = bytes
    self.path = path
  }

  mutating func parse() throws(NetrcError) -> [Netrc.Entry] {
    var entries: [Netrc.Entry] = []
    while let keyword = try keyword() {
      switch keyword {
      case "machine": entries.append(.init(machine: try value(of: keyword)))
      case "default": entries.append(.init(machine: nil))
      case "macdef":
        _ = try value(of: keyword)
        skipMacro()
      case "login", "user", "password", "passwd", "account":
        let value = try value(of: keyword)
        guard let last = entries.indices.last else { throw error("\"\(keyword)\" before any machine") }
        switch keyword {
        case "login", "user": entries[last].login = value
        case "account": entries[last].account = value
        default: entries[last].password = value
        }
      default: throw error("\"\(keyword.prefix(40))\" is not a keyword")
      }
    }
    return entries
  }

  private func error(_ detail: String) -> NetrcError { NetrcError(.syntax(line: line, detail: detail), path: path) }

  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func next() -> UInt8? {
    guard let byte = peek else { return nil }
    index += 1
    if byte == UInt8(ascii: "\n") { line += 1 }
    return byte
  }

  private mutating func skipSpace() { while let byte = peek, Self.isSpace(byte) { _ = next() } }

  /// Returns the next keyword in lower case; nil at the end of the file. Skips comments.
  private mutating func keyword() throws(NetrcError) -> String? {
    while true {
      skipSpace()
      guard let byte = peek else { return nil }
      guard byte == UInt8(ascii: "#") else { return try word().lowercased() }
      while let byte = peek, byte != UInt8(ascii: "\n") { index += 1 }
    }
  }

  private mutating func value(of keyword: String) throws(NetrcError) -> String {
    skipSpace()
    guard peek != nil else { throw error("nothing follows \"\(keyword)\"") }
    return try word()
  }

  private mutating func word() throws(NetrcError) -> String {
    var word: [UInt8] = []
    if peek == UInt8(ascii: "\"") {
      let start = line
      _ = next()
      while true {
        guard let byte = next() else {
          line = start
          throw error("a quote that is not closed")
        }
        if byte == UInt8(ascii: "\"") { break }
        word.append(byte == UInt8(ascii: "\\") ? escaped() : byte)
      }
    } else {
      while let byte = peek, !Self.isSpace(byte) {
        word.append(byte)
        index += 1
      }
    }
    guard let text = String(validating: word, as: UTF8.self) else { throw error("a word that is not UTF-8") }
    guard !word.contains(0) else { throw error("a zero byte") }
    return text
  }

  private mutating func escaped() -> UInt8 {
    switch next() {
    case UInt8(ascii: "n"): UInt8(ascii: "\n")
    case UInt8(ascii: "r"): UInt8(ascii: "\r")
    case UInt8(ascii: "t"): UInt8(ascii: "\t")
    case let byte?: byte
    case nil: UInt8(ascii: "\\")
    }
  }

  /// Skips a macro: all lines up to an empty line or the end of the file.
  private mutating func skipMacro() {
    var isEmpty = false
    while let byte = next() {
      if byte == UInt8(ascii: "\n") {
        if isEmpty { return }
        isEmpty = true
      } else if byte != UInt8(ascii: "\r") {
        isEmpty = false
      }
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
  }
}
