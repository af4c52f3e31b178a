/// The file system as documents see it: injected, so that a test needs none.
public protocol WorkflowFiles: Sendable {
  /// Returns the kind of the file at a path.
  ///
  /// - Parameter path: absolute.
  func kind(of path: String) -> WorkflowFileKind
  /// Returns the absolute path with every symbolic link and `..` resolved, also of a missing file
  /// in an existing folder; nil if that is impossible.
  func resolve(_ path: String) -> String?
  /// The bytes of a file.
  ///
  /// - Parameters:
  ///   - path: absolute.
  ///   - limit: the most that is read; a larger file is an error.
  func read(_ path: String, limit: Int) throws(WorkflowFileError) -> [UInt8]
  /// Hands the bytes of a file on piece by piece, so that its size does not matter.
  ///
  /// - Parameters:
  ///   - path: absolute.
  ///   - take: is given each piece, in order.
  func readPieces(_ path: String, _ take: ([UInt8]) -> Void) throws(WorkflowFileError)
  /// The first bytes of a file, fewer if it has no more.
  ///
  /// - Parameters:
  ///   - path: absolute.
  ///   - count: how many.
  func beginning(of path: String, count: Int) throws(WorkflowFileError) -> [UInt8]
  /// How many bytes a file has.
  ///
  /// - Parameter path: absolute.
  func size(of path: String) throws(WorkflowFileError) -> Int
  /// The names in a folder, for the suggestion of one that was mistyped; empty where it can't be read.
  ///
  /// - Parameter folder: absolute.
  func names(in folder: String) -> [String]
}

extension WorkflowFiles {
  /// Default: reads the whole file at once.
  public func readPieces(_ path: String, _ take: ([UInt8]) -> Void) throws(WorkflowFileError) { take(try read(path, limit: .max)) }

  /// Default: reads the whole file.
  public func beginning(of path: String, count: Int) throws(WorkflowFileError) -> [UInt8] {
    Array(try read(path, limit: .max).prefix(count))
  }

  /// Counts the bytes.
  public func size(of path: String) throws(WorkflowFileError) -> Int {
    var size = 0
    try readPieces(path) { size += $0.count }
    return size
  }

  /// Default: no names to suggest.
  public func names(in folder: String) -> [String] { [] }
}

/// The kind of a file at a path.
public enum WorkflowFileKind: Sendable, Hashable {
  /// A file that can be read.
  case file
  /// A folder.
  case folder
  /// Something that can't be read.
  case unreadable
  /// There is no file.
  case missing
}

/// Why a file could not be used.
public struct WorkflowFileError: Error, Sendable {
  /// A sentence without an end: "no such file".
  public let message: String
  /// Whether it is outside of the folders that a document may read without `--allow-path`.
  public let isOutside: Bool
  /// The path that was probably meant.
  public let meant: String?

  /// - Parameters:
  ///   - message: a sentence without a full stop.
  ///   - isOutside: whether it is outside of the folders that a document may read.
  ///   - meant: the probably intended path.
  public init(_ message: String, isOutside: Bool = false, meant: String? = nil) {
    self.message = message
    self.isOutside = isOutside
    self.meant = meant
  }
}
