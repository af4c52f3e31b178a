import GarlandDiagnostics
import GarlandText

/// Formats JSON as indented, coloured lines. It works token by token, so that digits, escapes, order and repeated names stay as they were
/// sent, and truncated JSON is indented up to its end.
struct JSONText {
  private static let indentation = 2
  private var lines: [StyledText] = []
  private var line = StyledText()
  private var depth = 0
  private var lineDepth = 0
  private let limit: Int
  private let mask: Mask

  /// Returns the lines of a text; nil if the text does not resemble JSON.
  /// - Parameters:
  ///   - text: the text, in which secrets were already masked.
  ///   - mask: masks a secret that is recognised only after the escapes in a string are decoded.
  ///   - limit: the maximum number of lines to show. From a longer text, `limit` + 1 lines are returned, so that the caller sees that the
  ///     text is longer.
  static func lines(of text: String, mask: Mask, limit: Int) -> [StyledText]? {
    var layout = JSONText(mask: mask, limit: limit)
    var text = text
    let succeeded = text.withUTF8 { layout.scan($0) }
    guard succeeded else { return nil }
    layout.endLine()
    return layout.lines
  }

  private init(mask: Mask, limit: Int) {
    self.mask = mask
    self.limit = limit
  }

  private mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    var expectsKey: [Bool] = []
    while index < bytes.count, lines.count <= limit {
      let byte = bytes[index]
      // The text contains more than one value, so it is JSON lines or not JSON at all.
      if depth == 0, !(lines.isEmpty && line.isEmpty), !byte.isWhiteSpace { return false }
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: index += 1
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let close: UInt8 = byte == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]")
        let next = JSONText.skipSpace(bytes, index + 1)
        if next < bytes.count, bytes[next] == close {
          add(byte == UInt8(ascii: "{") ? "{}" : "[]")
          index = next + 1
        } else {
          add(String(Character(Unicode.Scalar(byte))))
          depth += 1
          expectsKey.append(byte == UInt8(ascii: "{"))
          endLine()
          index += 1
        }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard depth > 0 else { return false }
        depth -= 1
        expectsKey.removeLast()
        endLine()
        add(String(Character(Unicode.Scalar(byte))))
        index += 1
      case UInt8(ascii: ","):
        guard depth > 0 else { return false }
        add(",")
        endLine()
        index += 1
      case UInt8(ascii: ":"):
        add(": ")
        index += 1
      case UInt8(ascii: "\""):
        let end = JSONText.endOfString(bytes, index)
        let isKey = expectsKey.last == true && JSONText.isFollowedByColon(bytes, end)
        add(string(bytes[index..<end]), isKey ? .key : .string)
        index = end
      default:
        let end = JSONText.endOfWord(bytes, index)
        let word = String(decoding: bytes[index..<end], as: UTF8.self)
        let isNumber = byte == UInt8(ascii: "-") || byte.isDigit
        // A masked number or word is also accepted.
        guard isNumber || ["true", "false", "null"].contains(word) || word.hasPrefix(Redactor.mask) else { return false }
        add(DisplayText.visible(word), isNumber ? .number : .keyword)
        index = end
      }
    }
    return true
  }

  private mutating func endLine() {
    guard !line.isEmpty else { return }
    lines.append(StyledText(String(repeating: " ", count: JSONText.indentation * lineDepth)) + line)
    line = StyledText()
  }

  private mutating func add(_ text: String, _ style: StyledText.Style = .plain) {
    // The depth may be extreme on purpose, and a screen is not that wide.
    if line.isEmpty { lineDepth = min(depth, 100) }
    line.append(text, style)
  }

  /// Returns the text of a string token. The text was already masked, but an escape sequence can hide a secret from the redactor. So a
  /// string with escapes is decoded and masked again.
  private func string(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard bytes.contains(UInt8(ascii: "\\")) else { return DisplayText.visible(text) }
    let unescaped = JSONText.unescaped(text)
    let masked = mask.text(unescaped)
    return DisplayText.visible(masked == unescaped ? text : masked)
  }

  private static func unescaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var scalars = text.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      guard scalar == "\\", let escape = scalars.next() else {
        result.append(scalar)
        continue
      }
      switch escape {
      case "n": result.append("\n")
      case "t": result.append("\t")
      case "r": result.append("\r")
      case "u":
        var value: UInt32 = 0
        for _ in 0..<4 { value = value << 4 | UInt32(scalars.next().flatMap { Character($0).hexDigitValue } ?? 0) }
        result.append(Unicode.Scalar(value) ?? "\u{FFFD}")
      default: result.append(escape)
      }
    }
    return String(result)
  }

  private static func skipSpace(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
    var index = start
    while index < bytes.count, bytes[index].isWhiteSpace { index += 1 }
    return index
  }

  private static func endOfString(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
    var index = start + 1
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\"") { return index + 1 }
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return bytes.count
  }

  private static func endOfWord(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
    var index = start + 1
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "}"),
        UInt8(ascii: "["), UInt8(ascii: "]"):
        return index
      default: index += 1
      }
    }
    return index
  }

  private static func isFollowedByColon(_ bytes: UnsafeBufferPointer<UInt8>, _ end: Int) -> Bool {
    let next = skipSpace(bytes, end)
    return next < bytes.count && bytes[next] == UInt8(ascii: ":")
  }
}
