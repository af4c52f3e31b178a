import Synchronization

/// A cache of decoded documents, by path. A document that several others use is read only once, and all of them share the same
/// ``Workflow``.
public final class DocumentLibrary: Sendable {
  private let documents = Mutex<[String: Workflow?]>([:])
  private let profiles = Mutex<[KnownProfile]>([])
  private let broken = Mutex<[Workflow]>([])
  private let read = Mutex<Set<String>>([])

  /// Creates a library without documents.
  public init() {}

  /// Returns the decoded document at a path. Returns nil if the document has not been decoded yet, and `.some(nil)` if the document was
  /// decoded and has errors.
  func decoded(_ path: String) -> Workflow?? { documents.withLock { $0[path] } }

  /// The documents with errors, as far as they could be decoded. They cannot run, but the planner checks their dependencies for cycles, so
  /// that cycles are reported together with the other errors.
  public var documentsWithErrors: [Workflow] { broken.withLock { $0 } }

  /// The absolute paths of the documents that have been decoded.
  var paths: Set<String> { documents.withLock { Set($0.keys) } }

  /// The profiles of all decoded documents and their projects, including documents with errors.
  public var knownProfiles: [KnownProfile] { profiles.withLock { $0 } }

  /// Whether all profiles of a document have been added to ``knownProfiles``. This can be the case even if the document has errors.
  public func knowsProfiles(of document: String) -> Bool { read.withLock { $0.contains(document) } }

  /// Records the profiles that a document and its project declare.
  ///
  /// - Parameter isComplete: whether `found` contains all profiles of the document and its project. False if the document or the project
  ///   probably contains a misspelling of the key `profiles`, since the profiles under that key are unknown.
  func add(profiles found: [KnownProfile], of document: String, isComplete: Bool = true) {
    if isComplete { read.withLock { _ = $0.insert(document) } }
    profiles.withLock { known in
      for profile in found where !known.contains(where: { $0.name.range == profile.name.range }) { known.append(profile) }
    }
  }

  func keep(withErrors workflow: Workflow) { broken.withLock { $0.append(workflow) } }

  func keep(_ workflow: Workflow?, at path: String) { documents.withLock { $0[path] = .some(workflow) } }
}
