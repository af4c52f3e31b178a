import Synchronization

/// The documents that were decoded, by path, so that one that several use is read once and is the same object for all.
public final class DocumentLibrary: Sendable {
  private let documents = Mutex<[String: Workflow?]>([:])
  private let broken = Mutex<[Workflow]>([])

  /// An empty one.
  public init() {}

  /// What came of a document that was decoded; nil if it was not, and `.some(nil)` if it has errors.
  func decoded(_ path: String) -> Workflow?? { documents.withLock { $0[path] } }

  /// Documents in which something is wrong, as far as they could be read. They can't be run; but what waits for what in them shows cycles, which are then
  /// told together with the rest.
  public var documentsWithErrors: [Workflow] { broken.withLock { $0 } }

  func keep(withErrors workflow: Workflow) { broken.withLock { $0.append(workflow) } }

  func keep(_ workflow: Workflow?, at path: String) { documents.withLock { $0[path] = .some(workflow) } }
}
