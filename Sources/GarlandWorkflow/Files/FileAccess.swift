import GarlandCrypto
import GarlandDiagnostics

/// The access of documents to files, which is limited to certain folders: the project, and folders that `--allow-path` adds. Relative paths
/// are relative to the document.
///
/// ```swift
/// let access = FileAccess(SystemFiles(), roots: ["/home/me/project"])
/// let path = try access.locate("data/users.csv", from: "/home/me/project/tests")
/// ```
public struct FileAccess: Sendable {
  /// The file system.
  public let files: any WorkflowFiles
  /// The absolute paths, without symbolic links, of the folders whose files may be used.
  let roots: [String]
  /// A callback that receives the absolute path of each file that is written. It is called immediately before the complete file appears at
  /// this path.
  package var willWrite: (@Sendable (_ path: String) -> Void)?

  /// Creates an object that permits access only to files in certain folders.
  ///
  /// - Parameters:
  ///   - files: the file system.
  ///   - roots: the absolute paths of the folders whose files may be used. A folder that does not exist is ignored.
  public init(_ files: any WorkflowFiles, roots: [String]) {
    self.files = files
    self.roots = roots.compactMap { files.resolve($0) }
  }

  /// Resolves the symbolic links in the path of a file, and returns the absolute path. The file need not exist. Throws an error if the path
  /// is outside of ``roots``.
  ///
  /// - Parameters:
  ///   - path: the path as written in a document.
  ///   - directory: the absolute path of the folder to which a relative path is relative.
  public func locate(_ path: String, from directory: String) throws(WorkflowFileError) -> String {
    guard !path.utf8.contains(0) else { throw WorkflowFileError("a path can't contain a zero byte") }
    let joined = path.hasPrefix("/") ? path : directory + "/" + path
    guard let resolved = files.resolve(FileAccess.normalise(joined)) else { throw WorkflowFileError("no such folder") }
    guard roots.contains(where: { FileAccess.contains($0, resolved) }) else {
      throw WorkflowFileError("it is outside the project", isOutside: true)
    }
    return resolved
  }

  /// The folders in which container systems store secrets. A file with a secret may be in these folders, although the folders are outside
  /// of every project.
  private static let secretFolders = ["/run/secrets/", "/var/run/secrets/"]

  /// Returns the absolute path of a file that contains a secret. The file may be in ``roots``, or in a folder in which container systems
  /// store secrets. Throws an error for any other path.
  package func locate(secret path: String, from directory: String) throws(WorkflowFileError) -> String {
    let whole = FileAccess.normalise(path.hasPrefix("/") ? path : directory + "/" + path)
    if Self.secretFolders.contains(where: { whole.hasPrefix($0) && !whole.contains("/..") }) { return whole }
    return try locate(path, from: directory)
  }

  /// Whether a folder is one of ``roots`` or in one of them.
  ///
  /// - Parameter folder: an absolute path without symbolic links.
  func contains(_ folder: String) -> Bool { roots.contains { FileAccess.contains($0, folder) } }

  /// Returns the bytes of a file.
  ///
  /// - Parameters:
  ///   - path: the path as written in a document.
  ///   - directory: the absolute path of the folder to which a relative path is relative.
  ///   - limit: the maximum size in bytes. A larger file is an error.
  public func read(_ path: String, from directory: String, limit: Int) throws(WorkflowFileError) -> [UInt8] {
    try files.read(locate(path, from: directory), limit: limit)
  }

  /// Reads a file and passes its bytes to `take`, piece by piece, until `take` returns false.
  ///
  /// - Parameters:
  ///   - path: the path as written in a document.
  ///   - directory: the absolute path of the folder to which a relative path is relative.
  ///   - take: receives each piece, in order. Returns whether to read the next piece.
  func readPieces(_ path: String, from directory: String, _ take: ([UInt8]) -> Bool) throws(WorkflowFileError) {
    try files.readPieces(locate(path, from: directory), take)
  }

  /// Returns the size of a file in bytes.
  ///
  /// - Parameters:
  ///   - path: the path as written in a document.
  ///   - directory: the absolute path of the folder to which a relative path is relative.
  func size(of path: String, from directory: String) throws(WorkflowFileError) -> Int {
    try files.size(of: locate(path, from: directory))
  }

  /// Returns the SHA-256 digest of a file, in hexadecimal.
  ///
  /// - Parameters:
  ///   - path: the path as written in a document.
  ///   - directory: the absolute path of the folder to which a relative path is relative.
  package func sha256(of path: String, from directory: String) throws(WorkflowFileError) -> String {
    try digest(of: path, from: directory, using: .sha256)
  }

  /// Returns the digest of a file, in hexadecimal. The file is read piece by piece, since it may be larger than memory.
  ///
  /// - Parameters:
  ///   - path: the path as written in a document.
  ///   - directory: the absolute path of the folder to which a relative path is relative.
  ///   - algorithm: the algorithm of the digest.
  func digest(of path: String, from directory: String, using algorithm: DigestAlgorithm) throws(WorkflowFileError) -> String {
    var hasher = Result { () throws(CryptoError) in try DigestHasher(algorithm) }
    try readPieces(path, from: directory) { piece in
      hasher = hasher.flatMap { hasher in
        Result { () throws(CryptoError) in
          try hasher.update(piece)
          return hasher
        }
      }
      return true
    }
    do throws(CryptoError) {
      return try hasher.get().finish().hex
    } catch {
      throw WorkflowFileError("its digest can't be computed: \(error)")
    }
  }

  /// Writes a file atomically, and creates missing folders. First passes the path to ``willWrite``.
  ///
  /// - Parameters:
  ///   - path: the absolute path of the file, without symbolic links.
  ///   - permissions: the permissions of the new file.
  package func write(
    _ bytes: [UInt8], to path: String, _ permissions: WholeFile.Permissions = .everybody
  ) throws(WholeFile.Failure) {
    willWrite?(path)
    try WholeFile.write(bytes, to: path, permissions, makingFolders: true)
  }

  /// Returns the root folder of the project to which a folder belongs: the nearest folder with `.git`, starting with the folder itself and
  /// continuing with its parents. If there is none, returns the folder itself.
  public static func projectRoot(of directory: String, in files: any WorkflowFiles) -> String {
    var folder = directory
    while true {
      if files.kind(of: folder == "/" ? "/.git" : folder + "/.git") != .missing { return folder }
      guard let slash = folder.lastIndex(of: "/"), folder != "/" else { return directory }
      folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
    }
  }

  private static func contains(_ root: String, _ path: String) -> Bool {
    root == "/" || path == root || path.utf8.starts(with: (root + "/").utf8)
  }

  /// Returns a path without `//` and `/./`. The element `..` is not removed, since its target depends on symbolic links.
  static func normalise(_ path: String) -> String {
    "/" + path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }
}
