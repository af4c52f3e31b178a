public import GarlandDiagnostics
public import GarlandJSON

/// `expect.snapshot`: the body must be the same as when the snapshot file was written.
public struct SnapshotTemplate: Sendable {
  /// A path whose values are not compared.
  public struct Ignored: Sendable {
    /// The path of the values.
    public let path: JSONPath
    /// The path's place in the source.
    public let range: SourceRange
  }

  /// The path of the snapshot file, relative to the document. The file need not exist yet.
  public let file: Template
  /// The paths whose values are not compared, since they may differ each time.
  public let ignored: [Ignored]
}
