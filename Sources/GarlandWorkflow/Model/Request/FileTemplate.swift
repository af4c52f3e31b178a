/// A file that a document names, relative to the document.
public struct FileTemplate: Sendable {
  /// The path as written.
  public let path: Template
  /// The absolute path with symbolic links resolved, if the path is a constant. The file existed and was allowed when the document was
  /// checked.
  public let resolved: String?
}
