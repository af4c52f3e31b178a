import GarlandText

/// A word of a command line.
struct ShellWord {
  /// The text of the word after quotes and escapes were processed. Shell variables in it have become expressions.
  var text: ImportedText
  var range: Range<Int>
  /// Whether the word is an operator such as `|`, or the end of a line.
  var isOperator = false
  /// The bytes of the word if they are not UTF-8; otherwise nil.
  var bytes: [UInt8]?

  /// Returns the word without its first `count` characters, which must be literal ASCII.
  func dropping(_ count: Int) -> ShellWord {
    var word = self
    if case .literal(let text)? = text.pieces.first {
      let rest = String(text.dropFirst(count))
      word.text = ImportedText(pieces: (rest.isEmpty ? [] : [.literal(rest)]) + self.text.pieces.dropFirst())
    }
    word.bytes = bytes.map { Array($0.dropFirst(count)) }
    return word
  }
}

/// Splits command lines into words as POSIX shells do (XCU, 2.2, 2.3 and 2.7.4), with `$'…'` and `<<<` of bash. Nothing is
/// run: `$NAME` becomes an expression, and a command substitution is reported.
struct ShellWords {
  /// A part of the text that is invalid, or that only a shell could process.
  struct Problem: Error {
    let message: String
    let range: Range<Int>
  }

  /// A here-document (`<<`) whose text begins after the next line break.
  private struct HereDocument {
    let word: Int
    let delimiter: [UInt8]
    let isQuoted: Bool
    let dropsTabs: Bool
  }

  private let bytes: [UInt8]
  private var position = 0
  /// The offset at which reading ends: the end of the text, or of a here-document.
  private var end: Int
  private var pending: [HereDocument] = []
  private(set) var words: [ShellWord] = []
  /// The ranges of the command substitutions, which only a shell could replace by values.
  private(set) var substitutions: [Range<Int>] = []

  init(_ bytes: [UInt8]) throws(Problem) {
    self.bytes = bytes
    end = bytes.count
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    try read()
  }

  private var byte: UInt8? { position < end ? bytes[position] : nil }
  private func isNext(_ byte: UInt8, after count: Int = 1) -> Bool { position + count < end && bytes[position + count] == byte }

  private mutating func read() throws(Problem) {
    while let byte {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
      case UInt8(ascii: "\\") where isNext(UInt8(ascii: "\n")): position += 2
      case UInt8(ascii: "\\") where isNext(UInt8(ascii: "\r")): position += 3
      case UInt8(ascii: "#"): while let byte = self.byte, byte != UInt8(ascii: "\n") { position += 1 }
      case UInt8(ascii: "<") where isNext(byte) && isNext(byte, after: 2): addOperator(3)
      case UInt8(ascii: "<") where isNext(byte): readHereDelimiter()
      case UInt8(ascii: "\n"):
        addOperator(1)
        try readHereDocuments()
      case UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: "&"), UInt8(ascii: ">"), UInt8(ascii: "<"), UInt8(ascii: "("),
        UInt8(ascii: ")"):
        addOperator(isNext(byte) ? 2 : 1)
      default: try readWord()
      }
    }
  }

  private mutating func addOperator(_ length: Int) {
    let range = position..<position + length
    position += length
    words.append(ShellWord(text: ImportedText(String(decoding: bytes[range], as: UTF8.self)), range: range, isOperator: true))
  }

  // MARK: Here-documents

  private mutating func readHereDelimiter() {
    addOperator(2)
    let dropsTabs = byte == UInt8(ascii: "-")
    if dropsTabs { position += 1 }
    while byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { position += 1 }
    let start = position
    var delimiter: [UInt8] = []
    var isQuoted = false
    while let byte, !Self.endsWord(byte) {
      if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        isQuoted = true
      } else {
        delimiter.append(byte)
      }
      position += 1
    }
    pending.append(HereDocument(word: words.count, delimiter: delimiter, isQuoted: isQuoted, dropsTabs: dropsTabs))
    words.append(ShellWord(text: ImportedText(""), range: start..<position))
  }

  private mutating func readHereDocuments() throws(Problem) {
    let documents = pending
    pending = []
    for document in documents {
      var pieces = Pieces()
      while position < bytes.count {
        if document.dropsTabs { while byte == UInt8(ascii: "\t") { position += 1 } }
        let line = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        let next = min(line + 1, bytes.count)
        if bytes[position..<line].elementsEqual(document.delimiter) {
          position = next
          break
        }
        if document.isQuoted {
          for byte in bytes[position..<next] { pieces.add(byte) }
          position = next
        } else {
          end = next
          while let byte { try readExpanding(byte, &pieces, escapesQuotes: false) }
          end = bytes.count
        }
      }
      words[document.word].text = pieces.text
      words[document.word].bytes = pieces.invalidBytes
    }
  }

  private static func endsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: ";"), UInt8(ascii: "|"),
      UInt8(ascii: "&"),
      UInt8(ascii: ">"), UInt8(ascii: "<"), UInt8(ascii: "("), UInt8(ascii: ")"):
      true
    default: false
    }
  }

  // MARK: Words

  private mutating func readWord() throws(Problem) {
    let start = position
    var pieces = Pieces()
    word: while let byte, !Self.endsWord(byte) {
      switch byte {
      case UInt8(ascii: "'"): try readSingle(&pieces)
      case UInt8(ascii: "\""): try readDouble(&pieces)
      case UInt8(ascii: "$") where isNext(UInt8(ascii: "'")): try readEscaped(&pieces)
      case UInt8(ascii: "$") where isNext(UInt8(ascii: "\"")): position += 1
      case UInt8(ascii: "$"): try readVariable(&pieces)
      case UInt8(ascii: "`"): try readBackquoted(&pieces)
      case UInt8(ascii: "\\"):
        position += 1
        guard let escaped = self.byte else { break word }
        position += 1
        if escaped != UInt8(ascii: "\n") { pieces.add(escaped) }
      default:
        pieces.add(byte)
        position += 1
      }
    }
    words.append(ShellWord(text: pieces.text, range: start..<position, bytes: pieces.invalidBytes))
  }

  /// The pieces of the current word that were already read.
  private struct Pieces {
    private var done: [ImportedText.Piece] = []
    private var literal: [UInt8] = []

    mutating func add(_ byte: UInt8) { literal.append(byte) }

    /// Adds a code point as UTF-8. Like bash, also encodes half of a surrogate pair.
    mutating func add(codePoint value: UInt32) {
      switch value {
      case ..<0x80: literal.append(UInt8(value))
      case ..<0x800: literal += [0xC0 | UInt8(value >> 6), 0x80 | UInt8(value & 0x3F)]
      case ..<0x10000: literal += [0xE0 | UInt8(value >> 12), 0x80 | UInt8(value >> 6 & 0x3F), 0x80 | UInt8(value & 0x3F)]
      case ..<0x11_0000:
        literal += [
          0xF0 | UInt8(value >> 18), 0x80 | UInt8(value >> 12 & 0x3F), 0x80 | UInt8(value >> 6 & 0x3F), 0x80 | UInt8(value & 0x3F),
        ]
      default: literal += Array("\u{FFFD}".utf8)
      }
    }

    mutating func add(variable: String) { add(expression: "env.\(variable)") }

    mutating func add(expression: String) {
      close()
      done.append(.expression(expression))
    }

    private mutating func close() {
      if !literal.isEmpty { done.append(.literal(String(decoding: literal, as: UTF8.self))) }
      literal = []
    }

    var text: ImportedText {
      var copy = self
      copy.close()
      return ImportedText(pieces: copy.done)
    }

    /// The bytes of a word without variables whose bytes are not valid UTF-8; nil for any other word.
    var invalidBytes: [UInt8]? { done.isEmpty && String(validating: literal, as: UTF8.self) == nil ? literal : nil }
  }

  private mutating func readSingle(_ pieces: inout Pieces) throws(Problem) {
    let start = position
    position += 1
    while let byte, byte != UInt8(ascii: "'") {
      pieces.add(byte)
      position += 1
    }
    guard byte != nil else { throw Problem(message: "this quote is never closed", range: start..<start + 1) }
    position += 1
  }

  private mutating func readDouble(_ pieces: inout Pieces) throws(Problem) {
    let start = position
    position += 1
    while let byte, byte != UInt8(ascii: "\"") { try readExpanding(byte, &pieces) }
    guard byte != nil else { throw Problem(message: "this quote is never closed", range: start..<start + 1) }
    position += 1
  }

  /// Reads one character or variable in double quotes or in a here-document.
  private mutating func readExpanding(_ byte: UInt8, _ pieces: inout Pieces, escapesQuotes: Bool = true) throws(Problem) {
    switch byte {
    case UInt8(ascii: "\\"):
      position += 1
      guard let escaped = self.byte else { return pieces.add(byte) }
      position += 1
      switch escaped {
      case UInt8(ascii: "$"), UInt8(ascii: "`"), UInt8(ascii: "\\"): pieces.add(escaped)
      case UInt8(ascii: "\"") where escapesQuotes: pieces.add(escaped)
      case UInt8(ascii: "\n"): break
      default:
        pieces.add(UInt8(ascii: "\\"))
        pieces.add(escaped)
      }
    case UInt8(ascii: "$"): try readVariable(&pieces)
    case UInt8(ascii: "`"): try readBackquoted(&pieces)
    default:
      pieces.add(byte)
      position += 1
    }
  }

  /// Reads `$'…'`, which browsers use when they copy a request.
  private mutating func readEscaped(_ pieces: inout Pieces) throws(Problem) {
    let start = position
    position += 2
    // In bash, a NUL ends the text.
    var hasEnded = false
    while let byte, byte != UInt8(ascii: "'") {
      position += 1
      var ignored = Pieces()
      if byte == UInt8(ascii: "\\"), self.byte != nil {
        if hasEnded { _ = readEscape(&ignored) } else { hasEnded = readEscape(&pieces) }
      } else if !hasEnded {
        pieces.add(byte)
      }
    }
    guard byte != nil else { throw Problem(message: "this quote is never closed", range: start..<start + 2) }
    position += 1
  }

  /// Reads the characters after a backslash in `$'…'`. Returns true if they represent NUL.
  private mutating func readEscape(_ pieces: inout Pieces) -> Bool {
    guard let escaped = byte else { return false }
    let digits = position
    position += 1
    let value: UInt32?
    switch escaped {
    case UInt8(ascii: "a"): value = 0x07
    case UInt8(ascii: "b"): value = 0x08
    case UInt8(ascii: "t"): value = 0x09
    case UInt8(ascii: "n"): value = 0x0A
    case UInt8(ascii: "v"): value = 0x0B
    case UInt8(ascii: "f"): value = 0x0C
    case UInt8(ascii: "r"): value = 0x0D
    case UInt8(ascii: "e"), UInt8(ascii: "E"): value = 0x1B
    case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "?"): value = UInt32(escaped)
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      position = digits
      value = readDigits(3, radix: 8).map { $0 & 0xFF }
    case UInt8(ascii: "x"): value = readDigits(2, radix: 16)
    case UInt8(ascii: "c"):
      value = byte.map { UInt32($0 & 0x1F) }
      if value != nil { position += 1 }
    case UInt8(ascii: "u"), UInt8(ascii: "U"):
      if let point = readDigits(escaped == UInt8(ascii: "u") ? 4 : 8, radix: 16) {
        if point > 0 { pieces.add(codePoint: point) }
        return point == 0
      }
      value = nil
    default: value = nil
    }
    guard let value else {
      pieces.add(UInt8(ascii: "\\"))
      pieces.add(escaped)
      return false
    }
    if value > 0 { pieces.add(UInt8(truncatingIfNeeded: value)) }
    return value == 0
  }

  private mutating func readDigits(_ most: Int, radix: UInt32) -> UInt32? {
    var value: UInt32 = 0
    var count = 0
    while count < most, let byte, byte < 0x80, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, digit < radix {
      value = value << (radix == 8 ? 3 : 4) | UInt32(digit)
      position += 1
      count += 1
    }
    return count == 0 ? nil : value
  }

  private mutating func readVariable(_ pieces: inout Pieces) throws(Problem) {
    let start = position
    position += 1
    if byte == UInt8(ascii: "(") {
      var depth = 0
      while let byte {
        position += 1
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") {
          depth -= 1
          if depth == 0 { break }
        }
      }
      guard depth == 0 else { throw Problem(message: "this parenthesis is never closed", range: start..<start + 2) }
      substitutions.append(start..<position)
      return
    }
    // The special variables of shells, such as `$1` and `$@`.
    if let byte, (0x30...0x39).contains(byte) || Array("@*#?$!-".utf8).contains(byte) {
      position += 1
      return substitutions.append(start..<position)
    }
    let isBraced = byte == UInt8(ascii: "{")
    if isBraced { position += 1 }
    var name = ""
    while let byte, isNameByte(byte), !(name.isEmpty && (0x30...0x39).contains(byte)) {
      name.unicodeScalars.append(Unicode.Scalar(byte))
      position += 1
    }
    guard isBraced else {
      if name.isEmpty { pieces.add(UInt8(ascii: "$")) } else { pieces.add(variable: name) }
      return
    }
    // After the name of a variable, only a default value is supported.
    let rest = position
    while let byte, byte != UInt8(ascii: "}") { position += byte == UInt8(ascii: "\n") ? end : 1 }
    guard position < end else { throw Problem(message: "this brace is never closed", range: start..<min(start + 2, bytes.count)) }
    let operation = String(decoding: bytes[rest..<position], as: UTF8.self)
    let text = operation.hasPrefix(":-") ? operation.dropFirst(2) : operation.dropFirst()
    if !name.isEmpty, operation.hasPrefix("-") || operation.hasPrefix(":-"), !text.contains(where: { "$`\\\"'".contains($0) }) {
      position += 1
      return pieces.add(expression: "(env.\(name) ?? \(ImportedText.quoted(String(text))))")
    }
    if position > rest { substitutions.append(start..<position + 1) }
    position += 1
    if !name.isEmpty { pieces.add(variable: name) }
  }

  private mutating func readBackquoted(_ pieces: inout Pieces) throws(Problem) {
    let start = position
    position += 1
    while let byte, byte != UInt8(ascii: "`") { position += byte == UInt8(ascii: "\\") ? 2 : 1 }
    guard position < end else { throw Problem(message: "this quote is never closed", range: start..<start + 1) }
    position += 1
    substitutions.append(start..<position)
  }

  private func isNameByte(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || byte == UInt8(ascii: "_") }
}
