/// What a document names a path for, and by that the folder that a relative one starts from.
///
/// ```swift
/// let folder = PathUse.download.folder(document: "/home/me/project/tests", workingDirectory: "/home/me/project")
/// ```
public enum PathUse: String, Sendable, Hashable, CaseIterable {
  /// What a run reads: another document, a body, rows, a schema, a snapshot, a certificate, a key, `file()`.
  case file
  /// `cookies: PATH`, read and written back.
  case cookies
  /// `unix_socket`.
  case socket
  /// `download.to`.
  case download
  /// `cache.dir`.
  case cache

  /// The folder that relative paths start from: the document's own, but for what a run makes for whoever started it.
  ///
  /// - Parameters:
  ///   - document: the absolute path of the document's folder.
  ///   - workingDirectory: the absolute path of the working directory.
  public func folder(document: String, workingDirectory: String) -> String {
    switch self {
    case .file, .cookies, .socket: document
    case .download, .cache: workingDirectory
    }
  }
}
