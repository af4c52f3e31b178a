import Synchronization

/// The files that the part of a document names that is being decoded, in whatever way: a body, a certificate, a schema and what that refers to.
final class NamedFiles: Sendable {
  private let paths = Mutex<[String]>([])

  /// Takes note of an absolute path.
  func add(_ path: String) { paths.withLock { if !$0.contains(path) { $0.append(path) } } }

  /// Returns the files that were noted since the last call.
  func take() -> [String] {
    paths.withLock { paths in
      defer { paths = [] }
      return paths
    }
  }
}
