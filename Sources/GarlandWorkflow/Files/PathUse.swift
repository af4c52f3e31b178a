/// The purpose of a path in a document. It determines the folder to which a relative path is relative.
///
/// ```swift
/// let folder = PathUse.download.folder(document: "/home/me/project/tests", workingDirectory: "/home/me/project")
/// ```
public enum PathUse: String, Sendable, Hashable, CaseIterable {
  /// A file that a run reads: another document, a body, rows, a schema, a snapshot, a certificate, a key, or an argument of `file()`.
  case file
  /// A file with cookies, which a run reads and writes, from `cookies: PATH`.
  case cookies
  /// A Unix domain socket, from `unix_socket:`.
  case socket
  /// A file to which a response is downloaded, from `download.to`.
  case download
  /// A folder that stores cached responses, from `cache.dir`.
  case cache

  /// Returns the folder to which relative paths are relative. For ``download`` and ``cache``, whose files a run writes for its user, this
  /// is the working directory. For any other purpose, it is the document's folder.
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
