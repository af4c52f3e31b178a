/// The parts of paths.
enum FilePath {
  static func joined(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : folder.utf8.last == UInt8(ascii: "/") ? folder + name : folder + "/" + name
  }

  /// The folder, `.` if there is none, and the name.
  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let folder = path[..<slash]
    return (folder.isEmpty ? "/" : String(folder), String(path[path.utf8.index(after: slash)...]))
  }
}

/// What the system says of a file.
public struct FileFailure: Error, Sendable, Hashable {
  /// Its path.
  public let path: String
  /// What was tried, as in "could not … the file".
  public let operation: Operation
  /// The system's words.
  public let detail: String

  /// What was tried.
  public enum Operation: String, Sendable, Hashable {
    /// To open it.
    case open
    /// To read it.
    case read
    /// To make it.
    case create
    /// To write to it.
    case write
    /// To move it into place.
    case move
  }

  /// All of it.
  public init(path: String, operation: Operation, detail: String) {
    self.path = path
    self.operation = operation
    self.detail = detail
  }
}
