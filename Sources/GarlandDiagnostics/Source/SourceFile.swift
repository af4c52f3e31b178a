/// A text to which diagnostics refer: a workflow file, a vars file, a command-line argument.
///
/// ```swift
/// let file = SourceFile(name: "smoke.yaml", bytes: Array("steps: {}".utf8))
/// file.position(at: 7)  // line 1, column 8
/// ```
///
/// The bytes are UTF-8. The starts of lines are determined once, on creation.
public final class SourceFile: Sendable {
  /// The name as the user has entered it: a path as typed, `-` for standard input, or `--var user`.
  public let name: String
  /// The text as UTF-8.
  public let bytes: [UInt8]
  private let lineStarts: [UInt32]

  /// Creates a file from its content.
  ///
  /// - Parameters:
  ///   - name: The name that errors show before the line number.
  ///   - bytes: The text as UTF-8, at most 4 GiB (offsets are 32 bits wide).
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
    // A byte order mark is not part of the first line.
    var starts: [UInt32] = [bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
    bytes.withUnsafeBufferPointer { buffer in
      let raw = UnsafeRawBufferPointer(buffer)
      let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
      var index = 0
      while index + 8 <= raw.count {
        // The highest bit of each byte that is a line feed, for eight bytes at once: no sum carries
        // into another byte.
        let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)) ^ 0x0A0A_0A0A_0A0A_0A0A
        var feeds = ~(((word & low) + low) | word) & ~low
        while feeds != 0 {
          starts.append(UInt32(truncatingIfNeeded: index + feeds.trailingZeroBitCount / 8 + 1))
          feeds &= feeds - 1
        }
        index += 8
      }
      while index < raw.count {
        if raw[index] == UInt8(ascii: "\n") { starts.append(UInt32(truncatingIfNeeded: index + 1)) }
        index += 1
      }
    }
    lineStarts = starts
  }

  /// The number of lines, at least 1.
  public var lineCount: Int { lineStarts.count }

  /// Returns the line and the column (in Unicode scalars) of a byte offset, both starting at 1. An offset
  /// past the end of the file counts as its end.
  public func position(at offset: Int) -> SourcePosition {
    let offset = min(max(offset, 0), bytes.count)
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int(lineStarts[middle]) <= offset { low = middle } else { high = middle }
    }
    var column = 1
    for index in Int(lineStarts[low])..<max(offset, Int(lineStarts[low])) where bytes[index] & 0xC0 != 0x80 { column += 1 }
    return SourcePosition(line: low + 1, column: column)
  }

  /// Returns the bytes of a line without its line break; empty if the line does not exist. Lines are counted
  /// from 1.
  public func bytes(ofLine line: Int) -> ArraySlice<UInt8> {
    guard line >= 1, line <= lineStarts.count else { return [] }
    let start = Int(lineStarts[line - 1])
    var end = line < lineStarts.count ? Int(lineStarts[line]) - 1 : bytes.count
    if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return bytes[start..<end]
  }

  /// Returns the byte offset at which a line starts. Lines are counted from 1.
  public func offset(ofLine line: Int) -> Int {
    guard line >= 1 else { return 0 }
    return line <= lineStarts.count ? Int(lineStarts[line - 1]) : bytes.count
  }
}
