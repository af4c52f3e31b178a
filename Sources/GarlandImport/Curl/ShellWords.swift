import GarlandDiagnostics

/// A word of a command line.
struct ShellWord {
  /// What the shell makes of it; variables stay open.
  var text: ImportedText
  var range: Range<Int>
  /// Whether it is an operator such as `|` or a new line, and no word.
  var isOperator = false
}

/// Splits command lines into words as POSIX shells do (XCU, 2.2 and 2.3), with `$'…'` of bash. Nothing is carried out: what a shell would put in place of
/// `$NAME` becomes an expression, and what it would run is told of.
struct ShellWords {
  /// Something that can't be read, or that only a shell could do.
  struct Problem: Error {
    let message: String
    let range: Range<Int>
  }

  private let bytes: [UInt8]
  private var position = 0
  private(set) var words: [ShellWord] = []
  /// What a shell would run to know a value.
  private(set) var substitutions: [Range<Int>] = []

  init(_ bytes: [UInt8]) throws(Problem) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    try read()
  }

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }
  private func isNext(_ byte: UInt8) -> Bool { position + 1 < bytes.count && bytes[position + 1] == byte }

  private mutating func read() throws(Problem) {
    while let byte {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
      case UInt8(ascii: "\\") where isNext(UInt8(ascii: "\n")): position += 2
      case UInt8(ascii: "\\") where isNext(UInt8(ascii: "\r")): position += 3
      case UInt8(ascii: "#"): while let byte = self.byte, byte != UInt8(ascii: "\n") { position += 1 }
      case UInt8(ascii: "\n"), UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: "&"), UInt8(ascii: ">"), UInt8(ascii: "<"),
        UInt8(ascii: "("), UInt8(ascii: ")"):
        let start = position
        position += 1
        if let next = self.byte, next == byte, byte != UInt8(ascii: "\n") { position += 1 }
        words.append(
          ShellWord(
            text: ImportedText(String(decoding: bytes[start..<position], as: UTF8.self)), range: start..<position, isOperator: true))
      default: try readWord()
      }
    }
  }

  private mutating func readWord() throws(Problem) {
    let start = position
    var pieces = Pieces()
    word: while let byte {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: ";"), UInt8(ascii: "|"),
        UInt8(ascii: "&"),
        UInt8(ascii: ">"), UInt8(ascii: "<"), UInt8(ascii: "("), UInt8(ascii: ")"):
        break word
      case UInt8(ascii: "'"): try readSingle(&pieces)
      case UInt8(ascii: "\""): try readDouble(&pieces)
      case UInt8(ascii: "$") where isNext(UInt8(ascii: "'")): try readEscaped(&pieces)
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
    words.append(ShellWord(text: pieces.text, range: start..<position))
  }

  /// What is gathered of a word.
  private struct Pieces {
    private var done: [ImportedText.Piece] = []
    private var literal: [UInt8] = []

    mutating func add(_ byte: UInt8) { literal.append(byte) }
    mutating func add(_ scalar: Unicode.Scalar) { literal += Array(String(Character(scalar)).utf8) }

    mutating func add(variable: String) {
      close()
      done.append(.expression("env.\(variable)"))
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
    while let byte, byte != UInt8(ascii: "\"") {
      switch byte {
      case UInt8(ascii: "\\"):
        position += 1
        guard let escaped = self.byte else { break }
        position += 1
        switch escaped {
        case UInt8(ascii: "$"), UInt8(ascii: "`"), UInt8(ascii: "\""), UInt8(ascii: "\\"): pieces.add(escaped)
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
    guard byte != nil else { throw Problem(message: "this quote is never closed", range: start..<start + 1) }
    position += 1
  }

  /// `$'…'`, which browsers write when they copy a request.
  private mutating func readEscaped(_ pieces: inout Pieces) throws(Problem) {
    let start = position
    position += 2
    while let byte, byte != UInt8(ascii: "'") {
      position += 1
      guard byte == UInt8(ascii: "\\"), let escaped = self.byte else {
        pieces.add(byte)
        continue
      }
      position += 1
      switch escaped {
      case UInt8(ascii: "n"): pieces.add(0x0A as UInt8)
      case UInt8(ascii: "r"): pieces.add(0x0D as UInt8)
      case UInt8(ascii: "t"): pieces.add(0x09 as UInt8)
      case UInt8(ascii: "x"): if let value = readDigits(2) { pieces.add(UInt8(truncatingIfNeeded: value.value)) }
      case UInt8(ascii: "u"), UInt8(ascii: "U"): if let scalar = readDigits(escaped == UInt8(ascii: "u") ? 4 : 8) { pieces.add(scalar) }
      case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "?"): pieces.add(escaped)
      default:
        pieces.add(UInt8(ascii: "\\"))
        pieces.add(escaped)
      }
    }
    guard byte != nil else { throw Problem(message: "this quote is never closed", range: start..<start + 2) }
    position += 1
  }

  private mutating func readDigits(_ most: Int) -> Unicode.Scalar? {
    var value: UInt32 = 0
    var count = 0
    while count < most, let byte, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 {
      value = value << 4 | UInt32(digit)
      position += 1
      count += 1
    }
    return count == 0 ? nil : Unicode.Scalar(value) ?? "\u{FFFD}"
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
    // What stands behind the name, such as `:-default`, only a shell knows.
    let rest = position
    while let byte, byte != UInt8(ascii: "}") { position += byte == UInt8(ascii: "\n") ? bytes.count : 1 }
    guard position < bytes.count else { throw Problem(message: "this brace is never closed", range: start..<min(start + 2, bytes.count)) }
    if position > rest { substitutions.append(start..<position + 1) }
    position += 1
    if !name.isEmpty { pieces.add(variable: name) }
  }

  private mutating func readBackquoted(_ pieces: inout Pieces) throws(Problem) {
    let start = position
    position += 1
    while let byte, byte != UInt8(ascii: "`") { position += byte == UInt8(ascii: "\\") ? 2 : 1 }
    guard position < bytes.count else { throw Problem(message: "this quote is never closed", range: start..<start + 1) }
    position += 1
    substitutions.append(start..<position)
  }

  private func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
