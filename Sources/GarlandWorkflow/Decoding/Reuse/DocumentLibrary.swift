import Synchronization

/// The decoded documents by path. A document that several others use is read only once, and all of them share the same object.
public final class DocumentLibrary: Sendable {
  private let documents = Mutex<[String: Workflow?]>([:])
  private let profiles = Mutex<[KnownProfile]>([])
  private let broken = Mutex<[Workflow]>([])

  /// Creates an empty library.
  public init() {}

  /// Returns a decoded document: nil if it has not been decoded, and `.some(nil)` if it has errors.
  func decoded(_ path: String) -> Workflow?? { documents.withLock { $0[path] } }

  /// Documents with errors, as far as they could be decoded. They cannot run, but their dependencies are still checked for cycles, which
  /// are reported together with the other errors.
  public var documentsWithErrors: [Workflow] { broken.withLock { $0 } }

  /// The absolute paths of the documents that have been decoded.
  var paths: Set<String> { documents.withLock { Set($0.keys) } }

  /// The profiles of all decoded documents and their projects, including documents with errors.
  public var knownProfiles: [KnownProfile] { profiles.withLock { $0 } }

  func add(profiles found: [KnownProfile]) {
    profiles.withLock { known in
      for profile in found where !known.contains(where: { $0.name.range == profile.name.range }) { known.append(profile) }
    }
  }

  func keep(withErrors workflow: Workflow) { broken.withLock { $0.append(workflow) } }

  func keep(_ workflow: Workflow?, at path: String) { documents.withLock { $0[path] = .some(workflow) } }
}
