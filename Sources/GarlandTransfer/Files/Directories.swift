import Glibc

/// Creates the folders of downloads.
package enum Directories {
  /// Throws an error if `path` exists and is not a folder. If `path` does not exist, throws an error if its nearest existing parent is not
  /// a folder.
  package static func check(_ path: String) throws(FileFailure) {
    var status = stat()
    guard stat(path, &status) != 0 else {
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw FileFailure(path: path, operation: .create, detail: systemMessage(ENOTDIR))
      }
      return
    }
    let (parent, _) = FilePath.split(path)
    if parent != path, parent != "." { try check(parent) }
  }

  /// Returns the system's error code if no file can be created in a folder, for example because the folder is missing or the process may
  /// not write to it. Returns nil if files can be created. If the folder is missing and `createsMissing` is true, checks its nearest
  /// existing parent folder instead.
  package static func obstacle(in path: String, createsMissing: Bool) -> Int32? {
    var folder = path
    while access(folder, F_OK) != 0 {
      guard errno == ENOENT else { return errno }
      guard createsMissing else { return ENOENT }
      let parent = FilePath.split(folder).folder
      guard parent != folder else { return nil }
      folder = parent
    }
    return access(folder, W_OK | X_OK) == 0 ? nil : errno
  }

  /// Creates `path` and missing parent folders.
  package static func make(_ path: String) throws(FileFailure) {
    if mkdir(path, 0o777) == 0 { return }
    switch errno {
    case EEXIST:
      var status = stat()
      if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
      throw FileFailure(path: path, operation: .create, detail: systemMessage(ENOTDIR))
    case ENOENT:
      let (parent, _) = FilePath.split(path)
      if parent == path || parent == "." { break }
      try make(parent)
      if mkdir(path, 0o777) == 0 || errno == EEXIST { return }
    default: break
    }
    throw FileFailure(path: path, operation: .create, detail: systemMessage(errno))
  }
}
