/// The reason why a netrc file was not used.
public struct NetrcError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of problem.
  public enum Reason: Sendable, Hashable {
    /// The file could not be read; the system's message.
    case unreadable(String)
    /// The file contains passwords and others may read it; its permissions, such as `0o644`.
    case readableByOthers(mode: UInt32)
    /// The file belongs to another user.
    case notOwned
    /// The file is not a netrc file; the line, starting at 1, and the mistake.
    case syntax(line: Int, detail: String)
  }

  /// The kind of problem.
  public let reason: Reason
  /// The file; nil for a text.
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
