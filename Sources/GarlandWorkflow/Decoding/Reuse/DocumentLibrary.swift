import Synchronization

/// The documents that were decoded, by path, so that one that several use is read once and is the same object for all.
public final class DocumentLibrary: Sendable {
  private let documents = Mutex<[String: Workflow?]>([:])

  /// An empty one.
  public init() {}

  /// What came of a document that was decoded; nil if it was not, and `.some(nil)` if it has errors.
  func decoded(_ path: String) -> Workflow?? { documents.withLock { $0[path] } }

  func keep(_ workflow: Workflow?, at path: String) { documents.withLock { $0[path] = .some(workflow) } }
}
