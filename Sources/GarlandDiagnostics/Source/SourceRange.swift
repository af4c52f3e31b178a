/// A range of bytes in a source file. A diagnostic underlines its range with carets.
///
/// The range stores offsets only; lines and columns are computed on request.
public struct SourceRange: Sendable, Hashable, CustomStringConvertible {
  /// The file of the range.
  public let file: SourceFile
  private let startOffset: UInt32
  private let endOffset: UInt32

  /// Creates a range.
  ///
  /// - Parameters:
  ///   - file: The file that contains the range.
  ///   - offsets: The byte offsets from the file's start, half open. An empty range is the position between two
  ///     characters.
  public init(_ file: SourceFile, _ offsets: Range<Int>) {
    self.file = file
    startOffset = UInt32(clamping: offsets.lowerBound)
    endOffset = UInt32(clamping: offsets.upperBound)
  }

  /// The byte offsets from the file's start, half open.
  public var offsets: Range<Int> { Int(startOffset)..<Int(endOffset) }
  /// The position of the start of the range.
  public var start: SourcePosition { file.position(at: Int(startOffset)) }
  /// The position of the end of the range, which is after its last character.
  public var end: SourcePosition { file.position(at: Int(endOffset)) }
  /// The text of the range; invalid UTF-8 is repaired.
  public var text: String {
    String(decoding: file.bytes[min(offsets.lowerBound, file.bytes.count)..<min(offsets.upperBound, file.bytes.count)], as: UTF8.self)
  }
  /// The start of the range as `file:line:column`.
  public var description: String {
    let start = start
    return "\(file.name):\(start.line):\(start.column)"
  }

  /// Whether both ranges belong to the same file object and have equal offsets.
  public static func == (left: SourceRange, right: SourceRange) -> Bool {
    left.file === right.file && left.startOffset == right.startOffset && left.endOffset == right.endOffset
  }

  /// Hashes the file object and the offsets.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(file))
    hasher.combine(startOffset)
    hasher.combine(endOffset)
  }
}

/// A position in a source file, with the line and column that editors show.
public struct SourcePosition: Sendable, Hashable {
  /// The line, starting at 1.
  public let line: Int
  /// The column in Unicode scalars, starting at 1.
  public let column: Int

  /// Creates a position.
  ///
  /// - Parameters:
  ///   - line: The line, starting at 1.
  ///   - column: The column in Unicode scalars, starting at 1.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}
