extension NetworkingError {
  /// The reason why a background session could not be created or used.
  public enum Background: Sendable, Hashable, CustomStringConvertible {
    /// Another session, of this or another process, uses this identifier.
    case inUse(identifier: String)
    /// The journal could not be read or written.
    case journal(File)
    /// The identifier, the folder or the configuration is invalid. The associated value is the reason.
    case unusable(String)

    /// The error message.
    public var description: String {
      switch self {
      case .inUse(let identifier): "the background session \(identifier) is in use, and one process at a time can have it"
      case .journal(let file): "could not \(file.operation.rawValue) the journal \(file.path): \(file.detail)"
      case .unusable(let detail): "the background session can't be used: \(detail)"
      }
    }
  }
}
