import Synchronization

/// The files to which the part of a document that is being decoded refers: a body, a certificate, a schema, or a file that a schema refers
/// to.
final class NamedFiles: Sendable {
  private let paths = Mutex<[String]>([])

  /// Adds the absolute path of a file.
  func add(_ path: String) { paths.withLock { if !$0.contains(path) { $0.append(path) } } }

  /// Returns the files that were added since the last call of this method.
  func take() -> [String] {
    paths.withLock { paths in
      defer { paths = [] }
      return paths
    }
  }
}
