import Glibc
import Synchronization

/// The files that the current run of `garland run --watch` writes. The run adds the path of each file before it writes the file, so that
/// the watching process knows the path before it notices the change.
///
/// The paths are stored in an unnamed file in memory, each followed by a zero byte. The watching process empties the file after each run.
final class WrittenFiles: Sendable {
  let descriptor: Int32
  /// The paths that this object has added. Each path is added only once.
  private let known = Mutex<Set<String>>([])

  /// Creates the file, which child processes inherit. Returns nil if the file can't be created. Each run then causes another run if a step
  /// uses a file that another step writes, since the write counts as a change.
  init?() {
    guard let descriptor = WatchMemory.makeFile() else { return nil }
    self.descriptor = descriptor
    // Several threads of a run may add paths at the same time.
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_APPEND)
  }

  /// Opens the file of the watching process.
  init(_ inherited: Int32) {
    descriptor = inherited
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Adds a path, unless this object has added it before. The caller must pass an absolute path in which symbolic links are already
  /// resolved.
  @Sendable func append(_ path: String) {
    guard known.withLock({ $0.insert(path).inserted }) else { return }
    let bytes = Array(path.utf8) + [0]
    _ = write(descriptor, bytes, bytes.count)
  }

  /// The paths that the current run has added.
  var paths: Set<String> {
    Set(WatchMemory.read(descriptor).split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
  }

  /// Removes all paths. No run may be in progress, since it adds each path only once.
  func empty() { ftruncate(descriptor, 0) }
}
