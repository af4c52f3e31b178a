import Synchronization

/// The files that the part of a document which is being decoded refers to: as a body, a certificate, a schema, or from within a schema.
final class NamedFiles: Sendable {
  private let paths = Mutex<[String]>([])

  /// Adds an absolute path.
  func add(_ path: String) { paths.withLock { if !$0.contains(path) { $0.append(path) } } }

  /// Returns the files that were added since the last call.
  func take() -> [String] {
    paths.withLock { paths in
      defer { paths = [] }
      return paths
    }
  }
}
