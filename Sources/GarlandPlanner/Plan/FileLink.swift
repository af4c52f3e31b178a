public import GarlandDiagnostics

/// A file that one step downloads and another step uses: the other step sends the file, or compares its response with the file.
public struct FileLink: Sendable {
  /// The ``PlannedStep/number`` of the step that downloads the file.
  public let producer: Int
  /// The ``PlannedStep/number`` of the step that uses the file.
  public let consumer: Int
  /// The path of the file, as written in the step that uses the file.
  public let path: String
  /// The source range of the path in the step that uses the file.
  public let use: SourceRange
}
