import GarlandText

/// Checks patterns with the grammar of [RFC 9485
/// §3](https://www.rfc-editor.org/rfc/rfc9485#section-3) and translates them to PCRE2's dialect as described in
/// its §5.4.
struct IRegexpPattern {
  /// The maximum depth of nested groups. This parser and PCRE2 recurse for each group, and PCRE2 stops at 250.
  private static let deepestGroup = 200

  private let pattern: String
  private let bytes: [UInt8]
  private var position = 0
  private var output: TranslatedPattern

  static func translate(_ pattern: String) throws(RegularExpressionError) -> TranslatedPattern {
    var translation = IRegexpPattern(pattern)
    try translation.alternatives(depth: 0)
    guard translation.position == translation.bytes.count else { throw translation.failure("')' closes no group") }
    return translation.output
  }

  private init(_ pattern: String) {
    self.pattern = pattern
    bytes = Array(pattern.utf8)
    output = TranslatedPattern(sourceLength: bytes.count)
  }

  private func failure(_ message: String, at offset: Int? = nil) -> RegularExpressionError {
    RegularExpressionError(pattern: pattern, offset: offset ?? position, message: message)
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func copy(_ count: Int = 1) {
    output.append(bytes[position..<position + count], from: position)
    position += count
  }

  private mutating func alternatives(depth: Int) throws(RegularExpressionError) {
    while let byte = current, byte != UInt8(ascii: ")") {
      if byte == UInt8(ascii: "|") {
        copy()
      } else {
        try atom(byte, depth: depth)
        try quantifier()
      }
    }
  }

  private mutating func atom(_ byte: UInt8, depth: Int) throws(RegularExpressionError) {
    switch byte {
    case UInt8(ascii: "("):
      guard depth < IRegexpPattern.deepestGroup else { throw failure("groups are nested too deeply") }
      let start = position
      output.append("(?:", from: position)
      position += 1
      if current == UInt8(ascii: "?") { throw failure("I-Regexp has only plain groups: '(?' is not one of them", at: start) }
      try alternatives(depth: depth + 1)
      guard current == UInt8(ascii: ")") else { throw failure("the group is not closed", at: start) }
      copy()
    case UInt8(ascii: "."):
      output.append(#"[^\n\r]"#, from: position)
      position += 1
    case UInt8(ascii: "\\"): try escape()
    case UInt8(ascii: "["): try characterClass()
    case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"), UInt8(ascii: "{"):
      throw failure("there is nothing before '\(Character(Unicode.Scalar(byte)))' to repeat")
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      let character = Character(Unicode.Scalar(byte))
      throw failure("'\(character)' must be escaped: write '\\\(character)'")
    default: copy()
    }
  }

  private mutating func quantifier() throws(RegularExpressionError) {
    let start = position
    switch current {
    case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"): copy()
    case UInt8(ascii: "{"):
      copy()
      let minimum = digits()
      guard !minimum.isEmpty else { throw failure("'{' needs a number after it") }
      var maximum: [UInt8]?
      if current == UInt8(ascii: ",") {
        copy()
        maximum = digits()
      }
      guard current == UInt8(ascii: "}") else { throw failure("'{' is not closed", at: start) }
      copy()
      if let maximum, !maximum.isEmpty, let low = Int(String(decoding: minimum, as: UTF8.self)),
        let high = Int(String(decoding: maximum, as: UTF8.self)), low > high
      {
        throw failure("\(low) is more than \(high)", at: start)
      }
    default: return
    }
    if let next = current, [UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"), UInt8(ascii: "{")].contains(next) {
      throw failure("a repetition cannot be repeated, and I-Regexp has neither lazy nor possessive ones")
    }
  }

  private mutating func digits() -> [UInt8] {
    let start = position
    while let byte = current, byte.isDigit { copy() }
    return Array(bytes[start..<position])
  }

  private mutating func escape() throws(RegularExpressionError) {
    guard position + 1 < bytes.count else { throw failure("the pattern ends with a backslash") }
    switch bytes[position + 1] {
    case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "?"), UInt8(ascii: "["), UInt8(ascii: "\\"), UInt8(ascii: "]"), UInt8(ascii: "^"), UInt8(ascii: "n"),
      UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
      copy(2)
    case UInt8(ascii: "p"), UInt8(ascii: "P"): try category()
    case let letter:
      let hint =
        switch letter {
        case UInt8(ascii: "d"): ": write [0-9]"
        case UInt8(ascii: "D"): ": write [^0-9]"
        case UInt8(ascii: "w"): ": write [A-Za-z0-9_]"
        case UInt8(ascii: "W"): ": write [^A-Za-z0-9_]"
        case UInt8(ascii: "s"): ": write [ \\t\\n\\r]"
        case UInt8(ascii: "S"): ": write [^ \\t\\n\\r]"
        case UInt8(ascii: "$"): ": write [$]"
        default: ""
        }
      let shown = letter < 0x80 ? "\\\(Character(Unicode.Scalar(letter)))" : "this escape"
      throw failure("I-Regexp (RFC 9485) does not have \(shown)\(hint)")
    }
  }

  /// Reads a category such as `\p{Lu}`.
  private mutating func category() throws(RegularExpressionError) {
    let start = position
    let rest = bytes[(position + 2)...]
    guard rest.first == UInt8(ascii: "{"), let end = rest.firstIndex(of: UInt8(ascii: "}")) else {
      throw failure("\\p needs a category of characters after it, as in \\p{Lu}", at: start)
    }
    let name = String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)
    guard IRegexpPattern.categories.contains(name) else { throw failure("'\(name)' is no category of characters", at: start) }
    copy(end + 1 - position)
  }

  private static let categories: Set<String> = {
    let minors = ["L": "lmotu", "M": "cen", "N": "dlo", "P": "cdefios", "Z": "lps", "S": "ckmo", "C": "cfno"]
    return Set(minors.flatMap { major, minor in [major] + minor.map { major + String($0) } })
  }()

  private mutating func characterClass() throws(RegularExpressionError) {
    let start = position
    copy()
    if current == UInt8(ascii: "^") { copy() }
    if current == UInt8(ascii: "]") { throw failure("a character class cannot be empty", at: start) }
    var isFirst = true
    while let byte = current, byte != UInt8(ascii: "]") {
      if byte == UInt8(ascii: "-") {
        // A hyphen means itself only at the start and at the end.
        guard isFirst || (position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "]")) else {
          throw failure("'-' within a class is written '\\-'")
        }
        output.append("\\-", from: position)
        position += 1
        isFirst = false
        continue
      }
      isFirst = false
      if byte == UInt8(ascii: "\\"), position + 1 < bytes.count, bytes[position + 1] | 0x20 == UInt8(ascii: "p") {
        try category()
        continue
      }
      let low = try classCharacter()
      guard current == UInt8(ascii: "-"), position + 1 < bytes.count, bytes[position + 1] != UInt8(ascii: "]") else { continue }
      let rangeStart = position
      copy()
      let high = try classCharacter()
      guard low <= high else { throw failure("the range of characters runs backwards", at: rangeStart) }
    }
    guard current == UInt8(ascii: "]") else { throw failure("the character class is not closed", at: start) }
    copy()
  }

  private mutating func classCharacter() throws(RegularExpressionError) -> UInt32 {
    guard let byte = current else { throw failure("the character class is not closed") }
    switch byte {
    case UInt8(ascii: "["): throw failure("'[' within a class is written '\\['")
    case UInt8(ascii: "-"): throw failure("'-' within a class is written '\\-'")
    case UInt8(ascii: "\\"):
      let escaped = position + 1 < bytes.count ? bytes[position + 1] : 0
      if escaped | 0x20 == UInt8(ascii: "p") { throw failure("a category cannot be an end of a range") }
      try escape()
      return switch escaped {
      case UInt8(ascii: "n"): 0x0A
      case UInt8(ascii: "r"): 0x0D
      case UInt8(ascii: "t"): 0x09
      default: UInt32(escaped)
      }
    case UInt8(ascii: "^"):
      output.append("\\^", from: position)
      position += 1
      return UInt32(byte)
    default:
      let scalar = scalarHere()
      copy(UTF8.width(scalar))
      return scalar.value
    }
  }

  private func scalarHere() -> Unicode.Scalar {
    var iterator = bytes[position...].makeIterator()
    var decoder = UTF8()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return "\u{FFFD}" }
    return scalar
  }
}
