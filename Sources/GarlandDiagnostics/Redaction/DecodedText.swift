/// A text with what is escaped in it decoded, and where each byte of it comes from: so that a secret is found in whatever mix of escapes, also of
/// several layers, without a pattern for each.
///
/// Known are percent-encoding, the backslashes of JSON and its relatives, the references of XML and HTML, and the shell's and YAML's quotes within
/// quotes. Where a text was meant otherwise nothing is lost: it is only searched.
struct DecodedText {
  private(set) var bytes: [UInt8]
  /// For each byte where its source begins and ends.
  private(set) var starts: [Int32]
  private(set) var ends: [Int32]
  private let keepsBackslashes: Bool

  /// How many layers are looked through.
  static let layers = 4

  /// One layer of a text decoded; nil when there is nothing to decode, or it is too long to be looked at.
  ///
  /// With `keepingBackslashes` a backslash is no escape, as within a shell's single quotes.
  init?(_ source: UnsafeBufferPointer<UInt8>, keepingBackslashes: Bool) {
    guard source.count < 1 << 24 else { return nil }
    self.init(source, keepingBackslashes) { (Int32($0), Int32($1)) }
  }

  /// The next layer; nil when there is none.
  var decoded: DecodedText? {
    bytes.withUnsafeBufferPointer { source in DecodedText(source, keepsBackslashes) { (starts[$0], ends[$1 - 1]) } }
  }

  private init?(_ source: UnsafeBufferPointer<UInt8>, _ keepsBackslashes: Bool, _ place: (Int, Int) -> (Int32, Int32)) {
    // Most texts have none, and cost no more than the look.
    guard source.indices.contains(where: { Self.isMark(source[$0]) && Escape.read(source, $0, keepsBackslashes) != nil }) else {
      return nil
    }
    self.keepsBackslashes = keepsBackslashes
    bytes = []
    starts = []
    ends = []
    bytes.reserveCapacity(source.count)
    starts.reserveCapacity(source.count)
    ends.reserveCapacity(source.count)
    var at = 0
    while at < source.count {
      var length = 1
      var scalar: UInt32?
      if Self.isMark(source[at]), let (found, count) = Escape.read(source, at, keepsBackslashes) {
        length = count
        scalar = found
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

  private mutating func append(_ byte: UInt8, _ start: Int32, _ end: Int32) {
    bytes.append(byte)
    starts.append(start)
    ends.append(end)
  }

  private static func isMark(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "%"), UInt8(ascii: "\\"), UInt8(ascii: "&"), UInt8(ascii: "'"): true
    default: false
    }
  }

  /// A percent-encoded byte is that byte; all else is a scalar.
  private static func utf8(_ scalar: UInt32) -> [UInt8] {
    if scalar >= Escape.byteFlag { return [UInt8(truncatingIfNeeded: scalar)] }
    return Unicode.Scalar(scalar).map { Array(String(Character($0)).utf8) } ?? []
  }
}

/// One escaped character.
private enum Escape {
  /// Marks a byte of UTF-8 that is no character by itself.
  static let byteFlag: UInt32 = 1 << 24

  /// The character that begins at a place, and how many bytes it takes there.
  static func read(_ source: UnsafeBufferPointer<UInt8>, _ at: Int, _ keepsBackslashes: Bool) -> (UInt32, Int)? {
    switch source[at] {
    case UInt8(ascii: "%"): return hex(source, at + 1, 2).map { (byteFlag | $0, 3) }
    case UInt8(ascii: "\\"): return keepsBackslashes ? nil : backslash(source, at)
    case UInt8(ascii: "&"): return reference(source, at)
    case UInt8(ascii: "'"):
      for quoted in ["'\\''", "'\"'\"'", "''"] where starts(source, at, quoted) { return (0x27, quoted.utf8.count) }
      return nil
    default: return nil
    }
  }

  private static func backslash(_ source: UnsafeBufferPointer<UInt8>, _ at: Int) -> (UInt32, Int)? {
    guard at + 1 < source.count else { return nil }
    switch source[at + 1] {
    case UInt8(ascii: "n"): return (0x0A, 2)
    case UInt8(ascii: "r"): return (0x0D, 2)
    case UInt8(ascii: "t"): return (0x09, 2)
    case UInt8(ascii: "b"): return (0x08, 2)
    case UInt8(ascii: "f"): return (0x0C, 2)
    case UInt8(ascii: "x"): return hex(source, at + 2, 2).map { (byteFlag | $0, 4) }
    case UInt8(ascii: "u"):
      guard let unit = hex(source, at + 2, 4) else { return nil }
      guard (0xD800..<0xDC00).contains(unit) else { return (unit, 6) }
      guard starts(source, at + 6, "\\u"), let low = hex(source, at + 8, 4), (0xDC00..<0xE000).contains(low) else { return nil }
      return (0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00), 12)
    case let byte where byte < 0x80 && !isLetterOrDigit(byte): return (UInt32(byte), 2)
    default: return nil
    }
  }

  private static func reference(_ source: UnsafeBufferPointer<UInt8>, _ at: Int) -> (UInt32, Int)? {
    for (name, scalar) in [("&amp;", 0x26), ("&lt;", 0x3C), ("&gt;", 0x3E), ("&quot;", 0x22), ("&apos;", 0x27)] as [(String, UInt32)]
    where starts(source, at, name) {
      return (scalar, name.utf8.count)
    }
    guard starts(source, at, "&#") else { return nil }
    var place = at + 2
    let isHex = place < source.count && source[place] | 0x20 == UInt8(ascii: "x")
    if isHex { place += 1 }
    let first = place
    var scalar: UInt32 = 0
    while place < source.count, place - first < 8, let digit = value(source[place]), isHex || digit < 10 {
      scalar = min(scalar * (isHex ? 16 : 10) + digit, 0x11_0000)
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
      guard let digit = value(byte) else { return nil }
      result = result << 4 | digit
    }
    return result
  }

  private static func value(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: false
    }
  }
}
