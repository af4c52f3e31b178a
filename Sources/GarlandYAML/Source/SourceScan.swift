import GarlandText

/// Finds positions in the source text that libyaml's events do not contain. Each search covers only a short part of the text.
enum SourceScan {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  static func isBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
  static func isFlowIndicator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"): true
    default: false
    }
  }

  /// Returns the offset, not before `start`, of the first byte that does not belong to white space or a comment. If there is no such byte,
  /// returns `end`.
  static func skipBlanks(in bytes: Bytes, from start: Int, to end: Int) -> Int {
    var offset = start
    while offset < end {
      if bytes[offset].isWhiteSpace {
        offset += 1
      } else if bytes[offset] == UInt8(ascii: "#"), offset == 0 || bytes[offset - 1].isWhiteSpace {
        while offset < end, !isBreak(bytes[offset]) { offset += 1 }
      } else {
        break
      }
    }
    return offset
  }

  private static func propertyEnd(in bytes: Bytes, from start: Int, to end: Int) -> Int {
    var offset = start + 1
    if bytes[start] == UInt8(ascii: "!"), offset < end, bytes[offset] == UInt8(ascii: "<") {
      while offset < end, bytes[offset] != UInt8(ascii: ">"), !bytes[offset].isWhiteSpace { offset += 1 }
      return min(offset + 1, end)
    }
    while offset < end, !bytes[offset].isWhiteSpace, !isFlowIndicator(bytes[offset]) { offset += 1 }
    return offset
  }

  /// Skips the `count` properties (tag and anchor) before a value, and returns the start of the value. If there is no value, returns the
  /// end of the last property.
  static func skipProperties(in bytes: Bytes, _ range: Range<Int>, count: Int) -> Int {
    var offset = range.lowerBound
    for _ in 0..<count {
      offset = skipBlanks(in: bytes, from: offset, to: range.upperBound)
      guard offset < range.upperBound, bytes[offset] == UInt8(ascii: "!") || bytes[offset] == UInt8(ascii: "&") else { break }
      offset = propertyEnd(in: bytes, from: offset, to: range.upperBound)
    }
    let value = skipBlanks(in: bytes, from: offset, to: range.upperBound)
    return value < range.upperBound ? value : offset
  }

  /// Returns the range of a node's tag or anchor at the start of `range`. If `indicator` is `!`, the function searches for a tag; if
  /// `indicator` is `&`, for an anchor. If there is none, returns the range of the first byte in `range`.
  static func property(_ indicator: UInt8, in bytes: Bytes, _ range: Range<Int>) -> Range<Int> {
    var offset = range.lowerBound
    for _ in 0..<2 {
      offset = skipBlanks(in: bytes, from: offset, to: range.upperBound)
      guard offset < range.upperBound, bytes[offset] == UInt8(ascii: "!") || bytes[offset] == UInt8(ascii: "&") else { break }
      let end = propertyEnd(in: bytes, from: offset, to: range.upperBound)
      if bytes[offset] == indicator { return offset..<end }
      offset = end
    }
    return range.lowerBound..<min(range.lowerBound + 1, range.upperBound)
  }

  /// Returns the offset at which a missing value would be: after the last indicator (`:`, `-`, `,`, `?`, `[`, `{`) that follows the
  /// previous node.
  static func emptyPlace(in bytes: Bytes, from start: Int, to mark: Int) -> Int {
    var place = min(start, mark)
    var offset = place
    while true {
      offset = skipBlanks(in: bytes, from: offset, to: mark)
      guard offset < mark else { return place }
      offset += 1
      place = offset
    }
  }

  /// Returns the offset after the last character of a block scalar that is not a blank. For an empty block scalar, returns the end of its
  /// header, such as `|`.
  static func blockEnd(in bytes: Bytes, _ range: Range<Int>) -> Int {
    var header = range.lowerBound + 1
    while header < range.upperBound, !bytes[header].isWhiteSpace { header += 1 }
    var headerLine = header
    while headerLine < range.upperBound, !isBreak(bytes[headerLine]) { headerLine += 1 }
    var end = range.upperBound
    while end > headerLine, bytes[end - 1].isWhiteSpace { end -= 1 }
    return end <= headerLine ? min(header, range.upperBound) : end
  }

  /// Returns the bounds of the line around an offset, without its line break.
  static func line(in bytes: Bytes, around offset: Int) -> Range<Int> {
    var start = min(offset, bytes.count)
    while start > 0, !isBreak(bytes[start - 1]) { start -= 1 }
    var end = min(offset, bytes.count)
    while end < bytes.count, !isBreak(bytes[end]) { end += 1 }
    return start..<end
  }

  /// Returns the range that the author most likely meant as one unquoted value. The range ends at a comment or at the end of the line. In a
  /// flow collection, it also ends at a `,` or a closing bracket outside of the value's own brackets. Trailing space is excluded.
  static func lineValue(in bytes: Bytes, from start: Int, inFlow: Bool, keepComment: Bool = false) -> Range<Int> {
    var end = start
    var depth = 0
    var braces = 0
    while end < bytes.count, !isBreak(bytes[end]) {
      let byte = bytes[end]
      if !keepComment, byte == UInt8(ascii: "#"), end > start, bytes[end - 1].isBlank, braces == 0 { break }
      if inFlow {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("):
          depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          if depth == 0 { return trimmed(bytes, start..<end) }
          depth -= 1
        case UInt8(ascii: ")"):
          depth = max(0, depth - 1)
        case UInt8(ascii: ","):
          if depth == 0 { return trimmed(bytes, start..<end) }
        default: break
        }
      }
      if byte == UInt8(ascii: "{"), end > start, bytes[end - 1] == UInt8(ascii: "$") { braces += 1 }
      if byte == UInt8(ascii: "}"), braces > 0 { braces -= 1 }
      end += 1
    }
    return trimmed(bytes, start..<end)
  }

  static func trimmed(_ bytes: Bytes, _ range: Range<Int>) -> Range<Int> {
    var end = range.upperBound
    while end > range.lowerBound, bytes[end - 1].isWhiteSpace { end -= 1 }
    return range.lowerBound..<end
  }

  static func text(_ bytes: Bytes, _ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Returns the text of a range in single quotes, in which only quotes need escapes.
  static func quoted(_ bytes: Bytes, _ range: Range<Int>) -> String {
    var result: [UInt8] = [UInt8(ascii: "'")]
    for byte in bytes[range] {
      result.append(byte)
      if byte == UInt8(ascii: "'") { result.append(byte) }
    }
    result.append(UInt8(ascii: "'"))
    return String(decoding: result, as: UTF8.self)
  }

  /// Whether the last `${` of a text is not closed by a `}`. `$${` does not begin an expression.
  static func hasOpenExpression(_ text: some RandomAccessCollection<UInt8>) -> Bool {
    var isOpen = false
    var dollars = 0
    var wasDollar = false
    for byte in text {
      switch byte {
      case UInt8(ascii: "$"):
        dollars = wasDollar ? dollars + 1 : 1
        wasDollar = true
        continue
      case UInt8(ascii: "{"):
        if wasDollar, dollars % 2 == 1 { isOpen = true }
      case UInt8(ascii: "}"):
        isOpen = false
      default: break
      }
      wasDollar = false
    }
    return isOpen
  }
}
