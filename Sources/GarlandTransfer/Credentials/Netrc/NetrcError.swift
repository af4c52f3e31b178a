/// Why a netrc file was not used.
public struct NetrcError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Sendable, Hashable {
    /// The file could not be read. The system's words.
    case unreadable(String)
    /// It has passwords in it and others may read it. Its permissions, such as `0o644`.
    case readableByOthers(mode: UInt32)
    /// It belongs to somebody else.
    case notOwned
    /// It is no netrc file: the line, from 1, and what is wrong there.
    case syntax(line: Int, detail: String)
  }

  /// What is wrong.
  public let reason: Reason
  /// The file, nil if it was a text.
  public let path: String?

  init(_ reason: Reason, path: String?) {
    self.reason = reason
    self.path = path
  }

  /// Human words.
  public var description: String {
    let file = path ?? "the netrc text"
    return switch reason {
    case .unreadable(let detail): "could not read \(file): \(detail)"
    case .readableByOthers(let mode):
      "\(file) has passwords in it, and others may read it (mode \(String(mode, radix: 8))): chmod 600 \(file)"
    case .notOwned: "\(file) has passwords in it, and belongs to somebody else"
    case .syntax(let line, let detail): "\(file), line \(line): \(detail)"
    }
  }
}
