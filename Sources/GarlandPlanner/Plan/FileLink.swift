public import GarlandDiagnostics

/// A file that one step downloads, and that another step sends, or with which another step compares its response.
public struct FileLink: Sendable {
  /// The ``PlannedStep/number`` of the step that downloads the file.
  public let producer: Int
  /// The ``PlannedStep/number`` of the step that uses the file.
  public let consumer: Int
  /// The path of the file, as written in the step that uses the file.
  public let path: String
  /// The location where the path is used.
  public let use: SourceRange
  /// The location of the download in the document.
  public let download: SourceRange
}
