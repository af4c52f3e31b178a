/// Reads the parts of a line: scalars and flow collections. A flow collection may continue on further lines.
extension DirectReader {
  // MARK: Scalars

  /// Reads the key at the offset `at`, and moves `at` to the colon after the key. Returns the key's node number; nil if this reader does
  /// not support the syntax.
  mutating func key(inFlow: Bool) -> Int32? {
    let start = at
    let first = byte(at)
    if first == UInt8(ascii: "'") || first == UInt8(ascii: "\"") {
      guard let node = quoted(first), byte(at) == UInt8(ascii: ":"), isBlank(at + 1), at - start <= Self.longestKey else { return nil }
      signatures.push(signature(start + 1..<at - 1))
      return node
    }
    guard canBegin(at), first != UInt8(ascii: "-") || column > 0 else { return nil }
    var offset = start
    while true {
      offset = ordinaryEnd(offset)
      let byte = byte(offset)
      switch byte {
      case UInt8(ascii: ":"):
        if isBlank(offset + 1) {
          // `key :`, long keys and `<<` are left to libyaml.
          guard self.byte(offset - 1) != Self.space, offset - start <= Self.longestKey,
            !(offset - start == 2 && first == UInt8(ascii: "<") && self.byte(start + 1) == first)
          else { return nil }
          at = offset
          signatures.push(signature(start..<offset))
          return tree.addVerbatim(start..<offset, kind(start..<offset), .plain)
        }
        if inFlow, Self.isFlowIndicator(self.byte(offset + 1)) || self.byte(offset + 1) == UInt8(ascii: "?") { return nil }
      case Self.space: if self.byte(offset + 1) == UInt8(ascii: "#") { return nil }
      case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","):
        // If the colon of a key may cut an expression in two, the composer must report it.
        if inFlow || byte == UInt8(ascii: "{") { return nil }
      default: if isOdd(byte, at: offset) { return nil }
      }
      offset += 1
    }
  }

  /// Reads the value at the offset `at`, after a key or `-`, and moves `at` to the end of the value. Returns the value's node number; nil
  /// if this reader does not support the syntax.
  mutating func inlineValue() -> Int32? {
    let first = byte(at)
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return flow()
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return quoted(first)
    default: return plain(inFlow: false)
    }
  }

  /// Returns the offset of the first byte, from `start` on, that may end a plain scalar or have another special meaning in it.
  private func ordinaryEnd(_ start: Int) -> Int {
    var offset = start
    while offset < bytes.count, Self.isOrdinary(bytes[offset]) { offset += 1 }
    return offset
  }

  /// Whether a byte is visible ASCII other than `#`, `,`, `:`, brackets and braces. The check is fast: it reads one bit of a table, which
  /// has a bit for each ASCII byte and is stored as two 64-bit numbers.
  private static func isOrdinary(_ byte: UInt8) -> Bool {
    guard byte < 0x80 else { return false }
    let bits: UInt64 = byte < 64 ? 0xFBFF_EFF6_0000_0000 : 0x57FF_FFFF_D7FF_FFFF
    return bits &>> UInt64(byte & 63) & 1 != 0
  }

  /// Returns a hash of the text of a key. Equal keys have equal hashes, but different keys may have equal hashes, too.
  private func signature(_ place: Range<Int>) -> UInt64 {
    let known = min(place.count, 7)
    var signature: UInt64 = 0
    if place.lowerBound + 8 <= bytes.count {
      let start = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: place.lowerBound, as: UInt64.self)
      signature = UInt64(littleEndian: start) & ((1 << UInt64(known * 8)) - 1)
    } else {
      for index in 0..<known { signature |= UInt64(bytes[place.lowerBound + index]) << UInt64(index * 8) }
    }
    return signature | UInt64(truncatingIfNeeded: place.count) << 56
  }

  /// Reads a plain scalar. The scalar ends at the end of its line; inside braces or brackets, it also ends at the next `,`, brace or
  /// bracket. Returns the node number of the scalar; nil if this reader does not support the syntax.
  private mutating func plain(inFlow: Bool) -> Int32? {
    let start = at
    guard canBegin(start) else { return nil }
    var offset = start
    scan: while true {
      offset = ordinaryEnd(offset)
      let byte = byte(offset)
      switch byte {
      case Self.newline: break scan
      case UInt8(ascii: ":"):
        if isBlank(offset + 1) { return nil }
        if inFlow, Self.isFlowIndicator(self.byte(offset + 1)) || self.byte(offset + 1) == UInt8(ascii: "?") { return nil }
      case UInt8(ascii: "#"):
        if self.byte(offset - 1) == Self.space {
          // If a comment may cut an expression in two, the composer must report it.
          guard !inFlow, self.byte(offset + 1) != UInt8(ascii: "$"), !SourceScan.hasOpenExpression(bytes[start..<offset]) else {
            return nil
          }
          break scan
        }
      case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"): if inFlow { break scan }
      case UInt8(ascii: "{"), UInt8(ascii: "["): if inFlow { return nil }
      default: if isOdd(byte, at: offset) { return nil }
      }
      offset += 1
    }
    while byte(offset - 1) == Self.space { offset -= 1 }
    at = offset
    return tree.addVerbatim(start..<offset, kind(start..<offset), .plain)
  }

  /// Reads a quoted scalar, and returns its node number. Returns nil if the scalar's text is not exactly the source between the quotes, for
  /// example because of an escape.
  private mutating func quoted(_ quote: UInt8) -> Int32? {
    let start = at
    var offset = start + 1
    while true {
      let byte = byte(offset)
      if byte == quote { break }
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") { return nil }
      if isOdd(byte, at: offset) { return nil }
      offset += 1
    }
    // `''` means one quote.
    guard byte(offset + 1) != quote else { return nil }
    at = offset + 1
    return tree.addVerbatim(start..<at, .string, quote == UInt8(ascii: "'") ? .singleQuoted : .doubleQuoted)
  }

  private func kind(_ range: Range<Int>) -> YAMLScalar.Kind {
    switch bytes[range.lowerBound] {
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): if range.count > 5 { return .string }
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): break
    default: return .string
    }
    return ScalarTyping.kind(ofPlain: UnsafeBufferPointer(rebasing: bytes[range]))
  }

  /// Whether a plain scalar can begin at an offset.
  private func canBegin(_ offset: Int) -> Bool {
    let byte = byte(offset)
    return switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "/"), UInt8(ascii: "<"), UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "("),
      UInt8(ascii: "~"):
      true
    case UInt8(ascii: "-"): !isBlank(offset + 1)
    default: byte >= 0xC2 && !isOdd(byte, at: offset)
    }
  }

  private static func isFlowIndicator(_ byte: UInt8) -> Bool { SourceScan.isFlowIndicator(byte) }

  // MARK: Flow collections

  /// Skips spaces and line breaks. Returns false at a comment, at the end of the text, or at a line that may begin with a document mark
  /// (`---` or `...`).
  private mutating func skipFlowSpace() -> Bool {
    while isBlank(at) {
      guard at < bytes.count else { return false }
      at += 1
      if byte(at - 1) == Self.newline, byte(at) == UInt8(ascii: "-") || byte(at) == UInt8(ascii: ".") { return false }
    }
    return byte(at) != UInt8(ascii: "#")
  }

  /// Reads the flow collection at the offset `at`, and moves `at` to the end of the collection. Returns the collection's node number; nil
  /// if this reader does not support the collection's syntax.
  private mutating func flow() -> Int32? {
    guard level < depth else { return nil }
    level += 1
    defer { level -= 1 }
    let base = nodes.count
    let start = at
    let isMapping = byte(at) == UInt8(ascii: "{")
    let close = isMapping ? UInt8(ascii: "}") : UInt8(ascii: "]")
    at += 1
    guard skipFlowSpace() else { return nil }
    while byte(at) != close {
      if isMapping {
        guard let key = key(inFlow: true) else { return nil }
        nodes.push(key)
        at += 1
        guard skipFlowSpace() else { return nil }
      }
      guard let value = flowValue() else { return nil }
      nodes.push(value)
      guard skipFlowSpace() else { return nil }
      if byte(at) == UInt8(ascii: ",") {
        at += 1
        guard skipFlowSpace(), byte(at) != close else { return nil }
      } else if byte(at) != close {
        return nil
      }
    }
    at += 1
    return finish(isMapping: isMapping, base, start..<at)
  }

  private mutating func flowValue() -> Int32? {
    let first = byte(at)
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return flow()
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      // A quoted scalar before a colon is the key of a mapping, which only libyaml reads.
      guard let node = quoted(first), byte(at) != UInt8(ascii: ":") else { return nil }
      return node
    default: return plain(inFlow: true)
    }
  }
}
