import Glibc

/// Files that nobody but their owner may read, such as those with cookies.
enum OwnerFile {
  /// Writes a file in one step: at no time is there half of it. Returns the system's words if it can't be done.
  static func write(_ bytes: [UInt8], to path: String) -> String? {
    let temporary = path + ".garland-\(getpid())"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
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

  private static func words(_ code: Int32) -> String { String(cString: strerror(code)) }
}
