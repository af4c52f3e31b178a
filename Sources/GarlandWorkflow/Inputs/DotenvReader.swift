import GarlandDiagnostics
import GarlandText
import GarlandYAML

/// Reads dotenv files: `NAME=VALUE` lines, with an optional `export` before the name and optional quotes around the value.
///
/// A value without quotes ends at ` #` or at the end of the line. In double quotes, `\n`, `\r`, `\t`, `\"`, `\\` and `\$` are escapes, and
/// line breaks are kept. In single quotes, every character is literal. Variables are not substituted.
enum DotenvReader {
  static func entries(
    _ file: SourceFile, into diagnostics: inout DiagnosticList
  ) -> [(name: Located<String>, value: String)] {
    var result: [(name: Located<String>, value: String)] = []
    let bytes = file.bytes
    var index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while index < bytes.count {
      index = skipBlanks(bytes, index)
      guard index < bytes.count else { break }
      if isBreak(bytes[index]) {
        index += 1
        continue
      }
      let lineEnd = endOfLine(bytes, index)
      if bytes[index] == UInt8(ascii: "#") {
        index = lineEnd
        continue
      }
      if bytes[index..<lineEnd].starts(with: "export".utf8), index + 6 < lineEnd, bytes[index + 6].isBlank {
        index = skipBlanks(bytes, index + 7)
      }
      guard let equals = bytes[index..<lineEnd].firstIndex(of: UInt8(ascii: "=")) else {
        diagnostics.report(Diagnostic(.badDotenv, "expected `NAME=VALUE`", at: SourceRange(file, index..<max(index, lineEnd))))
        index = lineEnd
        continue
      }
      var nameEnd = equals
      while nameEnd > index, bytes[nameEnd - 1].isBlank { nameEnd -= 1 }
      let name = String(decoding: bytes[index..<nameEnd], as: UTF8.self)
      let range = SourceRange(file, index..<nameEnd)
      let isName = ReservedNames.isName(name)
      if !isName { diagnostics.report(Diagnostic(.badName, "`\(Words.excerpt(name))` is not a valid name", at: range)) }
      let start = skipBlanks(bytes, equals + 1)
      guard let (content, end) = value(bytes, start) else {
        diagnostics.report(
          Diagnostic(
            .badDotenv, "the value that starts here has no closing quote, or text follows that quote",
            at: SourceRange(file, start..<start + 1)))
        index = lineEnd
        continue
      }
      // The value is read in any case, since it may have several lines.
      index = endOfLine(bytes, end)
      guard isName else { continue }
      guard let text = String(validating: content, as: UTF8.self) else {
        diagnostics.report(Diagnostic(.invalidEncoding, "the value of `\(name)` is not UTF-8", at: range).help("save the file as UTF-8"))
        continue
      }
      result.append((Located(name, at: range), text))
    }
    return result
  }

  /// Returns the bytes of the value that begins at the offset `start`, and the offset after the value. Returns nil if the closing quote is
  /// missing, or if anything but a comment follows the closing quote. In these cases, a part of the value would be lost.
  private static func value(_ bytes: [UInt8], _ start: Int) -> ([UInt8], Int)? {
    guard start < bytes.count, bytes[start] == UInt8(ascii: "\"") || bytes[start] == UInt8(ascii: "'") else {
      var end = endOfLine(bytes, start)
      for position in start..<end where bytes[position] == UInt8(ascii: "#") && (position == start || bytes[position - 1].isBlank) {
        end = position
        break
      }
      var last = end
      while last > start, bytes[last - 1].isBlank { last -= 1 }
      return (Array(bytes[start..<last]), end)
    }
    let quote = bytes[start]
    var content: [UInt8] = []
    var index = start + 1
    while index < bytes.count {
      let byte = bytes[index]
      if byte == quote {
        let rest = skipBlanks(bytes, index + 1)
        guard rest == bytes.count || isBreak(bytes[rest]) || bytes[rest] == UInt8(ascii: "#") else { return nil }
        return (content, index + 1)
      }
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\""), index + 1 < bytes.count {
        switch bytes[index + 1] {
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "$"): content.append(bytes[index + 1])
        default: content += [byte, bytes[index + 1]]
        }
        index += 2
        continue
      }
      content.append(byte)
      index += 1
    }
    return nil
  }

  private static func endOfLine(_ bytes: [UInt8], _ start: Int) -> Int {
    var index = start
    while index < bytes.count, !isBreak(bytes[index]) { index += 1 }
    return index
  }

  private static func skipBlanks(_ bytes: [UInt8], _ start: Int) -> Int {
    var index = start
    while index < bytes.count, bytes[index].isBlank { index += 1 }
    return index
  }

  private static func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
