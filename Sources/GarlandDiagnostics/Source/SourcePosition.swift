/// A place in a source file, counted as editors do.
public struct SourcePosition: Sendable, Hashable {
  /// The bytes from the start of the UTF-8 text.
  public let offset: Int
  /// The line, from 1.
  public let line: Int
  /// The column, from 1, in Unicode scalars.
  public let column: Int

  /// - Parameters:
  ///   - offset: The bytes from the start.
  ///   - line: The line, from 1.
  ///   - column: The column, from 1, in Unicode scalars.
  public init(offset: Int, line: Int, column: Int) {
    self.offset = offset
    self.line = line
    self.column = column
  }
}
