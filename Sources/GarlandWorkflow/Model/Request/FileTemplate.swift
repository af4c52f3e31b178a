/// A file to which a document refers by a path relative to the document.
public struct FileTemplate: Sendable {
  /// The path as written in the document.
  public let path: Template
  /// The absolute path with symbolic links resolved; nil if the path contains expressions. The file existed and was allowed when the
  /// document was checked.
  public let resolved: String?
}
