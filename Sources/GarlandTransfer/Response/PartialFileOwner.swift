import Glibc
import Synchronization

/// Removes the partial file of a download when the last copy of its resume data is released, unless the caller
/// has stored the data.
final class PartialFileOwner: Sendable {
  private let path: String
  private let isReleased = Atomic<Bool>(false)

  /// Creates the owner of the partial file at a path.
  init(path: String) { self.path = path }

  deinit {
    guard !isReleased.load(ordering: .relaxed) else { return }
    unlink(path)
    unlink(ResumeData.recordPath(of: path))
  }

  /// Keeps the file on the disk: it is no longer removed automatically.
  func release() { isReleased.store(true, ordering: .relaxed) }
}
