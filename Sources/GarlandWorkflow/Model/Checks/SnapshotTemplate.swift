public import GarlandDiagnostics
public import GarlandJSON

/// The expectation that the body is the same as when the snapshot file was written, from `expect.snapshot`.
public struct SnapshotTemplate: Sendable {
  /// A JSONPath to values that are not compared.
  public struct Ignored: Sendable {
    /// The JSONPath to the values.
    public let path: JSONPath
    /// The source range of the path.
    public let range: SourceRange
  }

  /// The path of the snapshot file, relative to the document. The file need not exist yet.
  public let file: Template
  /// The paths whose values are not compared, since they may differ each time.
  public let ignored: [Ignored]
}
