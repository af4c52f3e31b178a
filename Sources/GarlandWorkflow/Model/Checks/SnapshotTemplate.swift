public import GarlandDiagnostics
public import GarlandJSON

/// `expect.snapshot`: the body is what it was when the file was written.
public struct SnapshotTemplate: Sendable {
  /// A path that is left out of account.
  public struct Ignored: Sendable {
    /// The path of the values.
    public let path: JSONPath
    /// Its place in the source.
    public let range: SourceRange
  }

  /// The file, relative to the document. It need not be there yet.
  public let file: Template
  /// The paths whose values may differ each time.
  public let ignored: [Ignored]
}
