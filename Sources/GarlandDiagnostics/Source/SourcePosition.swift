/// A place in a source file, as an editor counts.
public struct SourcePosition: Sendable, Hashable {
  /// Bytes from the start of the UTF-8 text.
  public let offset: Int
  /// From 1.
  public let line: Int
  /// From 1, in Unicode scalars.
  public let column: Int

  /// - Parameters:
  ///   - offset: bytes from the start.
  ///   - line: from 1.
  ///   - column: from 1, in Unicode scalars.
  public init(offset: Int, line: Int, column: Int) {
    self.offset = offset
    self.line = line
    self.column = column
  }
}
