import Glibc

/// Reports when something in a folder changes: when a file is written and closed, renamed, created or removed. It watches folders instead
/// of files, so it also detects the changes of editors that write a new file and rename it.
final class FolderWatch {
  /// The descriptor that becomes readable after a change in a watched folder.
  let descriptor: Int32
  private var folders: [String: Int32] = [:]

  init() throws(CommandFailure) {
    descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard descriptor >= 0 else { throw .local("files can't be watched: \(String(cString: strerror(errno)))") }
  }

  deinit { close(descriptor) }

  /// Watches the given folders, and stops watching all other folders.
  ///
  /// - Parameters:
  ///   - needed: The folders that must be watched. A missing folder is skipped.
  ///   - further: More folders. They are skipped if the system's limit of watched folders is reached.
  /// - Returns: Whether the method began to watch at least one folder.
  func watch(_ needed: Set<String>, and further: Set<String>) throws(CommandFailure) -> Bool {
    let wanted = needed.union(further)
    for (folder, watch) in folders where !wanted.contains(folder) {
      inotify_rm_watch(descriptor, watch)
      folders[folder] = nil
    }
    let events = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_MOVE_SELF)
    var hasNew = false
    for folder in wanted where folders[folder] == nil {
      let watch = inotify_add_watch(descriptor, folder, events)
      if watch >= 0 {
        folders[folder] = watch
        hasNew = true
      } else if errno == ENOSPC, needed.contains(folder) {
        throw .local("no more folders can be watched: fs.inotify.max_user_watches is reached")
      }
    }
    return hasNew
  }

  /// Reads all pending events. A folder that was removed or renamed is no longer watched, so that a new folder with the same name can be
  /// watched.
  func drain() {
    let header = MemoryLayout<inotify_event>.size
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
      buffer.withUnsafeBytes { bytes in
        var place = 0
        while place + header <= count {
          let event = bytes.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
          if event.mask & UInt32(IN_IGNORED | IN_MOVE_SELF) != 0 { forget(event) }
          place += header + Int(event.len)
        }
      }
    }
  }

  private func forget(_ event: inotify_event) {
    for (folder, watch) in folders where watch == event.wd {
      folders[folder] = nil
      if event.mask & UInt32(IN_IGNORED) == 0 { inotify_rm_watch(descriptor, watch) }
    }
  }
}
