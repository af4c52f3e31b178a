/// The file system that documents use. Callers pass it in, so that tests need no real files.
public protocol WorkflowFiles: Sendable {
  /// Returns the kind of the file at a path.
  ///
  /// - Parameter path: an absolute path.
  func kind(of path: String) -> WorkflowFileKind
  /// Resolves every symbolic link and `..` in a path, and returns the absolute path. The file itself need not exist, but its folder must.
  /// Returns nil if the path can't be resolved.
  func resolve(_ path: String) -> String?
  /// Returns the bytes of a file.
  ///
  /// - Parameters:
  ///   - path: an absolute path.
  ///   - limit: the maximum size in bytes; a larger file is an error.
  func read(_ path: String, limit: Int) throws(WorkflowFileError) -> [UInt8]
  /// Reads a file piece by piece, so that the file need not fit into memory. Some files, such as `/dev/zero`, have no end.
  ///
  /// - Parameters:
  ///   - path: an absolute path.
  ///   - take: receives each piece, in order. Returns whether to read the next piece.
  func readPieces(_ path: String, _ take: ([UInt8]) -> Bool) throws(WorkflowFileError)
  /// Returns the first bytes of a file. Returns fewer than `count` bytes if the file is shorter.
  ///
  /// - Parameters:
  ///   - path: an absolute path.
  ///   - count: the number of bytes.
  func beginning(of path: String, count: Int) throws(WorkflowFileError) -> [UInt8]
  /// Returns the number of bytes of a file.
  ///
  /// - Parameter path: an absolute path.
  func size(of path: String) throws(WorkflowFileError) -> Int
  /// Returns the names of the files and folders in a folder; an empty list if the folder can't be read. A diagnostic for a mistyped name
  /// can suggest one of these names.
  ///
  /// - Parameter folder: an absolute path.
  func names(in folder: String) -> [String]
}

extension WorkflowFiles {
  /// Default implementation: reads the whole file at once.
  public func readPieces(_ path: String, _ take: ([UInt8]) -> Bool) throws(WorkflowFileError) { _ = take(try read(path, limit: .max)) }

  /// Default implementation: reads the whole file and returns its first bytes.
  public func beginning(of path: String, count: Int) throws(WorkflowFileError) -> [UInt8] {
    Array(try read(path, limit: .max).prefix(count))
  }

  /// Default implementation: reads the file and counts its bytes.
  public func size(of path: String) throws(WorkflowFileError) -> Int {
    var size = 0
    try readPieces(path) { piece in
      size += piece.count
      return true
    }
    return size
  }

  /// Default implementation: returns an empty list, so that diagnostics suggest no names.
  public func names(in folder: String) -> [String] { [] }
}

/// The kind of file at a path.
public enum WorkflowFileKind: Sendable, Hashable {
  /// A file that can be read.
  case file
  /// A folder.
  case folder
  /// A file, or another object such as a device, that can't be read.
  case unreadable
  /// The path does not exist.
  case missing
}

/// The error that is thrown if a file could not be used.
public struct WorkflowFileError: Error, Sendable {
  /// The message of the error, as a sentence without a full stop: "no such file".
  public let message: String
  /// Whether the file is outside of the folders that a document may read without `--allow-path`.
  public let isOutside: Bool
  /// The existing path that the author of the document probably intended; nil if there is none.
  let meant: String?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - message: a sentence without a full stop.
  ///   - isOutside: whether the file is outside of the folders that a document may read without `--allow-path`.
  ///   - meant: the existing path that the author of the document probably intended; nil if there is none.
  public init(_ message: String, isOutside: Bool = false, meant: String? = nil) {
    self.message = message
    self.isOutside = isOutside
    self.meant = meant
  }
}
