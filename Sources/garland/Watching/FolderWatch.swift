import Glibc

/// Tells when something in a folder changes: a file that is written and closed, renamed, made or removed. Editors that write another file and rename it are
/// noticed, because folders are watched and not files.
final class FolderWatch {
  /// The descriptor that becomes readable when something has changed.
  let descriptor: Int32
  private var folders: [String: Int32] = [:]

  init() throws(CommandFailure) {
    descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard descriptor >= 0 else { throw .local("files can't be watched: \(String(cString: strerror(errno)))") }
  }

  deinit { close(descriptor) }

  /// Watches these folders and no others. One that is missing is left out.
  func watch(_ wanted: Set<String>) throws(CommandFailure) {
    for (folder, watch) in folders where !wanted.contains(folder) {
      inotify_rm_watch(descriptor, watch)
      folders[folder] = nil
    }
    let events = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE)
    for folder in wanted where folders[folder] == nil {
      let watch = inotify_add_watch(descriptor, folder, events)
      if watch >= 0 {
        folders[folder] = watch
      } else if errno == ENOSPC {
        throw .local("no more folders can be watched: fs.inotify.max_user_watches is reached")
      }
    }
  }

  /// Takes all events that are waiting.
  func drain() {
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while read(descriptor, &buffer, buffer.count) > 0 {}
  }
}
