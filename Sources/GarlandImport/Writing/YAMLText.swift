import GarlandText

/// Writes YAML that every parser interprets in the same way: block style, small values on one
/// line, and quotes around each ambiguous scalar.
struct YAMLText {
  private(set) var text = ""
  /// The maximum width of a mapping that is written on one line in braces.
  private static let flowWidth = 76

  /// Writes an entry of a mapping.
  mutating func entry(_ key: String, _ value: ImportedValue, indent: Int) {
    let start = String(repeating: " ", count: indent) + Self.scalar(key, inFlow: false) + ":"
    write(start, value, indent: indent)
  }

  mutating func line(_ line: String) { text += line + "\n" }

  private mutating func write(_ start: String, _ value: ImportedValue, indent: Int) {
    switch Self.withoutRepetitions(value) {
    case .object(let members) where !members.isEmpty:
      if let flow = Self.flow(value), flow.count <= Self.flowWidth {
        text += "\(start) \(flow)\n"
        return
      }
      text += start + "\n"
      for member in members { entry(member.key, member.value, indent: indent + 2) }
    case .list(let items) where !items.isEmpty:
      if let flow = Self.flow(value), flow.count <= Self.flowWidth {
        text += "\(start) \(flow)\n"
        return
      }
      text += start + "\n"
      for item in items { self.item(item, indent: indent + 2) }
    case .text(let imported):
      let source = imported.source
      if let block = Self.block(source, indent: indent + 2) {
        text += "\(start) \(block)"
      } else {
        text += "\(start) \(Self.scalar(source, inFlow: false))\n"
      }
    default: text += "\(start) \(Self.flow(value) ?? "null")\n"
    }
  }

  private mutating func item(_ value: ImportedValue, indent: Int) {
    let dash = String(repeating: " ", count: indent) + "-"
    // A mapping in a list begins on the same line as its dash.
    if case .object(let members) = value, let first = members.first, (Self.flow(value)?.count ?? .max) > Self.flowWidth {
      write("\(dash) \(Self.scalar(first.key, inFlow: false)):", first.value, indent: indent + 2)
      for member in members.dropFirst() { entry(member.key, member.value, indent: indent + 2) }
      return
    }
    write(dash, value, indent: indent)
  }

  /// Returns a mapping with each key once, since YAML allows no duplicates. For a duplicate key in JSON, the last value is used.
  private static func withoutRepetitions(_ value: ImportedValue) -> ImportedValue {
    guard case .object(let members) = value, Set(members.map(\.key)).count < members.count else { return value }
    var result: [(key: String, value: ImportedValue)] = []
    for member in members {
      if let place = result.firstIndex(where: { $0.key == member.key }) { result[place] = member } else { result.append(member) }
    }
    return .object(result)
  }

  /// Returns the YAML of a value on one line; nil if the value can't be written on one line.
  static func flow(_ value: ImportedValue) -> String? {
    switch withoutRepetitions(value) {
    case .null: return "null"
    case .bool(let value): return value ? "true" : "false"
    case .number(let digits): return digits
    case .text(let text): return scalar(text.source, inFlow: true)
    case .list(let items):
      if items.isEmpty { return "[]" }
      let parts = items.compactMap(flow)
      return parts.count == items.count ? "[\(parts.joined(separator: ", "))]" : nil
    case .object(let members):
      if members.isEmpty { return "{}" }
      let parts = members.compactMap { member in flow(member.value).map { "\(scalar(member.key, inFlow: true)): \($0)" } }
      return parts.count == members.count ? "{ \(parts.joined(separator: ", ")) }" : nil
    }
  }

  /// Returns text of several lines as a block scalar; nil if the text cannot be written in this form.
  private static func block(_ text: String, indent: Int) -> String? {
    guard text.utf8.contains(UInt8(ascii: "\n")), text.count < 100_000, let first = text.first, !first.isWhitespace,
      !text.hasSuffix("\n\n"),
      text.unicodeScalars.allSatisfy({ $0 == "\n" || isPrintable($0) })
    else { return nil }
    let body = text.hasSuffix("\n") ? text.dropLast() : text[...]
    let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
    // Many editors remove white space at the end of a line.
    guard !lines.contains(where: { $0.last == " " }) else { return nil }
    let space = String(repeating: " ", count: indent)
    return (text.hasSuffix("\n") ? "|\n" : "|-\n") + lines.map { $0.isEmpty ? "\n" : "\(space)\($0)\n" }.joined()
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x20 && scalar.value != 0x7F && !(0x80...0x9F).contains(scalar.value) && !(0x2028...0x2029).contains(scalar.value)
      && scalar.value != 0xFEFF && scalar.value & 0xFFFE != 0xFFFE && !(0xFDD0...0xFDEF).contains(scalar.value)
  }

  private static let reserved: Set<String> = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]

  /// Returns a text as a scalar: without quotes if no part of it has a meaning in YAML, otherwise in quotes.
  static func scalar(_ text: String, inFlow: Bool) -> String {
    var isPlain = !text.isEmpty && text.utf8.count <= 200
    var previous = UInt8(ascii: " ")
    var isFirst = true
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "/"): break
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "="):
        if isFirst { isPlain = false }
      case UInt8(ascii: " "): if isFirst || previous == UInt8(ascii: " ") { isPlain = false }
      // These characters are allowed in JSONPaths, and in expressions whose braces YAML does not interpret.
      case UInt8(ascii: "$"), UInt8(ascii: "{"), UInt8(ascii: "}"): if inFlow || (isFirst && byte != UInt8(ascii: "$")) { isPlain = false }
      case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "~"), UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "%"),
        UInt8(ascii: ";"):
        if isFirst || inFlow { isPlain = false }
      case UInt8(ascii: ":"): if isFirst || inFlow { isPlain = false }
      default: isPlain = false
      }
      if previous == UInt8(ascii: ":"), byte == UInt8(ascii: " ") { isPlain = false }
      previous = byte
      isFirst = false
    }
    if previous == UInt8(ascii: " ") || previous == UInt8(ascii: ":") || reserved.contains(text.lowercased()) { isPlain = false }
    // An expression that contains spaces is quoted, which is safer.
    if isPlain, text.utf8.contains(UInt8(ascii: "$")), text.utf8.contains(UInt8(ascii: " ")) { isPlain = false }
    return isPlain || isAmount(text) ? text : quoted(text)
  }

  /// Whether a text begins with a digit and needs no quotes in YAML, since no YAML parser reads the text as a number: `90s`, `500ms` or
  /// `127.0.0.1`.
  private static func isAmount(_ text: String) -> Bool {
    let digits = text.utf8.prefix { (0x30...0x39).contains($0) }
    guard !digits.isEmpty, digits.count <= 9 else { return false }
    let unit = text.dropFirst(digits.count)
    if ["ms", "s", "m", "h", "B"].contains(unit) { return true }
    return text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") } && text.split(separator: ".").count == 4
      && !text.hasSuffix(".")
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        if isPrintable(scalar) {
          result.unicodeScalars.append(scalar)
        } else {
          let width = scalar.value < 0x100 ? 2 : scalar.value < 0x10000 ? 4 : 8
          result += "\\" + (width == 2 ? "x" : width == 4 ? "u" : "U") + Hex.padded(scalar.value, to: width, uppercase: true)
        }
      }
    }
    return result + "\""
  }
}
