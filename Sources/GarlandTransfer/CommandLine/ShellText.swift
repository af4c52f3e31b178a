import GarlandText

/// Text for a POSIX shell, in which variables replace secrets.
struct ShellText {
  enum Piece: Hashable {
    case text(String)
    case variable(String)
  }

  /// Splits a text into literal pieces and the shell variables that replace secrets.
  static func pieces(_ text: String, _ variables: VariableFinder) -> [Piece] {
    var pieces: [Piece] = []
    let bytes = Array(text.utf8)
    var start = 0
    var place = 0
    while place < bytes.count {
      guard let match = variables.match(in: bytes, at: place) else {
        place += 1
        continue
      }
      if start < place { pieces.append(.text(String(decoding: bytes[start..<place], as: UTF8.self))) }
      pieces.append(.variable(match.variable))
      place += match.value.count
      start = place
    }
    if start < bytes.count || pieces.isEmpty { pieces.append(.text(String(decoding: bytes[start...], as: UTF8.self))) }
    return pieces
  }

  /// Returns the pieces as one argument of a shell command, quoted if necessary.
  static func word(_ pieces: [Piece]) -> String {
    let isPlain = pieces.allSatisfy { if case .text = $0 { true } else { false } }
    if isPlain { return pieces.map { quoted(text($0)) }.joined() }
    // Double quotes are easier to read, if nothing in the text has a special meaning in them.
    let isHarmless = pieces.allSatisfy { piece in !text(piece).utf8.contains { "\\\"$`!".utf8.contains($0) } }
    if isHarmless { return "\"" + pieces.map { variable($0).map { "${\($0)}" } ?? text($0) }.joined() + "\"" }
    return pieces.map { variable($0).map { "\"${\($0)}\"" } ?? quoted(text($0)) }.joined()
  }

  /// Returns the text in single quotes, or unchanged if no shell needs quotes for it.
  static func quoted(_ text: String) -> String {
    let isSafe =
      !text.isEmpty
      && text.utf8.allSatisfy { PercentEncoding.unreserved.contains($0) && $0 != UInt8(ascii: "~") || "/:=@%+,".utf8.contains($0) }
    if isSafe { return text }
    var result = "'"
    for scalar in text.unicodeScalars { if scalar == "'" { result += "'\\''" } else { result.unicodeScalars.append(scalar) } }
    return result + "'"
  }

  /// Returns a command that writes any bytes to standard output. It uses `printf`, which is built into the
  /// shell, so that no argument limit applies.
  static func printf(_ bytes: [UInt8], _ variables: VariableFinder) -> String {
    // A secret that is not UTF-8 cannot be in a text variable; other bytes are written in octal
    // anyway.
    var format = ""
    var arguments: [String] = []
    var place = 0
    while place < bytes.count {
      if let match = variables.match(in: bytes, at: place) {
        format += "%s"
        arguments.append("\"${\(match.variable)}\"")
        place += match.value.count
        continue
      }
      let byte = bytes[place]
      place += 1
      switch byte {
      // At the start, a hyphen would begin an option of printf.
      case UInt8(ascii: "-") where format.isEmpty: format += "\\055"
      case UInt8(ascii: "%"): format += "%%"
      case UInt8(ascii: "\\"): format += "\\\\"
      case UInt8(ascii: "\n"): format += "\\n"
      case UInt8(ascii: "\r"): format += "\\r"
      case UInt8(ascii: "\t"): format += "\\t"
      case UInt8(ascii: "'"): format += "\\047"
      case 0x20..<0x7F: format.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 8)
        format += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      }
    }
    return (["printf", "'\(format)'"] + arguments).joined(separator: " ")
  }

  private static func text(_ piece: Piece) -> String { if case .text(let text) = piece { text } else { "" } }
  private static func variable(_ piece: Piece) -> String? { if case .variable(let name) = piece { name } else { nil } }
}
