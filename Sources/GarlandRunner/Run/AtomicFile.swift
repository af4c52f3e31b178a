import Glibc

/// Files that appear complete or not at all.
enum AtomicFile {
  /// Who may read and write a file.
  enum Permissions: mode_t {
    /// Its owner alone: for what has secrets in it, such as cookies.
    case owner = 0o600
    /// Whoever the process's mask lets.
    case everybody = 0o666
  }

  /// Writes a file in one step, and makes the folders that lead to it. Returns the system's words if it can't be done.
  static func write(_ bytes: [UInt8], to path: String, _ permissions: Permissions) -> String? {
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex, let problem = makeFolder(String(path[..<slash])) { return problem }
    let temporary = path + ".garland-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions.rawValue)
    guard descriptor >= 0 else { return words(errno) }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress?.advanced(by: written), bytes.count - written) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let code = errno
        close(descriptor)
        unlink(temporary)
        return words(code)
      }
      written += count
    }
    let closed = close(descriptor)
    guard closed == 0, rename(temporary, path) == 0 else {
      let code = errno
      unlink(temporary)
      return words(code)
    }
    return nil
  }

  private static func makeFolder(_ path: String) -> String? {
    var status = stat()
    if stat(path, &status) == 0 { return nil }
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex, let problem = makeFolder(String(path[..<slash])) { return problem }
    return mkdir(path, 0o777) == 0 || errno == EEXIST ? nil : words(errno)
  }

  private static func words(_ code: Int32) -> String { String(cString: strerror(code)) }
}
