import Synchronization

/// The documents that were decoded, by path, so that one that several use is read once and is the same object for all.
public final class DocumentLibrary: Sendable {
  private let documents = Mutex<[String: Workflow?]>([:])
  private let profiles = Mutex<[KnownProfile]>([])
  private let broken = Mutex<[Workflow]>([])

  /// An empty one.
  public init() {}

  /// Returns a document that was decoded; nil if it was not, and `.some(nil)` if it has errors.
  func decoded(_ path: String) -> Workflow?? { documents.withLock { $0[path] } }

  /// Documents with mistakes, as far as they could be read. They can't be run; but their
  /// dependencies show cycles, which are reported together with the rest.
  public var documentsWithErrors: [Workflow] { broken.withLock { $0 } }

  /// The absolute paths of the documents that were decoded.
  var paths: Set<String> { documents.withLock { Set($0.keys) } }

  /// The profiles of all documents that were decoded, and of their projects, also of those that have errors.
  public var knownProfiles: [KnownProfile] { profiles.withLock { $0 } }

  func add(profiles found: [KnownProfile]) {
    profiles.withLock { known in
      for profile in found where !known.contains(where: { $0.name.range == profile.name.range }) { known.append(profile) }
    }
  }

  func keep(withErrors workflow: Workflow) { broken.withLock { $0.append(workflow) } }

  func keep(_ workflow: Workflow?, at path: String) { documents.withLock { $0[path] = .some(workflow) } }
}
