public import GarlandDiagnostics
public import GarlandJSON

/// `expect.snapshot`: the body is what it was when the file was written.
public struct SnapshotTemplate: Sendable {
  /// A path that is left out of account.
  public struct Ignored: Sendable {
    /// Which values.
    public let path: JSONPath
    /// Where it stands.
    public let range: SourceRange
  }

  /// The file, relative to the document. It need not be there yet.
  public let file: Template
  /// Whose values may be others each time.
  public let ignored: [Ignored]
}
