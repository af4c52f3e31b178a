import GarlandText

/// Parses the text of a path with the grammar of [RFC 9535, appendix A](https://www.rfc-editor.org/rfc/rfc9535#appendix-A).
struct JSONPathParser {
  /// The maximum depth of nested filters, parentheses and functions. The parser and the evaluation recurse to
  /// this depth.
  static let deepestNesting = 100
  /// The largest integer that JSON parsers represent exactly, even with doubles: ±(2⁵³ − 1).
  static let largestInteger = 9_007_199_254_740_991

  let text: String
  let bytes: [UInt8]
  var position = 0
  var nesting = 0

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  mutating func parse() throws(JSONPathError) -> JSONPathQuery {
    guard let first = current else { throw failure("the path is empty", suggestion: "write '$' for the whole value") }
    guard first == UInt8(ascii: "$") else {
      if first.isWhiteSpace { throw failure("a path does not begin with white space", length: 1) }
      let suggestion: String? =
        switch first {
        case UInt8(ascii: "@"): "'@' has a meaning only in a filter; write '$'"
        case UInt8(ascii: "."), UInt8(ascii: "["): "write '$\(text)'"
        case UInt8(ascii: "/"): "this is a JSON Pointer: use `JSONPointer`"
        case _ where JSONPathParser.startsName(first): "write '$.\(text)'"
        default: nil
        }
      throw failure("a path must begin with '$', not with \(found)", length: scalarLength, suggestion: suggestion)
    }
    position += 1
    let segments = try segments()
    guard position == bytes.count else {
      let behind = position
      skipBlanks()
      if position == bytes.count { throw failure("a path does not end with white space", behind..<position) }
      throw unexpectedInPath()
    }
    return JSONPathQuery(isAbsolute: true, segments: segments)
  }

  // MARK: Bytes

  var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  func byte(_ offset: Int) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  func isNext(_ token: StaticString) -> Bool {
    guard position + token.utf8CodeUnitCount <= bytes.count else { return false }
    for offset in 0..<token.utf8CodeUnitCount where bytes[position + offset] != token.utf8Start[offset] { return false }
    return true
  }

  mutating func take(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    position += 1
    return true
  }

  mutating func skipBlanks() {
    while let byte = current, byte.isWhiteSpace { position += 1 }
  }

  static func startsName(_ byte: UInt8) -> Bool {
    byte.isLetter || byte == UInt8(ascii: "_") || byte >= 0x80
  }

  static func continuesName(_ byte: UInt8) -> Bool {
    startsName(byte) || byte.isDigit
  }

  var scalarLength: Int {
    guard let lead = current else { return 0 }
    return switch lead {
    case 0xF0...: 4
    case 0xE0...: 3
    case 0xC0...: 2
    default: 1
    }
  }

  /// A description of the text at the current position, for messages.
  var found: String {
    guard position < bytes.count else { return "the end" }
    return "'\(String(decoding: bytes[position..<min(position + scalarLength, bytes.count)], as: UTF8.self))'"
  }

  func failure(_ message: String, at start: Int? = nil, length: Int = 0, suggestion: String? = nil) -> JSONPathError {
    let start = start ?? position
    return failure(message, start..<min(start + length, max(bytes.count, start)), suggestion: suggestion)
  }

  func failure(_ message: String, _ range: Range<Int>, suggestion: String? = nil) -> JSONPathError {
    JSONPathError(text: text, range: range, message: message, suggestion: suggestion)
  }

  func source(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  // MARK: Segments

  mutating func segments() throws(JSONPathError) -> [JSONPathSegment] {
    var segments: [JSONPathSegment] = []
    while true {
      let before = position
      skipBlanks()
      switch current {
      case UInt8(ascii: "["):
        segments.append(JSONPathSegment(isDescendant: false, selectors: try bracketedSelection()))
      case UInt8(ascii: "."):
        let isDescendant = byte(1) == UInt8(ascii: ".")
        position += isDescendant ? 2 : 1
        segments.append(JSONPathSegment(isDescendant: isDescendant, selectors: try dottedSelection(isDescendant: isDescendant)))
      default:
        position = before
        return segments
      }
    }
  }

  /// Reads the selection after one or two dots: a name or `*`. After two dots, a selection in brackets is also valid.
  private mutating func dottedSelection(isDescendant: Bool) throws(JSONPathError) -> [JSONPathSelector] {
    if take(UInt8(ascii: "*")) { return [.wildcard] }
    if isDescendant, current == UInt8(ascii: "[") { return try bracketedSelection() }
    let start = position
    guard let first = current else {
      throw failure("missing name or '*' after '\(isDescendant ? ".." : ".")'")
    }
    guard JSONPathParser.startsName(first) else {
      var suggestion: String?
      if first == UInt8(ascii: "["), !isDescendant { suggestion = "leave the '.' out before '['" }
      if first == UInt8(ascii: ".") { suggestion = "for descendants, write '..' (two dots)" }
      if first == UInt8(ascii: "'") || first == UInt8(ascii: "\"") { suggestion = "write a quoted name in brackets: ['…']" }
      if first.isDigit {
        let digits = String(decoding: bytes[position...].prefix(while: \.isDigit), as: UTF8.self)
        suggestion = "for an element, write [\(digits)]; for a member with this name, write ['\(digits)']"
      }
      throw failure("expected a name or '*' after '.', found \(found)", length: scalarLength, suggestion: suggestion)
    }
    while let byte = current, JSONPathParser.continuesName(byte) { position += 1 }
    return [.name(source(start..<position))]
  }

  private func unexpectedInPath() -> JSONPathError {
    let rest = bytes[position...]
    // `$.foo-bar`: a name that needs quotes.
    if let byte = current, byte == UInt8(ascii: "-") || byte == UInt8(ascii: "$") || byte == UInt8(ascii: "@") || byte == UInt8(ascii: ":"),
      let dot = bytes[..<position].lastIndex(of: UInt8(ascii: ".")), bytes[(dot + 1)..<position].allSatisfy(JSONPathParser.continuesName)
    {
      let end = rest.firstIndex { [UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: " ")].contains($0) } ?? bytes.count
      let name = source((dot + 1)..<end)
      return failure("\(found) is not allowed in a name without quotes", length: scalarLength, suggestion: "write ['\(name)']")
    }
    if current == UInt8(ascii: "("), let dot = bytes[..<position].lastIndex(of: UInt8(ascii: ".")) {
      let name = source((dot + 1)..<position)
      if JSONPathParser.functions[name] != nil {
        return failure(
          "a function belongs in a filter, not after a path", (dot + 1)..<position, suggestion: "write a filter such as [?\(name)(@) …]")
      }
    }
    return failure("expected '.', '[' or the end, found \(found)", length: scalarLength)
  }

  // MARK: Selectors

  private mutating func bracketedSelection() throws(JSONPathError) -> [JSONPathSelector] {
    let start = position
    position += 1
    skipBlanks()
    if current == UInt8(ascii: "]") {
      throw failure("there is no selector between the brackets", start..<position + 1, suggestion: "for all children, write [*]")
    }
    var selectors: [JSONPathSelector] = []
    while true {
      selectors.append(try selector())
      skipBlanks()
      if take(UInt8(ascii: "]")) { return selectors }
      guard take(UInt8(ascii: ",")) else {
        guard position < bytes.count else { throw failure("']' is missing: '[' was not closed", start..<start + 1) }
        throw failure("expected ',' or ']', found \(found)", length: scalarLength, suggestion: hintInBrackets())
      }
      skipBlanks()
      if current == UInt8(ascii: "]") { throw failure("missing selector after ','", length: 1) }
    }
  }

  private func hintInBrackets() -> String? {
    current == UInt8(ascii: ".") ? "a decimal number is not an index" : nil
  }

  private mutating func selector() throws(JSONPathError) -> JSONPathSelector {
    guard let byte = current else { throw failure("missing selector after '['") }
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return .name(try string())
    case UInt8(ascii: "*"):
      position += 1
      return .wildcard
    case UInt8(ascii: "?"):
      position += 1
      skipBlanks()
      return .filter(try filter())
    case UInt8(ascii: ":"): return try slice(start: nil)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let start = try integer()
      let end = position
      skipBlanks()
      if current == UInt8(ascii: ":") { return try slice(start: start) }
      position = end
      return .index(start)
    case UInt8(ascii: "("): throw failure("script expressions are not part of JSONPath", length: 1, suggestion: "write a filter: [?…]")
    case UInt8(ascii: "@"), UInt8(ascii: "$"): throw failure("a condition begins with '?'", length: 1, suggestion: "write [?…]")
    case _ where JSONPathParser.startsName(byte):
      let name = String(decoding: bytes[position...].prefix(while: JSONPathParser.continuesName), as: UTF8.self)
      throw failure("a name in brackets must be in quotes", length: name.utf8.count, suggestion: "write ['\(name)']")
    default: throw failure("expected a selector, found \(found)", length: scalarLength)
    }
  }

  private mutating func slice(start: Int?) throws(JSONPathError) -> JSONPathSelector {
    position += 1
    skipBlanks()
    let end = try optionalInteger()
    let behindEnd = position
    skipBlanks()
    guard take(UInt8(ascii: ":")) else {
      position = behindEnd
      return .slice(start: start, end: end, step: 1)
    }
    let behindColon = position
    skipBlanks()
    let step = try optionalInteger()
    if step == nil { position = behindColon }
    return .slice(start: start, end: end, step: step ?? 1)
  }

  private mutating func optionalInteger() throws(JSONPathError) -> Int? {
    guard let byte = current, byte == UInt8(ascii: "-") || byte.isDigit else { return nil }
    return try integer()
  }

  private mutating func integer() throws(JSONPathError) -> Int {
    let start = position
    let isNegative = take(UInt8(ascii: "-"))
    let digits = bytes[position...].prefix(while: \.isDigit)
    position += digits.count
    let range = start..<position
    guard let first = digits.first else { throw failure("missing number after '-'", range) }
    if isNegative, digits.allSatisfy({ $0 == UInt8(ascii: "0") }) { throw failure("'-0' is not an index", range, suggestion: "write 0") }
    if first == UInt8(ascii: "0"), digits.count > 1 {
      let trimmed = String(decoding: digits.drop { $0 == UInt8(ascii: "0") }, as: UTF8.self)
      throw failure(
        "an index can't have leading zeros", range, suggestion: "write \(isNegative ? "-" : "")\(trimmed.isEmpty ? "0" : trimmed)")
    }
    guard let value = Int(source(range)), abs(value) <= JSONPathParser.largestInteger else {
      throw failure("the number is beyond ±\(JSONPathParser.largestInteger)", range)
    }
    return value
  }

  /// Reads a text in single or double quotes: a string literal, or a name in brackets.
  mutating func string() throws(JSONPathError) -> String {
    let start = position
    let quote = bytes[position]
    position += 1
    var value: [UInt8] = []
    while let byte = current {
      switch byte {
      case quote:
        position += 1
        return String(decoding: value, as: UTF8.self)
      case UInt8(ascii: "\\"): try escape(quote: quote, into: &value)
      case ..<0x20:
        throw failure("a control character in a string must be written as an escape", length: 1, suggestion: "such as \\n or \\u000a")
      default:
        value.append(byte)
        position += 1
      }
    }
    throw failure("the string is not closed", start..<bytes.count, suggestion: "add \(Character(Unicode.Scalar(quote)))")
  }

  private mutating func escape(quote: UInt8, into value: inout [UInt8]) throws(JSONPathError) {
    let start = position
    position += 1
    guard let letter = current else { throw failure("the string is not closed", start..<bytes.count) }
    switch letter {
    case quote, UInt8(ascii: "\\"), UInt8(ascii: "/"): value.append(letter)
    case UInt8(ascii: "b"): value.append(0x08)
    case UInt8(ascii: "f"): value.append(0x0C)
    case UInt8(ascii: "n"): value.append(0x0A)
    case UInt8(ascii: "r"): value.append(0x0D)
    case UInt8(ascii: "t"): value.append(0x09)
    case UInt8(ascii: "u"):
      var scalar = try hexadecimalUnit(from: start)
      if scalar & 0xFC00 == 0xD800, byte(1) == UInt8(ascii: "\\"), byte(2) == UInt8(ascii: "u") {
        position += 2
        let low = try hexadecimalUnit(from: start)
        guard low & 0xFC00 == 0xDC00 else { throw failure("half of a surrogate pair is missing", start..<position + 1) }
        scalar = 0x10000 + (scalar & 0x3FF) << 10 + low & 0x3FF
      }
      guard let unicode = Unicode.Scalar(scalar) else { throw failure("half of a surrogate pair is missing", start..<position + 1) }
      value += Array(String(Character(unicode)).utf8)
    default:
      let other = letter == UInt8(ascii: "'") || letter == UInt8(ascii: "\"")
      throw failure(
        "'\\\(found.dropFirst().dropLast())' is not an escape\(other ? " between these quotes" : "")",
        start..<min(position + scalarLength, bytes.count),
        suggestion: other ? "leave the backslash out" : "a backslash is written '\\\\'")
    }
    position += 1
  }

  /// Reads the four digits of `uXXXX`. Afterwards, the current position is the position of the last digit.
  private mutating func hexadecimalUnit(from start: Int) throws(JSONPathError) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      position += 1
      guard let digit = current.flatMap(Hex.value) else {
        throw failure("\\u needs four hexadecimal digits", start..<min(position, bytes.count))
      }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }
}
