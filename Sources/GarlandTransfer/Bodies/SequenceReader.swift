/// Reads several bodies one after another: the parts of a multipart body and the delimiters between
/// them.
final class SequenceReader: BodyReader {
  private let parts: [any BodyReader]
  private var index = 0
  let length: Int64?

  init(_ parts: [any BodyReader]) {
    self.parts = parts
    var total: Int64? = 0
    for part in parts { total = part.length.flatMap { length in total.map { $0 + length } } }
    length = total
  }

  var isRepeatable: Bool { parts.allSatisfy(\.isRepeatable) }
  var isWaiting: Bool { index < parts.count && parts[index].isWaiting }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyReadOutcome {
    var filled = 0
    while index < parts.count, filled < buffer.count {
      switch parts[index].read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])) {
      case .bytes(let count): filled += count
      case .end: index += 1
      // Bytes that are already in the buffer are sent first. The next call asks the reader again, with the same
      // result.
      case .wait: return filled > 0 ? .bytes(filled) : .wait
      case .failed(let reason): return filled > 0 ? .bytes(filled) : .failed(reason)
      }
    }
    return filled > 0 ? .bytes(filled) : .end
  }

  func rewind() -> Bool {
    index = 0
    var isDone = true
    for part in parts where !part.rewind() { isDone = false }
    return isDone
  }

  func close() { for part in parts { part.close() } }
}
