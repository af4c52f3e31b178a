import GarlandText

/// Reads the tokens of JSON from bytes that the caller keeps alive. The scanner stores only where these bytes begin and end. Each method
/// gets its position in the bytes from the caller.
struct JSONScanner {
  let base: UnsafePointer<UInt8>
  let end: Int
  /// The computation in which this scan runs, and whose time limit ends the scan. Nil outside of a computation, and for a text of at most 1
  /// MiB, whose scan takes at most a few milliseconds.
  let computation: Unmanaged<Computation>?

  init(base: UnsafePointer<UInt8>, end: Int) {
    self.base = base
    self.end = end
    computation = end > 1 << 20 ? Computation.current.map(Unmanaged.passUnretained) : nil
  }

  /// Throws an error if the computation has reached its time limit.
  @inline(__always)
  func checkTime(_ work: Int, at position: Int) throws(JSONParsingError) {
    guard let computation else { return }
    if computation._withUnsafeGuaranteedRef({ $0.isOver(after: work) }) { throw outOfTime(at: position) }
  }

  /// Calls a closure with a scanner, which is valid only during the call. If `bytes` is empty and has no address, the scanner gets the
  /// address of a byte that it never reads.
  static func withScanner<Value>(
    over bytes: UnsafeRawBufferPointer, _ body: (JSONScanner) -> Result<Value, JSONParsingError>
  ) throws(JSONParsingError) -> Value {
    guard let address = bytes.baseAddress else {
      var nothing: UInt8 = 0
      return try withUnsafePointer(to: &nothing) { body(JSONScanner(base: $0, end: 0)) }.get()
    }
    return try body(JSONScanner(base: address.assumingMemoryBound(to: UInt8.self), end: bytes.count)).get()
  }

  /// The position at which the JSON text begins: after the byte order mark if there is one, otherwise 0. [RFC 8259
  /// §8.1](https://www.rfc-editor.org/rfc/rfc8259#section-8.1) allows a parser to ignore the mark.
  var start: Int {
    end >= 3 && base[0] == 0xEF && base[1] == 0xBB && base[2] == 0xBF ? 3 : 0
  }

  @inline(__always)
  func byte(at position: Int) -> UInt8? {
    position < end ? base[position] : nil
  }

  @inline(__always)
  func skipWhitespace(_ position: inout Int) {
    // Mostly there is no white space at all.
    guard position < end, base[position] <= 0x20 else { return }
    skipMoreWhitespace(&position)
  }

  private func skipMoreWhitespace(_ position: inout Int) {
    while position < end {
      switch base[position] {
      case 0x20, 0x0A, 0x0D, 0x09:
        position += 1
        // Indentation: eight spaces at a time.
        while position + 8 <= end, word(at: position) == 0x2020_2020_2020_2020 { position += 8 }
      default: return
      }
    }
  }

  @inline(__always)
  private func word(at position: Int) -> UInt64 {
    UnsafeRawPointer(base).loadUnaligned(fromByteOffset: position, as: UInt64.self)
  }

  // MARK: Strings

  /// Reads a string, from the byte after its opening quote to its closing quote. Checks all bytes between them.
  @inline(__always)
  func scanString(_ position: inout Int) throws(JSONParsingError) -> ScannedString {
    let start = position
    // First try a short string of plain characters, which needs none of the later checks.
    scanPlain(&position)
    if position < end, base[position] == UInt8(ascii: "\"") {
      position += 1
      return ScannedString(start: start, end: position - 1, hasEscapes: false)
    }
    return try scanRestOfString(&position, from: start)
  }

  /// Advances to the next byte that is a quote, a backslash, a control character or not ASCII.
  @inline(__always)
  private func scanPlain(_ position: inout Int) {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let high: UInt64 = 0x8080_8080_8080_8080
    while position + 8 <= end {
      let bytes = word(at: position)
      let quote = bytes ^ (ones &* 0x22)
      let backslash = bytes ^ (ones &* 0x5C)
      // Only the lowest flag is reliable: a borrow can set a wrong flag, but only above a byte that is flagged correctly.
      let flags = ((quote &- ones) & ~quote | (backslash &- ones) & ~backslash | (bytes &- ones &* 0x20) & ~bytes | bytes) & high
      if flags != 0 {
        position += flags.trailingZeroBitCount >> 3
        return
      }
      position += 8
    }
    while position < end, JSONScanner.isPlain(base[position]) { position += 1 }
  }

  @inline(__always)
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private func scanRestOfString(_ position: inout Int, from start: Int) throws(JSONParsingError) -> ScannedString {
    var hasEscapes = false
    while true {
      scanPlain(&position)
      try checkTime(1, at: position)
      guard position < end else { throw unterminatedString(from: start) }
      switch base[position] {
      case UInt8(ascii: "\""):
        position += 1
        return ScannedString(start: start, end: position - 1, hasEscapes: hasEscapes)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        try scanEscape(&position)
      case 0x80...:
        let length = lengthOfUTF8Sequence(at: position)
        guard length > 0 else { throw invalidUTF8(at: position) }
        position += length
      default:
        throw controlCharacter(at: position)
      }
    }
  }

  private func scanEscape(_ position: inout Int) throws(JSONParsingError) {
    guard let character = byte(at: position + 1) else { throw unexpectedEnd(in: "a string") }
    switch character {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
      UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 2
    case UInt8(ascii: "u"):
      let unit = try hexadecimalUnit(at: position)
      if unit & 0xFC00 == 0xD800 {
        guard byte(at: position + 6) == UInt8(ascii: "\\"), byte(at: position + 7) == UInt8(ascii: "u") else {
          throw loneSurrogate(at: position)
        }
        guard try hexadecimalUnit(at: position + 6) & 0xFC00 == 0xDC00 else { throw loneSurrogate(at: position) }
        position += 12
      } else if unit & 0xFC00 == 0xDC00 {
        throw loneSurrogate(at: position)
      } else {
        position += 6
      }
    default:
      throw invalidEscape(at: position)
    }
  }

  /// Parses the escape `\uXXXX` whose backslash is at `position`. Throws an error if the escape is invalid.
  private func hexadecimalUnit(at position: Int) throws(JSONParsingError) -> UInt32 {
    var unit: UInt32 = 0
    for digitPosition in position + 2..<position + 6 {
      guard let digit = byte(at: digitPosition) else { throw unexpectedEnd(in: "a string") }
      guard let value = Hex.value(digit) else { throw invalidEscape(at: position) }
      unit = unit << 4 | UInt32(value)
    }
    return unit
  }

  /// Returns the number of bytes of the well-formed UTF-8 sequence that begins at `position`, by table 3-7 of the
  /// Unicode Standard; 0 if the sequence is malformed.
  private func lengthOfUTF8Sequence(at position: Int) -> Int {
    func continues(_ offset: Int, from low: UInt8 = 0x80, to high: UInt8 = 0xBF) -> Bool {
      guard let byte = byte(at: position + offset) else { return false }
      return byte >= low && byte <= high
    }
    switch base[position] {
    case 0xC2...0xDF: return continues(1) ? 2 : 0
    case 0xE0: return continues(1, from: 0xA0) && continues(2) ? 3 : 0
    case 0xED: return continues(1, to: 0x9F) && continues(2) ? 3 : 0
    case 0xE1...0xEF: return continues(1) && continues(2) ? 3 : 0
    case 0xF0: return continues(1, from: 0x90) && continues(2) && continues(3) ? 4 : 0
    case 0xF1...0xF3: return continues(1) && continues(2) && continues(3) ? 4 : 0
    case 0xF4: return continues(1, to: 0x8F) && continues(2) && continues(3) ? 4 : 0
    default: return 0
    }
  }

  /// Returns the text of a scanned string, with its escapes decoded.
  @inline(__always)
  func text(of string: ScannedString) -> String {
    if string.hasEscapes { return unescapedText(of: string) }
    return String(decoding: UnsafeBufferPointer(start: base + string.start, count: string.end - string.start), as: UTF8.self)
  }

  private func unescapedText(of string: ScannedString) -> String {
    // The text needs no more bytes than its source, since an escape is never shorter than its character.
    String(unsafeUninitializedCapacity: string.end - string.start) { buffer in
      var written = 0
      var position = string.start
      while position < string.end {
        let byte = base[position]
        guard byte == UInt8(ascii: "\\") else {
          buffer[written] = byte
          written += 1
          position += 1
          continue
        }
        switch base[position + 1] {
        case UInt8(ascii: "u"):
          var scalar = unit(at: position)
          position += 6
          if scalar & 0xFC00 == 0xD800 {
            scalar = 0x10000 + (scalar & 0x3FF) << 10 + unit(at: position) & 0x3FF
            position += 6
          }
          written += JSONScanner.encode(scalar, into: buffer, at: written)
        case let character:
          buffer[written] = JSONScanner.character(ofEscape: character)
          written += 1
          position += 2
        }
      }
      return written
    }
  }

  /// Returns the value of a `\uXXXX` that was already checked.
  private func unit(at position: Int) -> UInt32 {
    var unit: UInt32 = 0
    for digit in position + 2..<position + 6 {
      unit = unit << 4 | UInt32(Hex.value(base[digit]) ?? 0)
    }
    return unit
  }

  private static func character(ofEscape letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: letter
    }
  }

  private static func encode(_ scalar: UInt32, into buffer: UnsafeMutableBufferPointer<UInt8>, at position: Int) -> Int {
    guard let scalar = Unicode.Scalar(scalar) else { return 0 }
    var length = 0
    for byte in UTF8.encode(scalar).map(Array.init) ?? [] {
      buffer[position + length] = byte
      length += 1
    }
    return length
  }

  // MARK: Literals

  /// Reads `literal`: `true`, `false` or `null`.
  func scanLiteral(_ literal: StaticString, _ position: inout Int) throws(JSONParsingError) {
    let length = literal.utf8CodeUnitCount
    for offset in 0..<length {
      guard position + offset < end, base[position + offset] == literal.utf8Start[offset] else { throw unexpectedWord(at: position) }
    }
    if let next = byte(at: position + length), JSONScanner.continuesWord(next) { throw unexpectedWord(at: position) }
    position += length
  }

  static func continuesWord(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0x80
  }

  // MARK: Numbers

  /// Reads a number, from its minus sign or first digit to its end.
  @inline(__always)
  func scanNumber(_ position: inout Int) throws(JSONParsingError) -> ScannedNumber {
    let start = position
    let isNegative = base[position] == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let firstDigit = position
    var magnitude = 0
    while position < end {
      let digit = base[position] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      // After 18 digits the sum may overflow, but it is not used then.
      magnitude = magnitude &* 10 &+ Int(digit)
      position += 1
    }
    let digitCount = position - firstDigit
    if digitCount > 18 { try checkTime(digitCount, at: position) }
    guard digitCount > 0, digitCount == 1 || base[firstDigit] != UInt8(ascii: "0") else { throw invalidNumber(from: start) }
    if position < end {
      let next = base[position]
      if next == UInt8(ascii: ".") || next | 0x20 == UInt8(ascii: "e") {
        try scanFractionAndExponent(&position, from: start)
        return .text(start: start, end: position)
      }
      if JSONScanner.continuesWord(next) { throw invalidNumber(from: start) }
    }
    if digitCount <= 18, !(isNegative && magnitude == 0) { return .integer(isNegative ? -magnitude : magnitude) }
    return .longInteger(start: start, end: position)
  }

  private func scanFractionAndExponent(_ position: inout Int, from start: Int) throws(JSONParsingError) {
    if base[position] == UInt8(ascii: ".") {
      position += 1
      guard scanDigits(&position) else { throw invalidNumber(from: start) }
    }
    if position < end, base[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if let sign = byte(at: position), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
      guard scanDigits(&position) else { throw invalidNumber(from: start) }
    }
    if let next = byte(at: position), JSONScanner.continuesWord(next) || next == UInt8(ascii: ".") { throw invalidNumber(from: start) }
  }

  private func scanDigits(_ position: inout Int) -> Bool {
    let start = position
    while position < end, base[position].isDigit { position += 1 }
    return position > start
  }

  /// Returns the value of a scanned number.
  @inline(__always)
  func number(of scanned: ScannedNumber) -> JSONNumber {
    switch scanned {
    case .integer(let value):
      return JSONNumber(value)
    case .text(let start, let end):
      return JSONNumber(storage: .text(String(decoding: UnsafeBufferPointer(start: base + start, count: end - start), as: UTF8.self)))
    case .longInteger(let start, let end):
      let text = String(decoding: UnsafeBufferPointer(start: base + start, count: end - start), as: UTF8.self)
      return JSONNumber(text: text, syntax: .integer)
    }
  }
}

/// A scanned string: the range of its text without the quotes.
struct ScannedString {
  let start: Int
  let end: Int
  let hasEscapes: Bool
}

/// A scanned number: its value or, if that is not computed yet, the range of its text.
enum ScannedNumber {
  case integer(Int)
  case text(start: Int, end: Int)
  /// Minus zero, or an integer of more than 18 digits, which may still fit into an `Int`.
  case longInteger(start: Int, end: Int)
}
