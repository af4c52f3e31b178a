/// Collects the header fields of a response as they arrive.
struct FieldCollector {
  private var bytes: [UInt8] = []
  private var entries: [ReceivedFields.Entry] = []

  /// Appends the header field that a line contains. The name of the field ends at `nameEnd`, and `value` is the range of its value.
  mutating func append(_ line: UnsafeRawBufferPointer, nameEnd: Int, value: Range<Int>) {
    if bytes.isEmpty {
      bytes.reserveCapacity(512)
      entries.reserveCapacity(12)
    }
    let start = bytes.count
    // Copied in one piece: the bytes between name and value are harmless.
    bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: line[..<value.upperBound]))
    entries.append(
      .init(name: start..<start + nameEnd, value: start + value.lowerBound..<start + value.upperBound))
  }

  /// Appends the text of a folded line to the value of the last field.
  mutating func continueLast(with value: UnsafeRawBufferPointer) {
    guard let last = entries.indices.last else { return }
    bytes.append(UInt8(ascii: " "))
    bytes.append(contentsOf: value)
    entries[last].value = entries[last].value.lowerBound..<bytes.count
  }

  func finish() -> ReceivedFields { ReceivedFields(bytes: bytes, entries: entries) }

  /// Whether a byte may occur in a token, such as a field name (RFC 9110, section 5.6.2).
  @inline(__always) static func isTokenByte(_ byte: UInt8) -> Bool {
    guard byte < 128 else { return false }
    return (byte < 64 ? tokenBytes.below64 : tokenBytes.from64) & (1 << UInt64(byte & 63)) != 0
  }

  /// A bit set of the bytes in tokens: ``!#$%&'*+-.^_`|~``, digits and letters.
  private static var tokenBytes: (below64: UInt64, from64: UInt64) { (0x03FF_6CFA_0000_0000, 0x57FF_FFFF_C7FF_FFFE) }
}
