/// The reason why a netrc file was not used.
public struct NetrcError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of problem with a netrc file.
  public enum Reason: Sendable, Hashable {
    /// The file could not be read. The associated value is the system's message.
    case unreadable(String)
    /// The file contains passwords, and other users may read it. The associated value contains the permissions of the file, such as
    /// `0o644`.
    case readableByOthers(mode: UInt32)
    /// The file belongs to another user.
    case notOwned
    /// The file is not a valid netrc file. The associated values are the line, starting at 1, and the mistake.
    case syntax(line: Int, detail: String)
  }

  /// The kind of problem with the file.
  public let reason: Reason
  /// The path of the netrc file; nil if the netrc text does not come from a file.
  public let path: String?

  init(_ reason: Reason, path: String?) {
    self.reason = reason
    self.path = path
  }

  /// The error message.
  public var description: String {
    let file = path ?? "the netrc text"
    return switch reason {
    case .unreadable(let detail): "could not read \(file): \(detail)"
    case .readableByOthers(let mode):
      "\(file) has passwords in it, and others may read it (mode \(String(mode, radix: 8))): chmod 600 \(file)"
    case .notOwned: "\(file) contains passwords, and belongs to another user"
    case .syntax(let line, let detail): "\(file), line \(line): \(detail)"
    }
  }
}
