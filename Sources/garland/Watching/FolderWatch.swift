import Glibc

/// Reports when something in a folder changes: when a file is written and closed, renamed, created or removed. It watches folders instead
/// of files, so it also detects the changes of editors that write a new file and rename it.
final class FolderWatch {
  /// The descriptor that becomes readable after a change.
  let descriptor: Int32
  private var folders: [String: Int32] = [:]

  init() throws(CommandFailure) {
    descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard descriptor >= 0 else { throw .local("files can't be watched: \(String(cString: strerror(errno)))") }
  }

  deinit { close(descriptor) }

  /// Watches only the given folders. A missing folder is skipped.
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

  /// Reads and discards all pending events.
  func drain() {
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while read(descriptor, &buffer, buffer.count) > 0 {}
  }
}
