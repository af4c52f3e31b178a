import Glibc

/// Files that appear complete or not at all: written beside their place under another name, then moved there.
enum WholeFile {
  enum Failure: Error, CustomStringConvertible {
    case exists
    case system(Int32)

    var description: String {
      switch self {
      case .exists: "it exists already"
      case .system(let code): String(cString: strerror(code))
      }
    }
  }

  static func write(_ bytes: [UInt8], to path: String, replacing: Bool) throws(Failure) {
    let temporary = "\(path).\(getpid()).tmp"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .system(errno) }
    var failure: Failure?
    do throws(CommandFailure) {
      try CommandOutput.writeAll(bytes, to: descriptor)
    } catch {
      failure = .system(errno)
    }
    if close(descriptor) != 0, failure == nil { failure = .system(errno) }
    if failure == nil {
      // link(2) refuses to replace, rename(2) does not: each is atomic.
      if replacing {
        if rename(temporary, path) == 0 { return }
        failure = .system(errno)
      } else {
        if link(temporary, path) != 0 { failure = errno == EEXIST ? .exists : .system(errno) }
      }
    }
    unlink(temporary)
    if let failure { throw failure }
  }
}
