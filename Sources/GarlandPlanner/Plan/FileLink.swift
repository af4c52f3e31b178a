public import GarlandDiagnostics

/// A file that one step downloads and another sends, or compares its response with.
public struct FileLink: Sendable {
  /// The ``PlannedStep/number`` of the step that downloads it.
  public let producer: Int
  /// The ``PlannedStep/number`` of the step that uses it.
  public let consumer: Int
  /// The path, as the step that uses it writes it.
  public let path: String
  /// The place where the path is used.
  public let use: SourceRange
  /// The place of the download.
  public let download: SourceRange
}
