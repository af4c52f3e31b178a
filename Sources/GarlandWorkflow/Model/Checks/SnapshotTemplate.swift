public import GarlandJSON

/// The expectation that the body is the same as when the snapshot file was written, from `expect.snapshot`.
public struct SnapshotTemplate: Sendable {
  /// The path of the snapshot file, relative to the document. The file need not exist yet.
  public let file: Template
  /// The JSONPaths whose values are not compared, since they may differ each time.
  public let ignored: [JSONPath]
}
