import GarlandText

/// The result of decoding one layer of a text: its escapes, base64 or hexadecimal digits. Also contains the position of each decoded byte
/// in the source.
///
/// With this type, a secret is found in any mix of encodings, also in several layers, without a pattern for each mix. Escapes are
/// percent-encoding, the backslashes of JSON and similar formats, the references of XML and HTML, and quotes inside of quotes in the shell
/// and in YAML. Decoding a text that was not escaped does no harm: the result is only searched.
struct DecodedText {
  private(set) var bytes: [UInt8] = []
  /// For each decoded byte, the position in the original text at which its encoded form starts. ``ends`` contains the end positions.
  private(set) var starts: [Int32] = []
  private(set) var ends: [Int32] = []

  /// The maximum size in bytes of a text that is searched for layers of encoding.
  static let largest = 1 << 24

  /// The kinds of escapes that are decoded. A character can begin an escape in one format and be ordinary text in another.
  struct Dialect: Hashable {
    /// Whether `%` begins an escape in this dialect.
    var hasPercents = true
    /// Whether this dialect has escapes that begin with `&`, such as `&amp;`.
    var hasReferences = true
    /// Whether a backslash begins an escape. False for texts within a shell's single quotes.
    var hasBackslashes = true
    /// Whether this dialect decodes quotes within quotes, such as `'\''` in the shell. False for JSON.
    var hasQuotes = true
    /// Whether this dialect decodes `+` as a space, as in URL-encoded forms.
    var hasPluses = false

    /// The dialects (rules for decoding escapes) that decode the escapes of only one format: URLs, XML, JSON, or the quotes of the shell.
    static let single = [
      Dialect(hasReferences: false, hasBackslashes: false, hasQuotes: false),
      Dialect(hasPercents: false, hasBackslashes: false, hasQuotes: false),
      Dialect(hasPercents: false, hasReferences: false, hasQuotes: false),
      Dialect(hasPercents: false, hasReferences: false, hasBackslashes: false),
    ]

    private static let form = Dialect(hasReferences: false, hasBackslashes: false, hasQuotes: false, hasPluses: true)

    /// Returns the dialects with which a text must be decoded, since each dialect may give a different decoded text:
    ///
    /// - a dialect with the escapes of all formats, which decodes several layers of escapes at once;
    /// - if the text contains a backslash, a dialect without backslash escapes and, if the text contains a `'`, a dialect without quotes;
    /// - if a secret itself contains an escape, such as `%41`, the dialects with the escapes of only one format (``single``): the first
    ///   dialect would decode this escape, too, and so miss the secret;
    /// - if a secret contains a space and the text contains a `+`, the dialect of forms.
    static func all(for text: UnsafeBufferPointer<UInt8>, _ traits: SecretTraits = SecretTraits()) -> [Dialect] {
      var dialects = [Dialect()]
      if text.contains(UInt8(ascii: "\\")) {
        dialects.append(Dialect(hasBackslashes: false))
        if text.contains(UInt8(ascii: "'")) { dialects.append(Dialect(hasQuotes: false)) }
      }
      if traits.haveEscapes { dialects += single }
      if traits.haveSpaces, text.contains(UInt8(ascii: "+")) { dialects.append(form) }
      return dialects
    }

    /// Whether a byte may begin an escape in this dialect: one of `%`, `\`, `&`, `'` and `+`. The bytes are numbers, since a debug build calls a
    /// function for each `UInt8(ascii:)`, and reads every byte of a text.
    func reads(_ byte: UInt8) -> Bool {
      switch byte {
      case 0x25: hasPercents
      case 0x5C: hasBackslashes
      case 0x26: hasReferences
      case 0x27: hasQuotes
      case 0x2B: hasPluses
      default: false
      }
    }
  }

  /// A function that converts a range of the decoder's input to a range of the original text. Its arguments are the start and the end of
  /// the input range. Input and original text differ if the input is the result of an earlier decoding.
  typealias Place = (_ start: Int, _ end: Int) -> (Int32, Int32)

  /// Decodes the escapes of a text; nil if the text contains no escapes.
  ///
  /// If the text was truncated within an escape, as in `a\u00…`, the incomplete escape is not decoded. Its bytes are added to the source
  /// range of the character before it, here `a`.
  init?(_ source: UnsafeBufferPointer<UInt8>, _ dialect: Dialect, _ place: Place) {
    guard Self.hasEscape(source, dialect) else { return nil }
    reserve(source.count)
    var at = 0
    while at < source.count {
      var length = 1
      var scalar: UInt32?
      if dialect.reads(source[at]) {
        if let (found, count) = Escape.read(source, at) {
          length = count
          scalar = found
        } else if let cut = Escape.cut(source, at), let last = ends.indices.last {
          ends[last] = place(at, cut).1
          at = cut
          continue
        }
      }
      let (start, end) = place(at, at + length)
      if let scalar {
        for byte in Self.utf8(scalar) { append(byte, start, end) }
      } else {
        append(source[at], start, end)
      }
      at += length
    }
  }

  /// Returns the texts that result from decoding the escapes in `text` once or twice, in each escape dialect (a set of escapes that one
  /// format uses). The result is empty if the text has no escapes.
  static func decodings(of text: String) -> [String] {
    var (found, texts): (Set<String>, Set<String>) = ([], [text])
    for _ in 0..<2 {
      texts = texts.reduce(into: []) { decoded, text in
        Array(text.utf8).withUnsafeBufferPointer { source in
          for dialect in Dialect.all(for: source) {
            guard let layer = DecodedText(source, dialect, { (Int32($0), Int32($1)) }) else { continue }
            if let text = String(validating: layer.bytes, as: UTF8.self) { decoded.insert(text) }
          }
        }
      }
      found.formUnion(texts)
    }
    return Array(found)
  }

  /// Decodes a run (an unbroken sequence) of base64 letters.
  ///
  /// - Parameter offset: the index of the first letter to decode, from 0 to 3. The first letters of the run may belong to other text, so
  ///   the caller tries each of these indexes.
  init(_ run: Base64Run, from offset: Int, _ place: Place) {
    run.decode(from: offset, into: &bytes)
    starts.reserveCapacity(bytes.count)
    ends.reserveCapacity(bytes.count)
    for index in bytes.indices {
      let (start, end) = run.place(ofByte: index, from: offset)
      let (first, last) = place(start, end)
      starts.append(first)
      ends.append(last)
    }
    guard run.isCut, let last = ends.last else { return }
    for byte in PatternIndex.ellipsis { append(byte, last, last) }
  }

  /// Decodes a run of hexadecimal digits. `offset` is the index of the first digit to decode: 1 if the first digit of the run does not
  /// belong to the encoded text, otherwise 0.
  init(_ run: HexRun, from offset: Int, of source: UnsafeBufferPointer<UInt8>, _ place: Place) {
    run.decode(from: offset, of: source, into: &bytes)
    starts.reserveCapacity(bytes.count)
    ends.reserveCapacity(bytes.count)
    for index in bytes.indices {
      let start = run.range.lowerBound + offset + index * 2
      let (first, last) = place(start, start + 2)
      starts.append(first)
      ends.append(last)
    }
    guard run.isCut, let last = ends.last else { return }
    for byte in PatternIndex.ellipsis { append(byte, last, last) }
  }

  /// Whether a text contains an escape. Most texts contain none; after this check, they need no further work.
  static func hasEscape(_ source: UnsafeBufferPointer<UInt8>, _ dialect: Dialect) -> Bool {
    var at = 0
    while at < source.count {
      if dialect.reads(source[at]), Escape.read(source, at) != nil || Escape.cut(source, at) != nil { return true }
      at += 1
    }
    return false
  }

  private mutating func reserve(_ count: Int) {
    bytes.reserveCapacity(count)
    starts.reserveCapacity(count)
    ends.reserveCapacity(count)
  }

  private mutating func append(_ byte: UInt8, _ start: Int32, _ end: Int32) {
    bytes.append(byte)
    starts.append(start)
    ends.append(end)
  }

  /// Returns the bytes of a decoded value: the UTF-8 bytes of a character, or a single byte if the value has the flag ``Escape/byteFlag``.
  /// A no-break space becomes a space, since HTML uses it for several spaces in a row.
  private static func utf8(_ scalar: UInt32) -> [UInt8] {
    if scalar >= Escape.byteFlag { return [UInt8(truncatingIfNeeded: scalar)] }
    if scalar == 0xA0 { return [UInt8(ascii: " ")] }
    return Unicode.Scalar(scalar).map { Array(String(Character($0)).utf8) } ?? []
  }
}

/// Reads one escape, such as `%41` or `\n`, and returns the character that it represents.
private enum Escape {
  /// The flag in a result of ``read(_:_:)`` which shows that the result is a byte of a UTF-8 sequence, and not a character.
  static let byteFlag: UInt32 = 1 << 24
  /// A limit for escapes at the end of a truncated text, where `…` cuts off the rest of the escape. The part before the `…` must have fewer
  /// bytes than this limit. A longer part, for example of `&DiacriticalAcute;` in HTML, is not recognised as an escape.
  private static let longest = 16

  /// Reads the escape at a position. Returns its character and its length in bytes; nil if there is no escape. Before the call, the caller
  /// must check with ``Dialect/reads(_:)`` that the byte at the position may begin an escape.
  static func read(_ source: UnsafeBufferPointer<UInt8>, _ at: Int) -> (UInt32, Int)? {
    switch source[at] {
    case UInt8(ascii: "%"): return byte(source, at, sign: 1)
    case UInt8(ascii: "+"): return (0x20, 1)
    case UInt8(ascii: "\\"): return backslash(source, at)
    case UInt8(ascii: "&"): return reference(source, at)
    case UInt8(ascii: "'"):
      for quoted in ["'\\''", "'\"'\"'", "''"] where starts(source, at, quoted) { return (0x27, quoted.utf8.count) }
      return nil
    default: return nil
    }
  }

  /// Returns the position of the `…` that truncates the escape beginning at `at`; nil if the escape is not
  /// truncated.
  static func cut(_ source: UnsafeBufferPointer<UInt8>, _ at: Int) -> Int? {
    var end = at + 1
    while end < source.count, end - at < longest {
      let byte = source[end]
      if byte == PatternIndex.ellipsis[0] { return PatternIndex.isEllipsis(source, end) ? end : nil }
      guard byte.isLetterOrDigit || byte == UInt8(ascii: "#") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "%") else {
        return nil
      }
      end += 1
    }
    return nil
  }

  /// Returns the character that escaped bytes such as `%C3%B6` or `\xC3\xB6` represent, and the length of the escapes. Returns nil if there
  /// is no escape at this position, or if the text is truncated within the escapes, as a `…` shows.
  ///
  /// An escaped byte that is not part of valid UTF-8 represents the character whose number is the value of the byte, as in ISO 8859-1 and
  /// in Python's `ascii()`: `%F6` and `\xF6` are `ö`.
  ///
  /// - Parameter sign: The length of the sign before the hexadecimal digits: 1 for `%`, 2 for `\x`.
  private static func byte(_ source: UnsafeBufferPointer<UInt8>, _ at: Int, sign: Int) -> (UInt32, Int)? {
    guard let first = hex(source, at + sign, 2) else { return nil }
    let single = (first, sign + 2)
    let count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard first >= 0xC2 else { return single }
    var scalar = first & (0xFF >> UInt32(count + 1))
    var end = at + sign + 2
    for _ in 1..<count {
      guard (0..<sign).allSatisfy({ end + $0 < source.count && source[end + $0] == source[at + $0] }),
        let next = hex(source, end + sign, 2), next & 0xC0 == 0x80
      else { return isCut(source, end, UnsafeBufferPointer(rebasing: source[at..<at + sign])) ? nil : single }
      scalar = scalar << 6 | next & 0x3F
      end += sign + 2
    }
    guard let character = Unicode.Scalar(scalar), character.utf8.count == count else { return single }
    return (scalar, end - at)
  }

  /// Whether a text is cut off by `…` within a character whose bytes are escaped one by one, such as `%E2%8…` for `€`.
  ///
  /// - Parameters:
  ///   - at: The index after the last complete escape: 3 in the example, since `%E2` is complete. A part of the next escape, such as `%8`,
  ///     may precede the `…`.
  ///   - sign: The bytes with which each escape begins, such as `%`.
  private static func isCut(_ source: UnsafeBufferPointer<UInt8>, _ at: Int, _ sign: UnsafeBufferPointer<UInt8>) -> Bool {
    var place = at
    for byte in sign {
      guard place < source.count, source[place] == byte else { break }
      place += 1
    }
    if place == at + sign.count, place < source.count, let digit = Hex.value(source[place]), (8..<12).contains(digit) { place += 1 }
    return PatternIndex.isEllipsis(source, place)
  }

  /// Returns the character of an escape such as `\u{1F600}`, and the length of the escape in bytes. Returns nil if the escape is invalid.
  private static func braced(_ source: UnsafeBufferPointer<UInt8>, _ at: Int) -> (UInt32, Int)? {
    var scalar: UInt32 = 0
    var place = at + 3
    while place < source.count, place - at < 9, let digit = Hex.value(source[place]) {
      scalar = scalar << 4 | UInt32(digit)
      place += 1
    }
    guard place > at + 3, place < source.count, source[place] == UInt8(ascii: "}"), scalar < 0x11_0000 else { return nil }
    return (scalar, place + 1 - at)
  }

  private static func backslash(_ source: UnsafeBufferPointer<UInt8>, _ at: Int) -> (UInt32, Int)? {
    guard at + 1 < source.count else { return nil }
    switch source[at + 1] {
    case UInt8(ascii: "n"): return (0x0A, 2)
    case UInt8(ascii: "r"): return (0x0D, 2)
    case UInt8(ascii: "t"): return (0x09, 2)
    case UInt8(ascii: "b"): return (0x08, 2)
    case UInt8(ascii: "f"): return (0x0C, 2)
    case UInt8(ascii: "x"): return byte(source, at, sign: 2)
    case UInt8(ascii: "U"): return hex(source, at + 2, 8).flatMap { $0 < 0x11_0000 ? ($0, 10) : nil }
    case UInt8(ascii: "u") where starts(source, at, "\\u{"): return braced(source, at)
    case UInt8(ascii: "u"):
      guard let unit = hex(source, at + 2, 4) else { return nil }
      guard (0xD800..<0xDC00).contains(unit) else { return (unit, 6) }
      guard starts(source, at + 6, "\\u"), let low = hex(source, at + 8, 4), (0xDC00..<0xE000).contains(low) else { return nil }
      return (0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00), 12)
    // The other bytes of a multibyte character are ordinary bytes, which follow unchanged.
    case let byte where !byte.isLetterOrDigit: return (byte < 0x80 ? UInt32(byte) : byteFlag | UInt32(byte), 2)
    default: return nil
    }
  }

  private static func reference(_ source: UnsafeBufferPointer<UInt8>, _ at: Int) -> (UInt32, Int)? {
    guard at + 1 < source.count else { return nil }
    if source[at + 1].isLetterOrDigit {
      guard let end = source[(at + 1)...].prefix(CharacterNames.longest + 1).firstIndex(where: { !$0.isLetterOrDigit }),
        source[end] == UInt8(ascii: ";")
      else { return nil }
      return CharacterNames.scalar(named: source[at + 1..<end]).map { ($0, end + 1 - at) }
    }
    guard starts(source, at, "&#") else { return nil }
    var place = at + 2
    let isHex = place < source.count && source[place] | 0x20 == UInt8(ascii: "x")
    if isHex { place += 1 }
    let first = place
    var scalar: UInt32 = 0
    while place < source.count, place - first < 8, let digit = Hex.value(source[place]), isHex || digit < 10 {
      scalar = min(scalar * (isHex ? 16 : 10) + UInt32(digit), 0x11_0000)
      place += 1
    }
    guard place > first, place < source.count, source[place] == UInt8(ascii: ";"), scalar < 0x11_0000 else { return nil }
    return (scalar, place + 1 - at)
  }

  private static func starts(_ source: UnsafeBufferPointer<UInt8>, _ at: Int, _ text: String) -> Bool {
    guard at + text.utf8.count <= source.count else { return false }
    return zip(source[at...], text.utf8).allSatisfy { $0 == $1 }
  }

  private static func hex(_ source: UnsafeBufferPointer<UInt8>, _ at: Int, _ count: Int) -> UInt32? {
    guard at + count <= source.count else { return nil }
    var result: UInt32 = 0
    for byte in source[at..<at + count] {
      guard let digit = Hex.value(byte) else { return nil }
      result = result << 4 | UInt32(digit)
    }
    return result
  }
}
