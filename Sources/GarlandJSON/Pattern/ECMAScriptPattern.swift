import GarlandText

/// Translates patterns of ECMA-262 (with the `u` flag) to PCRE2's dialect.
///
/// The differences between the dialects are few, but PCRE2 reports none of them. Syntax that ECMA-262 does not have is refused. Two forms
/// are accepted although the `u` flag forbids them: `\-`, `\_` and similar escapes represent the character itself, and so do unmatched `{`,
/// `}` and `]`.
struct ECMAScriptPattern {
  let pattern: String
  let bytes: [UInt8]
  var position = 0
  var output: TranslatedPattern
  /// The number of capturing groups in the pattern. A reference such as `\3` to a group that does not exist is an error.
  private let groupCount: Int
  private var openGroups: [Int] = []

  static func translate(_ pattern: String) throws(RegularExpressionError) -> TranslatedPattern {
    var translation = ECMAScriptPattern(pattern)
    try translation.run()
    return translation.output
  }

  private init(_ pattern: String) {
    self.pattern = pattern
    bytes = Array(pattern.utf8)
    output = TranslatedPattern(sourceLength: bytes.count)
    groupCount = ECMAScriptPattern.countGroups(bytes)
  }

  func failure(_ message: String, at offset: Int? = nil) -> RegularExpressionError {
    RegularExpressionError(pattern: pattern, offset: offset ?? position, message: message)
  }

  func byte(_ offset: Int) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  /// Appends `text` to the translated pattern in place of the next `count` bytes of the original pattern, and moves past these bytes.
  mutating func replace(_ count: Int, with text: String) {
    output.append(text, from: position)
    position += count
  }

  mutating func copy(_ count: Int = 1) {
    let end = min(position + count, bytes.count)
    output.append(bytes[position..<end], from: position)
    position = end
  }

  private mutating func run() throws(RegularExpressionError) {
    // Whether the preceding item can be repeated.
    var isRepeatable = false
    while let byte = byte(0) {
      switch byte {
      case UInt8(ascii: "("):
        try openGroup()
        isRepeatable = false
      case UInt8(ascii: ")"):
        guard openGroups.popLast() != nil else { throw failure("')' closes no group") }
        copy()
        isRepeatable = true
      case UInt8(ascii: "|"), UInt8(ascii: "^"):
        copy()
        isRepeatable = false
      case UInt8(ascii: "$"):
        copy()
        isRepeatable = false
      case UInt8(ascii: "."):
        replace(1, with: #"[^\n\r\x{2028}\x{2029}]"#)
        isRepeatable = true
      case UInt8(ascii: "["):
        try characterClass()
        isRepeatable = true
      case UInt8(ascii: "\\"):
        isRepeatable = try escape()
      case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"):
        guard isRepeatable else { throw failure("there is nothing before '\(Character(Unicode.Scalar(byte)))' to repeat") }
        copy()
        if self.byte(0) == UInt8(ascii: "?") { copy() }
        isRepeatable = false
      case UInt8(ascii: "{"):
        if let length = lengthOfBraces() {
          guard isRepeatable else { throw failure("there is nothing before '{' to repeat") }
          copy(length)
          if self.byte(0) == UInt8(ascii: "?") { copy() }
          isRepeatable = false
        } else {
          replace(1, with: #"\{"#)
          isRepeatable = true
        }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        replace(1, with: "\\\(Character(Unicode.Scalar(byte)))")
        isRepeatable = true
      default:
        copy()
        isRepeatable = true
      }
    }
    if let open = openGroups.last { throw failure("the group is not closed", at: open) }
  }

  /// Returns the length of a quantifier `{2}`, `{2,}` or `{2,5}`; nil if the brace does not begin a quantifier.
  private func lengthOfBraces() -> Int? {
    var offset = 1
    let digitsStart = offset
    while let byte = byte(offset), byte.isDigit { offset += 1 }
    guard offset > digitsStart else { return nil }
    if byte(offset) == UInt8(ascii: ",") {
      offset += 1
      while let byte = byte(offset), byte.isDigit { offset += 1 }
    }
    return byte(offset) == UInt8(ascii: "}") ? offset + 1 : nil
  }

  private mutating func openGroup() throws(RegularExpressionError) {
    let start = position
    guard openGroups.count < 200 else { throw failure("groups are nested too deeply") }
    openGroups.append(start)
    guard byte(1) == UInt8(ascii: "?") else {
      // `(*` would be one of PCRE2's own verbs.
      guard byte(1) != UInt8(ascii: "*") else { throw failure("there is nothing before '*' to repeat", at: start + 1) }
      copy()
      return
    }
    switch (byte(2), byte(3)) {
    case (UInt8(ascii: ":"), _), (UInt8(ascii: "="), _), (UInt8(ascii: "!"), _): copy(3)
    case (UInt8(ascii: "<"), UInt8(ascii: "=")), (UInt8(ascii: "<"), UInt8(ascii: "!")): copy(4)
    case (UInt8(ascii: "<"), _):
      guard let length = lengthOfName(from: 3) else { throw failure("the group's name is not well-formed", at: start) }
      copy(length)
    default: throw failure("ECMA-262 has no such group", at: start)
    }
  }

  /// Returns the number of bytes from the current position to the end of a group's name, including the closing `>` of the name. Returns nil
  /// if there is no valid name.
  ///
  /// - Parameter offset: the distance of the name from the current position.
  func lengthOfName(from offset: Int) -> Int? {
    var end = offset
    while let byte = byte(end), byte != UInt8(ascii: ">") {
      guard JSONScanner.continuesWord(byte), byte != UInt8(ascii: "$") else { return nil }
      end += 1
    }
    guard byte(end) != nil, end > offset, let first = byte(offset), !first.isDigit else { return nil }
    return end + 1
  }

  /// Translates an escape outside of a character class (`[…]`). Returns whether a quantifier may follow the escape.
  private mutating func escape() throws(RegularExpressionError) -> Bool {
    guard let letter = byte(1) else { throw failure("the pattern ends with a backslash") }
    switch letter {
    case UInt8(ascii: "b"), UInt8(ascii: "B"):
      copy(2)
      return false
    case UInt8(ascii: "k"):
      guard byte(2) == UInt8(ascii: "<"), let length = lengthOfName(from: 3) else {
        throw failure("\\k needs a name after it, as in \\k<name>")
      }
      copy(length)
    case UInt8(ascii: "1")...UInt8(ascii: "9"):
      var length = 1
      var number = 0
      while let digit = byte(length), digit.isDigit, number < 100_000 {
        number = number * 10 + Int(digit - UInt8(ascii: "0"))
        length += 1
      }
      guard number <= groupCount else { throw failure("there is no group \(number)") }
      replace(length, with: "\\g{\(number)}")
    case UInt8(ascii: "d"), UInt8(ascii: "D"), UInt8(ascii: "w"), UInt8(ascii: "W"): copy(2)
    case UInt8(ascii: "s"): replace(2, with: "[\(ECMAScriptPattern.whiteSpace)]")
    case UInt8(ascii: "S"): replace(2, with: "[^\(ECMAScriptPattern.whiteSpace)]")
    case UInt8(ascii: "p"), UInt8(ascii: "P"): try property()
    default:
      let (scalar, length) = try characterEscape()
      replace(length, with: ECMAScriptPattern.literal(scalar))
    }
    return true
  }

  private static func countGroups(_ bytes: [UInt8]) -> Int {
    var count = 0
    var inClass = false
    var position = 0
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\\"): position += 1
      case UInt8(ascii: "["): inClass = true
      case UInt8(ascii: "]"): inClass = false
      case UInt8(ascii: "(") where !inClass:
        let next = position + 1 < bytes.count ? bytes[position + 1] : 0
        let third = position + 3 < bytes.count ? bytes[position + 3] : 0
        let isNamed =
          next == UInt8(ascii: "?") && bytes[position + 2 < bytes.count ? position + 2 : position] == UInt8(ascii: "<")
          && third != UInt8(ascii: "=") && third != UInt8(ascii: "!")
        if next != UInt8(ascii: "?") || isNamed { count += 1 }
      default: break
      }
      position += 1
    }
    return count
  }
}
