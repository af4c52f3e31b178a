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
}
