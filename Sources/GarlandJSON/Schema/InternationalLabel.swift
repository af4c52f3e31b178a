import GarlandText

/// The rules for a label with non-ASCII characters in a host name ([RFC 5891 §4.2](https://www.rfc-editor.org/rfc/rfc5891#section-4.2)).
/// The RFC requires normalization form C; of this form, only the order of combining marks is checked.
enum InternationalLabel {
  static func isValid(_ label: [Unicode.Scalar]) -> Bool {
    guard let first = label.first, let last = label.last, first != "-", last != "-", !isMark(first) else { return false }
    guard label.count < 4 || label[2] != "-" || label[3] != "-" else { return false }
    guard hasOrderedMarks(label) else { return false }
    return label.indices.allSatisfy { isAllowed(label[$0]) || isAllowed(at: $0, in: label) }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }

  private static func hasOrderedMarks(_ label: [Unicode.Scalar]) -> Bool {
    var last: UInt8 = 0
    for scalar in label {
      let order = scalar.properties.canonicalCombiningClass.rawValue
      guard order == 0 || order >= last else { return false }
      last = order
    }
    return true
  }

  /// Whether a scalar is allowed in every label, regardless of its context: `PVALID` in [RFC 5892
  /// §3](https://www.rfc-editor.org/rfc/rfc5892#section-3). The scalar's properties are checked in the order of the RFC.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    if allowedExceptions.contains(scalar) { return true }
    if refusedExceptions.contains(scalar) || contextual.contains(scalar) || isDigitInContext(scalar) { return false }
    if scalar.isASCII {
      return scalar.properties.isLowercase || scalar == "-" || UInt8(truncatingIfNeeded: scalar.value).isDigit
    }
    let properties = scalar.properties
    guard !properties.changesWhenNFKCCaseFolded, !properties.isDefaultIgnorableCodePoint, !properties.isWhitespace,
      !properties.isNoncharacterCodePoint, !refusedBlocks.contains(where: { $0.contains(scalar.value) })
    else { return false }
    switch properties.generalCategory {
    case .lowercaseLetter, .uppercaseLetter, .otherLetter, .modifierLetter, .decimalNumber, .nonspacingMark, .spacingMark: return true
    default: return false
    }
  }

  /// The characters that are allowed as exceptions (RFC 5892, section 2.6).
  private static let allowedExceptions: Set<Unicode.Scalar> = ["\u{DF}", "\u{3C2}", "\u{6FD}", "\u{6FE}", "\u{F0B}", "\u{3007}"]
  private static let refusedExceptions: Set<Unicode.Scalar> = [
    "\u{640}", "\u{7FA}", "\u{302E}", "\u{302F}", "\u{3031}", "\u{3032}", "\u{3033}", "\u{3034}", "\u{3035}", "\u{303B}",
  ]
  /// The characters, besides the Arabic digits, that are valid only in certain contexts (RFC 5892, appendix A).
  private static let contextual: Set<Unicode.Scalar> = [
    "\u{200C}", "\u{200D}", "\u{B7}", "\u{375}", "\u{5F3}", "\u{5F4}", "\u{30FB}",
  ]
  /// The blocks whose characters are not allowed (RFC 5892, sections 2.5 and 2.9): combining marks for symbols, characters of musical
  /// notation, and parts of old Hangul syllables.
  private static let refusedBlocks: [ClosedRange<UInt32>] = [
    0x20D0...0x20FF, 0x1D100...0x1D24F, 0x1100...0x11FF, 0xA960...0xA97F, 0xD7B0...0xD7FF,
  ]

  private static func isDigitInContext(_ scalar: Unicode.Scalar) -> Bool { isArabicDigit(scalar) || isExtendedArabicDigit(scalar) }
  private static func isArabicDigit(_ scalar: Unicode.Scalar) -> Bool { ("\u{660}"..."\u{669}").contains(scalar) }
  private static func isExtendedArabicDigit(_ scalar: Unicode.Scalar) -> Bool { ("\u{6F0}"..."\u{6F9}").contains(scalar) }

  /// Whether a character is allowed in its context (RFC 5892, appendix A).
  private static func isAllowed(at index: Int, in label: [Unicode.Scalar]) -> Bool {
    let previous = index > 0 ? label[index - 1] : nil
    let next = index + 1 < label.count ? label[index + 1] : nil
    switch label[index] {
    case "\u{200C}": return isVirama(previous) || joins(at: index, in: label)
    case "\u{200D}": return isVirama(previous)
    case "\u{B7}": return previous == "l" && next == "l"
    case "\u{375}": return next.map { isOf(greek, $0) } ?? false
    case "\u{5F3}", "\u{5F4}": return previous.map { isOf(hebrew, $0) } ?? false
    case "\u{30FB}": return label.contains { isOf(japanese, $0) }
    case let digit where isArabicDigit(digit): return !label.contains(where: isExtendedArabicDigit)
    case let digit where isExtendedArabicDigit(digit): return !label.contains(where: isArabicDigit)
    default: return false
    }
  }

  private static func isVirama(_ scalar: Unicode.Scalar?) -> Bool { scalar?.properties.canonicalCombiningClass == .virama }

  /// Whether the letters before and after an index are joined, as in Arabic script. Characters that do not affect the joining are skipped.
  private static func joins(at index: Int, in label: [Unicode.Scalar]) -> Bool {
    guard let before = label[..<index].last(where: { !JoiningTypes.isTransparent($0) }),
      let behind = label[(index + 1)...].first(where: { !JoiningTypes.isTransparent($0) })
    else { return false }
    return JoiningTypes.joinsNext(before) && JoiningTypes.joinsPrevious(behind)
  }

  private static func isOf(_ script: [ClosedRange<UInt32>], _ scalar: Unicode.Scalar) -> Bool {
    script.contains { $0.contains(scalar.value) } && scalar != "\u{30FB}"
  }

  private static let greek: [ClosedRange<UInt32>] = [0x370...0x373, 0x375...0x377, 0x37A...0x3E1, 0x3F0...0x3FF, 0x1F00...0x1FFE]
  private static let hebrew: [ClosedRange<UInt32>] = [0x591...0x5F4, 0xFB1D...0xFB4F]
  /// The characters of Hiragana, Katakana and Han.
  private static let japanese: [ClosedRange<UInt32>] = [
    0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA, 0x30FD...0x30FF, 0x31F0...0x31FF, 0x3005...0x3007, 0x3021...0x3029, 0x3038...0x303B,
    0x2E80...0x2FD5, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x323AF,
  ]
}
