/// Reads a body that is in memory.
final class BytesReader: BodyReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var length: Int64? { Int64(bytes.count) }
  var isRepeatable: Bool { true }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyReadOutcome {
    let count = min(buffer.count, bytes.count - position)
    if count == 0 { return .end }
    bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[position..<position + count])) }
    position += count
    return .bytes(count)
  }

  func rewind() -> Bool {
    position = 0
    return true
  }

  func close() {}
}
