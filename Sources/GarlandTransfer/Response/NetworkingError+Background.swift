extension NetworkingError {
  /// Why there is no background session.
  public enum Background: Sendable, Hashable, CustomStringConvertible {
    /// Another process has a session with this identifier, or this one has.
    case inUse(identifier: String)
    /// The journal could not be read or written.
    case journal(File)
    /// The identifier, the folder or the configuration can't be used.
    case unusable(String)

    /// Human words.
    public var description: String {
      switch self {
      case .inUse(let identifier): "the background session \(identifier) is in use, and one process at a time can have it"
      case .journal(let file): "could not \(file.operation.rawValue) the journal \(file.path): \(file.detail)"
      case .unusable(let detail): "the background session can't be used: \(detail)"
      }
    }
  }
}
