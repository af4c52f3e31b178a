/// The file system as documents see it: injected, so that a test needs none.
public protocol WorkflowFiles: Sendable {
  /// What a path is.
  ///
  /// - Parameter path: absolute.
  func kind(of path: String) -> WorkflowFileKind
  /// The absolute path with every symbolic link resolved, also of what does not exist below a folder that does; nil when that is impossible.
  func resolve(_ path: String) -> String?
  /// The bytes of a file.
  ///
  /// - Parameters:
  ///   - path: absolute.
  ///   - limit: the most to read.
  func read(_ path: String, limit: Int) throws(WorkflowFileError) -> [UInt8]
}

/// What a path is.
public enum WorkflowFileKind: Sendable, Hashable {
  /// A file that can be read.
  case file
  /// A folder.
  case folder
  /// Something that can't be read.
  case unreadable
  /// Nothing.
  case missing
}

/// Why a file could not be read.
public struct WorkflowFileError: Error, Sendable {
  /// A sentence without an end: "no such file".
  public let message: String

  /// - Parameter message: a sentence without an end.
  public init(_ message: String) { self.message = message }
}
