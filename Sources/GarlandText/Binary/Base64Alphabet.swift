/// The 64 characters of an encoding, as one table for encoding and one for decoding. ``Base64`` and ``Base64URL`` share the methods of this
/// type.
struct Base64Alphabet: Sendable {
  enum Padding { case required, optional }

  static let standard = Base64Alphabet(last: (0x2B, 0x2F))
  static let urlSafe = Base64Alphabet(last: (0x2D, 0x5F))

  private static let notInAlphabet: UInt8 = 0xFF
  private static let pad: UInt8 = 0x3D

  let characters: [UInt8]
  private let values: [UInt8]

  private init(last: (UInt8, UInt8)) {
    characters = Array(0x41...0x5A) + Array(0x61...0x7A) + Array(0x30...0x39) + [last.0, last.1]
    var values = [UInt8](repeating: Self.notInAlphabet, count: 256)
    for (value, character) in characters.enumerated() { values[Int(character)] = UInt8(value) }
    self.values = values
  }

  func encode(_ bytes: some Collection<UInt8>, padded: Bool) -> String {
    withContiguousBytes(bytes) { bytes in
      characters.withUnsafeBufferPointer { characters in
        String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { output in
          var next = 0
          func put(_ bits: UInt32) {
            output[next] = characters[Int(bits & 63)]
            next += 1
          }
          var index = 0
          while index + 3 <= bytes.count {
            let group = UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2])
            put(group >> 18)
            put(group >> 12)
            put(group >> 6)
            put(group)
            index += 3
          }
          let rest = bytes.count - index
          if rest > 0 {
            let group = UInt32(bytes[index]) << 16 | (rest == 2 ? UInt32(bytes[index + 1]) << 8 : 0)
            put(group >> 18)
            put(group >> 12)
            if rest == 2 { put(group >> 6) }
            if padded {
              for _ in rest..<3 {
                output[next] = Self.pad
                next += 1
              }
            }
          }
          return next
        }
      }
    }
  }

  func decode(_ text: some Collection<UInt8>, padding: Padding) throws(BinaryTextError) -> [UInt8] {
    let result: Result<[UInt8], BinaryTextError> = withContiguousBytes(text) { text in
      Result { () throws(BinaryTextError) in try decode(text, padding: padding) }
    }
    return try result.get()
  }

  private func decode(_ text: UnsafeRawBufferPointer, padding: Padding) throws(BinaryTextError) -> [UInt8] {
    var count = text.count
    while count > 0, text.count - count < 2, text[count - 1] == Self.pad { count -= 1 }
    let pads = text.count - count

    var output: [UInt8] = []
    output.reserveCapacity(count / 4 * 3 + 2)
    var group: UInt32 = 0
    var filled = 0
    for offset in 0..<count {
      let value = values[Int(text[offset])]
      guard value != Self.notInAlphabet else {
        throw text[offset] == Self.pad ? .invalidPadding(offset: offset) : .invalidCharacter(text[offset], offset: offset)
      }
      group = group << 6 | UInt32(value)
      filled += 1
      if filled == 4 {
        output.append(UInt8(truncatingIfNeeded: group >> 16))
        output.append(UInt8(truncatingIfNeeded: group >> 8))
        output.append(UInt8(truncatingIfNeeded: group))
        group = 0
        filled = 0
      }
    }
    guard filled != 1 else { throw .invalidLength(text.count) }
    let missing = filled == 0 ? 0 : 4 - filled
    guard pads == missing || (pads == 0 && padding == .optional) else { throw .invalidPadding(offset: count) }
    if filled == 2 {
      guard group & 0xF == 0 else { throw .trailingBits(offset: count - 1) }
      output.append(UInt8(truncatingIfNeeded: group >> 4))
    } else if filled == 3 {
      guard group & 0x3 == 0 else { throw .trailingBits(offset: count - 1) }
      output.append(UInt8(truncatingIfNeeded: group >> 10))
      output.append(UInt8(truncatingIfNeeded: group >> 2))
    }
    return output
  }
}

/// Calls `body` with `bytes` as one block of memory. Only a collection without contiguous storage is
/// copied.
package func withContiguousBytes<Result>(_ bytes: some Collection<UInt8>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
  let lent = bytes.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
  return lent ?? Array(bytes).withUnsafeBytes(body)
}
