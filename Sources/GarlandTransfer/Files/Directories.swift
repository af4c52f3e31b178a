import Glibc

/// Creates the folders of downloads.
package enum Directories {
  /// Throws an error if `path`, or its nearest existing parent folder, is not a folder.
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
