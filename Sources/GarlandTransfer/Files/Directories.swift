import Glibc

/// Folders that a download needs.
package enum Directories {
  /// Makes `path` and what is missing above it.
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
