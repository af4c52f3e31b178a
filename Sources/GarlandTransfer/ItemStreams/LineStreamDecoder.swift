import GarlandJSON
import Glibc

/// Splits a stream into lines, piece by piece, as defined by [JSON lines](https://jsonlines.org): a line ends with a line feed, and the
/// last line may lack the line feed.
///
/// Empty lines are dropped, and so are a carriage return before a line feed and a byte order mark at the start. If the memory is too small
/// for a line, the thread's `Computation` ends, and this line and later lines may be incomplete.
package struct LineStreamDecoder {
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The maximum size in bytes of a line.
  private let limit: Int
  /// The beginning of a line whose end has not arrived yet.
  private var line: [UInt8] = []
  private var isAtStart = true

  /// Creates a decoder.
  ///
  /// - Parameter limit: The maximum size in bytes of a line.
  package init(limit: Int) { self.limit = limit }

  /// Decodes a piece and passes each line to `take`. Returns false if `take` returned false for a line; the
  /// rest of the piece is then discarded.
  package mutating func decode(
    _ piece: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Bool
  ) throws(StreamItemTooLong) -> Bool {
    var position = 0
    while position < piece.count {
      guard let base = piece.baseAddress, let found = memchr(base + position, 0x0A, piece.count - position) else { break }
      let end = UnsafeRawPointer(found) - base
      let part = UnsafeRawBufferPointer(rebasing: piece[position..<end])
      position = end + 1
      guard line.count + part.count <= limit else { throw StreamItemTooLong(limit: limit) }
      guard takeLine(endingWith: part, take) else { return false }
    }
    guard line.count + piece.count - position <= limit else { throw StreamItemTooLong(limit: limit) }
    line.appendIfRoom(UnsafeRawBufferPointer(rebasing: piece[position...]))
    return true
  }

  /// Passes the last line to `take` if this line has no line end. Call this method when the stream has ended.
  package mutating func finish(_ take: (UnsafeRawBufferPointer) -> Bool) {
    _ = takeLine(endingWith: UnsafeRawBufferPointer(start: nil, count: 0), take)
  }

  private mutating func takeLine(endingWith part: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    guard !line.isEmpty else { return takeWhole(part, take) }
    line.appendIfRoom(part)
    var whole: [UInt8] = []
    swap(&whole, &line)
    let goesOn = whole.withUnsafeBytes { takeWhole($0, take) }
    whole.removeAll(keepingCapacity: true)
    swap(&whole, &line)
    return goesOn
  }

  private mutating func takeWhole(_ line: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    var line = line
    if isAtStart {
      isAtStart = false
      if line.starts(with: Self.byteOrderMark) { line = UnsafeRawBufferPointer(rebasing: line.dropFirst(3)) }
    }
    if line.last == 0x0D { line = UnsafeRawBufferPointer(rebasing: line.dropLast()) }
    return line.isEmpty || take(line)
  }
}
