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

  /// Creates the unnamed file for the paths. Child processes inherit the file. Returns nil if the file can't be created. Without the file,
  /// a file that a step writes counts as changed: if another step uses it, each run causes another run.
  init?() {
    guard let descriptor = WatchMemory.makeFile() else { return nil }
    self.descriptor = descriptor
    // Several threads of a run may add paths at the same time.
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_APPEND)
  }

  /// Uses the file that the watching process has created. `inherited` is the file's descriptor, which this process has inherited.
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

  /// Removes all recorded paths. Do not call this method during a run: a run records each path only once, so the removed paths of this run
  /// would stay missing.
  func empty() { ftruncate(descriptor, 0) }
}
