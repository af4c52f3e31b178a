extension JSONScanner {
  /// Skips a value: moves `position` from the first byte of the value to the byte after the value. Checks the syntax of the value but
  /// builds nothing.
  func skipValue(_ position: inout Int, depth: Int, limit: Int) throws(JSONParsingError) {
    guard position < end else { throw unexpectedValue(at: position) }
    switch base[position] {
    case UInt8(ascii: "{"), UInt8(ascii: "["): try skipContainer(&position, depth: depth, limit: limit)
    default: try skipScalar(&position)
    }
  }

  @inline(__always)
  private func skipScalar(_ position: inout Int) throws(JSONParsingError) {
    guard position < end else { throw unexpectedValue(at: position) }
    switch base[position] {
    case UInt8(ascii: "\""):
      position += 1
      _ = try scanString(&position)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try scanNumber(&position)
    case UInt8(ascii: "t"): try scanLiteral("true", &position)
    case UInt8(ascii: "f"): try scanLiteral("false", &position)
    case UInt8(ascii: "n"): try scanLiteral("null", &position)
    default: throw unexpectedValue(at: position)
    }
  }

  private func skipContainer(_ position: inout Int, depth: Int, limit: Int) throws(JSONParsingError) {
    // The open containers: a bit for each level, set for an object.
    var open = OpenContainers()
    let outermost = depth
    var depth = depth
    while true {
      // A value begins here.
      guard position < end else { throw unexpectedValue(at: position) }
      let byte = base[position]
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        depth += 1
        guard depth <= limit else { throw tooDeep(at: position, limit: limit) }
        let isObject = byte == UInt8(ascii: "{")
        open.push(isObject)
        position += 1
        skipWhitespace(&position)
        if position < end, base[position] == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          position += 1
          open.pop()
          depth -= 1
        } else {
          if isObject { try skipName(&position, afterComma: false) }
          continue
        }
      } else {
        try skipScalar(&position)
      }
      try checkTime(4, at: position)
      // A value has ended here.
      while true {
        if depth == outermost { return }
        skipWhitespace(&position)
        if open.isObject {
          guard position < end else { throw unexpected(at: position, expected: "',' or '}'") }
          if base[position] == UInt8(ascii: ",") {
            position += 1
            skipWhitespace(&position)
            try skipName(&position, afterComma: true)
            break
          }
          guard base[position] == UInt8(ascii: "}") else { throw unexpected(at: position, expected: "',' or '}'") }
        } else {
          guard position < end else { throw unexpected(at: position, expected: "',' or ']'") }
          if base[position] == UInt8(ascii: ",") {
            position += 1
            skipWhitespace(&position)
            if position < end, base[position] == UInt8(ascii: "]") { throw trailingComma(before: position) }
            break
          }
          guard base[position] == UInt8(ascii: "]") else { throw unexpected(at: position, expected: "',' or ']'") }
        }
        position += 1
        open.pop()
        depth -= 1
      }
    }
  }

  /// Skips a name and its colon, up to the start of the member's value.
  @inline(__always)
  private func skipName(_ position: inout Int, afterComma: Bool) throws(JSONParsingError) {
    _ = try scanName(&position, afterComma: afterComma)
  }

  /// Reads a name and its colon, up to the start of the member's value.
  @inline(__always)
  func scanName(_ position: inout Int, afterComma: Bool) throws(JSONParsingError) -> ScannedString {
    guard position < end, base[position] == UInt8(ascii: "\"") else { throw unexpectedName(at: position, afterComma: afterComma) }
    position += 1
    let name = try scanString(&position)
    skipWhitespace(&position)
    guard position < end, base[position] == UInt8(ascii: ":") else { throw unexpected(at: position, expected: "':'") }
    position += 1
    skipWhitespace(&position)
    return name
  }

  /// Throws an error if anything except white space follows, since the document must end here.
  func requireEnd(_ position: inout Int) throws(JSONParsingError) {
    skipWhitespace(&position)
    guard position == end else { throw trailingContent(at: position) }
  }

  /// Returns the position of the first byte of the document's value.
  func startOfValue() throws(JSONParsingError) -> Int {
    var position = start
    skipWhitespace(&position)
    guard position < end else { throw failure(.empty, at: position, "the text is empty", expected: "a value") }
    return position
  }
}

/// A stack with the kinds of the open containers: one bit per level, set for an object. Each 64-bit integer contains 64 levels.
private struct OpenContainers {
  private var current: UInt64 = 0
  private var count = 0
  private var outer: [UInt64] = []

  @inline(__always)
  var isObject: Bool { current & 1 == 1 }

  @inline(__always)
  mutating func push(_ isObject: Bool) {
    if count > 0, count & 63 == 0 { outer.append(current) }
    current = current << 1 | (isObject ? 1 : 0)
    count += 1
  }

  @inline(__always)
  mutating func pop() {
    count -= 1
    current >>= 1
    if count > 0, count & 63 == 0, let word = outer.popLast() { current = word }
  }
}
