/// Splits and joins paths.
enum FilePath {
  static func joined(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : folder.utf8.last == UInt8(ascii: "/") ? folder + name : folder + "/" + name
  }

  /// Returns the folder and the name in a path. The folder is `.` if the path contains no folder.
  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let folder = path[..<slash]
    return (folder.isEmpty ? "/" : String(folder), String(path[path.utf8.index(after: slash)...]))
  }
}

/// A failed operation on a file.
public struct FileFailure: Error, Sendable, Hashable {
  /// The path of the file on which the operation failed.
  public let path: String
  /// The operation that failed. Its raw value is the verb in the message "could not … the file".
  public let operation: Operation
  /// The system's message.
  public let detail: String

  /// An operation on a file.
  public enum Operation: String, Sendable, Hashable {
    /// Open the file.
    case open
    /// Read the file.
    case read
    /// Create the file.
    case create
    /// Write to the file.
    case write
    /// Move the file to its target path.
    case move
  }

  /// Creates the error of a failed operation on a file.
  public init(path: String, operation: Operation, detail: String) {
    self.path = path
    self.operation = operation
    self.detail = detail
  }
}
