/// The error of a text that is not hexadecimal, base64 or base64url.
package enum BinaryTextError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A byte is not in the alphabet. The associated values are the byte, and its offset in bytes from the start of the text.
  case invalidCharacter(UInt8, offset: Int)
  /// No encoder produces a text of this length. The associated value is the number of characters.
  case invalidLength(Int)
  /// A `=` is in a wrong place, or there are too few `=` at the end.
  case invalidPadding(offset: Int)
  /// The last character has unused bits that are set. The text is refused, since otherwise several texts would decode to equal bytes (RFC
  /// 4648 section 3.5).
  case trailingBits(offset: Int)

  /// The error message, with offsets counted from 0.
  package var description: String {
    switch self {
    case .invalidCharacter(let byte, let offset):
      (0x20..<0x7F).contains(byte)
        ? "'\(Unicode.Scalar(byte))' at offset \(offset) is not in the alphabet"
        : "byte 0x\(Hex.encode([byte])) at offset \(offset) is not in the alphabet"
    case .invalidLength(let count): "no input encodes to \(count) characters"
    case .invalidPadding(let offset): "wrong padding at offset \(offset)"
    case .trailingBits(let offset): "the last character, at offset \(offset), has bits set that stand for no byte"
    }
  }
}
