import GarlandText

extension ECMAScriptPattern {
  /// The characters that `\s` matches: ECMA-262's WhiteSpace and LineTerminator.
  static let whiteSpace = #"\t\n\x{0B}\f\r\x{20}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}"#

  /// The complement of ``whiteSpace``, for `\S` within a character class such as `[\S,]`.
  private static let notWhiteSpace =
    #"\x{0}-\x{8}\x{E}-\x{1F}\x{21}-\x{9F}\x{A1}-\x{167F}\x{1681}-\x{1FFF}\x{200B}-\x{2027}\x{202A}-\x{202E}\x{2030}-\x{205E}"#
    + #"\x{2060}-\x{2FFF}\x{3001}-\x{D7FF}\x{E000}-\x{FEFE}\x{FF00}-\x{10FFFF}"#

  /// Returns a Unicode scalar as an escape such as `\x{2A}`, which PCRE2 always interprets literally, inside and outside of character
  /// classes.
  static func literal(_ scalar: UInt32) -> String {
    "\\x{\(String(scalar, radix: 16, uppercase: true))}"
  }

  /// Reads `\n`, `\u0041`, `\-` and similar escapes; returns the scalar and the escape's length.
  func characterEscape() throws(RegularExpressionError) -> (scalar: UInt32, length: Int) {
    guard let letter = byte(1) else { throw failure("the pattern ends with a backslash") }
    switch letter {
    case UInt8(ascii: "t"): return (0x09, 2)
    case UInt8(ascii: "n"): return (0x0A, 2)
    case UInt8(ascii: "v"): return (0x0B, 2)
    case UInt8(ascii: "f"): return (0x0C, 2)
    case UInt8(ascii: "r"): return (0x0D, 2)
    case UInt8(ascii: "0"):
      if let next = byte(2), next.isDigit { throw failure("ECMA-262 has no octal escapes") }
      return (0, 2)
    case UInt8(ascii: "c"):
      guard let control = byte(2), (control | 0x20) &- UInt8(ascii: "a") < 26 else { throw failure("\\c needs a letter after it") }
      return (UInt32(control & 0x1F), 3)
    case UInt8(ascii: "x"):
      guard let value = hexadecimal(from: 2, count: 2) else { throw failure("\\x needs two hexadecimal digits") }
      return (value, 4)
    case UInt8(ascii: "u"): return try unicodeEscape()
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "1")...UInt8(ascii: "9"):
      throw failure("ECMA-262 has no escape \\\(Character(Unicode.Scalar(letter)))")
    case 0x80...: throw failure("a backslash before a character that needs none")
    default: return (UInt32(letter), 2)
    }
  }

  private func unicodeEscape() throws(RegularExpressionError) -> (scalar: UInt32, length: Int) {
    if byte(2) == UInt8(ascii: "{") {
      var offset = 3
      var value: UInt32 = 0
      while let digit = byte(offset).flatMap(Hex.value), value <= 0x10FFFF {
        value = value << 4 | UInt32(digit)
        offset += 1
      }
      guard offset > 3, byte(offset) == UInt8(ascii: "}"), Unicode.Scalar(value) != nil else {
        throw failure("\\u{…} needs a Unicode scalar")
      }
      return (value, offset + 1)
    }
    guard let unit = hexadecimal(from: 2, count: 4) else { throw failure("\\u needs four hexadecimal digits") }
    if unit & 0xFC00 == 0xD800, byte(6) == UInt8(ascii: "\\"), byte(7) == UInt8(ascii: "u"),
      let low = hexadecimal(from: 8, count: 4), low & 0xFC00 == 0xDC00
    {
      return (0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF, 12)
    }
    guard Unicode.Scalar(unit) != nil else { throw failure("half of a surrogate pair is not a character") }
    return (unit, 6)
  }

  private func hexadecimal(from offset: Int, count: Int) -> UInt32? {
    var value: UInt32 = 0
    for position in offset..<offset + count {
      guard let digit = byte(position).flatMap(Hex.value) else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  /// Reads `\p{…}`. Translates ECMA-262's names of properties to those of PCRE2 where they differ.
  mutating func property() throws(RegularExpressionError) {
    guard byte(2) == UInt8(ascii: "{"), let end = bytes[position...].firstIndex(of: UInt8(ascii: "}")) else {
      throw failure("\\p needs a property after it, as in \\p{Lu}")
    }
    let isNegated = byte(1) == UInt8(ascii: "P")
    let text = String(decoding: bytes[(position + 3)..<end], as: UTF8.self)
    let length = end + 1 - position
    let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    let name: String
    switch (parts.first, parts.count) {
    case ("General_Category", 2), ("gc", 2): name = ECMAScriptPattern.categories[parts[1]] ?? parts[1]
    case ("Script", 2), ("sc", 2): name = "sc:\(parts[1])"
    case ("Script_Extensions", 2), ("scx", 2): name = "scx:\(parts[1])"
    case (_, 1): name = ECMAScriptPattern.categories[text] ?? text
    default: throw failure("there is no property '\(text)'")
    }
    if name == "Assigned" {
      replace(length, with: isNegated ? #"\p{Cn}"# : #"\P{Cn}"#)
    } else {
      replace(length, with: "\\\(isNegated ? "P" : "p"){\(name)}")
    }
  }

  private static let categories: [String: String] = [
    "Letter": "L", "Cased_Letter": "L&", "LC": "L&", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Titlecase_Letter": "Lt",
    "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Combining_Mark": "M", "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc",
    "Enclosing_Mark": "Me", "Number": "N", "Decimal_Number": "Nd", "digit": "Nd", "Letter_Number": "Nl", "Other_Number": "No",
    "Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps",
    "Close_Punctuation": "Pe", "Initial_Punctuation": "Pi", "Final_Punctuation": "Pf", "Other_Punctuation": "Po", "Symbol": "S",
    "Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk", "Other_Symbol": "So", "Separator": "Z",
    "Space_Separator": "Zs", "Line_Separator": "Zl", "Paragraph_Separator": "Zp", "Other": "C", "Control": "Cc", "cntrl": "Cc",
    "Format": "Cf", "Surrogate": "Cs", "Private_Use": "Co", "Unassigned": "Cn",
  ]

  // MARK: Classes

  /// A member of a character class such as `[a-z\d]`: a character, which can be the end of a range, or a set of characters.
  private enum Member {
    case character(UInt32)
    case set
  }

  mutating func characterClass() throws(RegularExpressionError) {
    let start = position
    let isNegated = byte(1) == UInt8(ascii: "^")
    let opening = isNegated ? 2 : 1
    if byte(opening) == UInt8(ascii: "]") {
      // `[]` matches nothing, `[^]` anything.
      replace(opening + 1, with: isNegated ? "(?s:.)" : "(?!)")
      return
    }
    copy(opening)
    while let next = byte(0), next != UInt8(ascii: "]") {
      let memberStart = position
      let low = try classMember()
      guard byte(0) == UInt8(ascii: "-"), let behind = byte(1), behind != UInt8(ascii: "]") else { continue }
      output.append("-", from: position)
      position += 1
      let hyphenEnd = output
      let high = try classMember()
      switch (low, high) {
      case (.character(let low), .character(let high)):
        guard low <= high else { throw failure("the range of characters runs backwards", at: memberStart) }
      default:
        // A hyphen next to a set represents itself, as in JavaScript without the `u` flag.
        let rest = output.bytes[hyphenEnd.bytes.count...]
        var literal = hyphenEnd
        literal.replaceLast(with: "\\-")
        literal.append(rest, from: memberStart)
        output = literal
      }
    }
    guard byte(0) == UInt8(ascii: "]") else { throw failure("the character class is not closed", at: start) }
    copy()
  }

  private mutating func classMember() throws(RegularExpressionError) -> Member {
    guard let next = byte(0) else { throw failure("the character class is not closed") }
    guard next == UInt8(ascii: "\\") else {
      var iterator = bytes[position...].makeIterator()
      var decoder = UTF8()
      guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { throw failure("the pattern is not UTF-8") }
      // The character is written as a number, so that PCRE2 gives no part of it (`[:alpha:]`, `^`, `-`) a
      // meaning that ECMA-262 does not have.
      replace(UTF8.width(scalar), with: ECMAScriptPattern.literal(scalar.value))
      return .character(scalar.value)
    }
    switch byte(1) {
    case UInt8(ascii: "d"), UInt8(ascii: "D"), UInt8(ascii: "w"), UInt8(ascii: "W"): copy(2)
    case UInt8(ascii: "s"): replace(2, with: ECMAScriptPattern.whiteSpace)
    case UInt8(ascii: "S"): replace(2, with: ECMAScriptPattern.notWhiteSpace)
    case UInt8(ascii: "p"), UInt8(ascii: "P"): try property()
    case UInt8(ascii: "b"):
      replace(2, with: ECMAScriptPattern.literal(0x08))
      return .character(0x08)
    default:
      let (scalar, length) = try characterEscape()
      replace(length, with: ECMAScriptPattern.literal(scalar))
      return .character(scalar)
    }
    return .set
  }
}
