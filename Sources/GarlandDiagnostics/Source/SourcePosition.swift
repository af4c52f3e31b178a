/// A position in a source file, with the line and column that editors show.
public struct SourcePosition: Sendable, Hashable {
  /// The byte offset from the start of the UTF-8 text.
  public let offset: Int
  /// The line, starting at 1.
  public let line: Int
  /// The column in Unicode scalars, starting at 1.
  public let column: Int

  /// Creates a position.
  ///
  /// - Parameters:
  ///   - offset: The byte offset from the start.
  ///   - line: The line, starting at 1.
  ///   - column: The column in Unicode scalars, starting at 1.
  public init(offset: Int, line: Int, column: Int) {
    self.offset = offset
    self.line = line
    self.column = column
  }
}
