/// Splits command lines into words as Windows does: first as `cmd`, which interprets `^` and quotes, then as the C library, which
/// interprets quotes and backslashes.
enum CmdWords {
  /// Whether a text is a command line for `cmd` of Windows, such as a request that a browser has copied in this form. Such a text has a `^`
  /// at the end of a line or before a quote. It has neither a `\` at the end of a line nor `$'`, which only POSIX shells interpret.
  static func isCmd(_ bytes: [UInt8]) -> Bool {
    guard let text = String(validating: bytes, as: UTF8.self) else { return false }
    let goesOn = ["^\n", "^\r\n", " ^\""].contains { text.range($0) != nil }
    return goesOn && text.range("\\\n") == nil && text.range("$'") == nil
  }

  private struct Unit {
    let byte: UInt8
    let offset: Int
  }

  static func words(of bytes: [UInt8]) -> [ShellWord] {
    var words: [ShellWord] = []
    for line in lines(of: bytes) {
      words += arguments(line)
      let end = (line.last?.offset ?? 0) + 1
      words.append(ShellWord(text: ImportedText("\n"), range: end..<end, isOperator: true))
    }
    return words
  }

  /// Returns the commands without the characters that `cmd` removes. A command ends before a pipe or a redirection.
  private static func lines(of bytes: [UInt8]) -> [[Unit]] {
    var lines: [[Unit]] = [[]]
    var index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var isQuoted = false
    var isSkipped = false
    func add(_ byte: UInt8, _ offset: Int) { if !isSkipped { lines[lines.count - 1].append(Unit(byte: byte, offset: offset)) } }
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "^") where !isQuoted:
        if index < bytes.count, bytes[index] == UInt8(ascii: "\r") { index += 1 }
        guard index < bytes.count else { break }
        let escaped = bytes[index]
        index += 1
        guard escaped == UInt8(ascii: "\n") else { add(escaped, index - 1); break }
        // After `^` and a line break, a second line break belongs to the text.
        if index < bytes.count, bytes[index] == UInt8(ascii: "\r") { index += 1 }
        if index < bytes.count, bytes[index] == UInt8(ascii: "\n") {
          add(UInt8(ascii: "\n"), index)
          index += 1
        }
      case UInt8(ascii: "\r"): break
      case UInt8(ascii: "\n"),
        UInt8(ascii: "&") where !isQuoted:
        lines.append([])
        isQuoted = false
        isSkipped = false
      case UInt8(ascii: "|") where !isQuoted, UInt8(ascii: ">") where !isQuoted, UInt8(ascii: "<") where !isQuoted: isSkipped = true
      default:
        if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
        add(byte, index - 1)
      }
    }
    return lines.filter { !$0.isEmpty }
  }

  private static func arguments(_ line: [Unit]) -> [ShellWord] {
    var words: [ShellWord] = []
    var rest = line[...]
    while let first = rest.first {
      if first.byte == UInt8(ascii: " ") || first.byte == UInt8(ascii: "\t") {
        rest.removeFirst()
        continue
      }
      var text: [UInt8] = []
      var isQuoted = false
      var end = first.offset
      while let unit = rest.first, isQuoted || (unit.byte != UInt8(ascii: " ") && unit.byte != UInt8(ascii: "\t")) {
        end = unit.offset
        let backslashes = rest.prefix { $0.byte == UInt8(ascii: "\\") }.count
        let isBeforeQuote = rest.dropFirst(backslashes).first?.byte == UInt8(ascii: "\"")
        if backslashes > 0 {
          rest.removeFirst(backslashes)
          text += Array(repeating: UInt8(ascii: "\\"), count: isBeforeQuote ? backslashes / 2 : backslashes)
          guard isBeforeQuote, backslashes % 2 == 1 else { continue }
          text.append(UInt8(ascii: "\""))
          rest.removeFirst()
        } else if unit.byte == UInt8(ascii: "\"") {
          rest.removeFirst()
          if isQuoted, rest.first?.byte == UInt8(ascii: "\"") {
            text.append(UInt8(ascii: "\""))
            rest.removeFirst()
          } else {
            isQuoted.toggle()
          }
        } else {
          text.append(unit.byte)
          rest.removeFirst()
        }
      }
      words.append(ShellWord(text: ImportedText(String(decoding: text, as: UTF8.self)), range: first.offset..<end + 1))
    }
    return words
  }
}
