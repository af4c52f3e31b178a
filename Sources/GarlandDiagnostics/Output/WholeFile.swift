import Glibc

/// Writes files atomically: each file is written under a temporary name in the same folder and then renamed,
/// so that it appears complete or not at all.
package enum WholeFile {
  /// The reason why a file was not written. An existing file is unchanged.
  package enum Failure: Error, Equatable, CustomStringConvertible {
    /// The file exists and must not be replaced.
    case exists
    /// The system reported the given error number.
    case system(Int32)

    package var description: String {
      switch self {
      case .exists: "the file exists already"
      case .system(let code): String(cString: strerror(code))
      }
    }
  }

  /// The permissions and the owner of a new file.
  package enum Permissions: Sendable {
    /// Only the owner may read and write the file. Used for files with secrets such as cookies.
    case owner
    /// The permissions that the process's umask allows.
    case everybody
    /// The permissions of the replaced file, and also its owner if the process is allowed to change the owner of a file.
    case asBefore
  }

  /// Writes a file atomically.
  ///
  /// - Parameters:
  ///   - path: The path of the file. A symbolic link is kept, and its target is replaced. A device or a pipe, such as `/dev/null`, is
  ///     written directly, without a temporary file.
  ///   - replacing: Whether an existing file may be replaced.
  ///   - makingFolders: Whether missing parent folders are created.
  package static func write(
    _ bytes: [UInt8], to path: String, _ permissions: Permissions = .everybody, replacing: Bool = true, makingFolders: Bool = false
  ) throws(Failure) {
    if replacing, isSpecial(path) { return try writeDirectly(bytes, to: path) }
    let target = replacing ? resolvingLinks(path) : path
    if makingFolders { try makeFolder(folder(of: target)) }
    let temporary = nameBeside(target)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions == .owner ? 0o600 : 0o666)
    guard descriptor >= 0 else { throw .system(errno) }
    var failure = permissions == .asBefore ? adoptPermissions(of: target, descriptor) : nil
    do throws(OutputError) {
      if failure == nil { try FileDescriptorSink(fileDescriptor: descriptor).write(bytes) }
    } catch .failed(let code) {
      failure = .system(code)
    } catch {
      failure = .system(EPIPE)
    }
    if close(descriptor) != 0, failure == nil { failure = .system(errno) }
    if failure == nil {
      // rename(2) replaces a file and link(2) refuses to; both are atomic.
      if replacing {
        if rename(temporary, target) == 0 { return }
        failure = .system(errno)
      } else if link(temporary, target) != 0 {
        failure = errno == EEXIST ? .exists : .system(errno)
      }
    }
    unlink(temporary)
    if let failure { throw failure }
  }

  /// Whether a path refers to a device, a pipe or another special file.
  private static func isSpecial(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT != S_IFREG && facts.st_mode & S_IFMT != S_IFDIR
  }

  private static func writeDirectly(_ bytes: [UInt8], to path: String) throws(Failure) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw .system(errno) }
    defer { close(descriptor) }
    do throws(OutputError) {
      try FileDescriptorSink(fileDescriptor: descriptor).write(bytes)
    } catch .failed(let code) {
      throw .system(code)
    } catch {
      throw .system(EPIPE)
    }
  }

  /// Gives a new file the owner and the permissions of the file that it will replace. Does nothing if there is
  /// no such file.
  package static func adoptPermissions(of path: String, _ descriptor: Int32) -> Failure? {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return errno == ENOENT ? nil : .system(errno) }
    // Only a privileged process can change the owner. Otherwise the user of the process owns the file.
    _ = fchown(descriptor, facts.st_uid, facts.st_gid)
    return fchmod(descriptor, facts.st_mode & 0o7777) == 0 ? nil : .system(errno)
  }

  /// Creates a folder and its missing parent folders.
  package static func makeFolder(_ path: String) throws(Failure) {
    var facts = stat()
    if stat(path, &facts) == 0 { return }
    let parent = folder(of: path)
    if parent != path, parent != "." { try makeFolder(parent) }
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw .system(errno) }
  }

  // MARK: Names

  /// Returns a temporary name in the folder of a path, such as `out/.report.xml.garland-1f3a09c2`.
  package static func nameBeside(_ path: String) -> String {
    let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    return "\(folder(of: path))/.\(name).garland-\(String(UInt32.random(in: 0...UInt32.max), radix: 16))"
  }

  /// Returns the folder of a path.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the final target if `path` is a symbolic link, otherwise `path` itself. A rename to the returned path replaces the file and
  /// not the link.
  package static func resolvingLinks(_ path: String) -> String {
    var facts = stat()
    guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFLNK, let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
