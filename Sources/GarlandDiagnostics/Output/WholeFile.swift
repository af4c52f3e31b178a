import Glibc

/// Files that appear complete or not at all: they are written beside their place under another name, and then moved there.
package enum WholeFile {
  /// Why there is no such file, or still the one that was there.
  package enum Failure: Error, Equatable, CustomStringConvertible {
    /// There is one, and it was not to be replaced.
    case exists
    /// The system's error number.
    case system(Int32)

    package var description: String {
      switch self {
      case .exists: "it exists already"
      case .system(let code): String(cString: strerror(code))
      }
    }
  }

  /// Who may read and write a file.
  package enum Permissions: Sendable {
    /// Its owner alone: for what has secrets in it, such as cookies.
    case owner
    /// Whoever the process's mask lets.
    case everybody
    /// Whoever may read and write the file that is replaced, which keeps its owner where the process may say so.
    case asBefore
  }

  /// Writes a file in one step.
  ///
  /// - Parameters:
  ///   - path: where it is to be. A symbolic link stays one, and what it leads to is replaced.
  ///   - replacing: whether it may take the place of another.
  ///   - makingFolders: whether the folders that lead to it are made.
  package static func write(
    _ bytes: [UInt8], to path: String, _ permissions: Permissions = .everybody, replacing: Bool = true, makingFolders: Bool = false
  ) throws(Failure) {
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
      // link(2) refuses to replace, rename(2) does not: each is atomic.
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

  /// Gives a new file the owner and the permissions of the file that it will replace, if there is one.
  package static func adoptPermissions(of path: String, _ descriptor: Int32) -> Failure? {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return errno == ENOENT ? nil : .system(errno) }
    // Only a privileged process can give a file away; of any other the file becomes its own.
    _ = fchown(descriptor, facts.st_uid, facts.st_gid)
    return fchmod(descriptor, facts.st_mode & 0o7777) == 0 ? nil : .system(errno)
  }

  /// Makes a folder and those that lead to it, unless they are there.
  package static func makeFolder(_ path: String) throws(Failure) {
    var facts = stat()
    if stat(path, &facts) == 0 { return }
    let parent = folder(of: path)
    if parent != path, parent != "." { try makeFolder(parent) }
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw .system(errno) }
  }

  // MARK: Names

  /// `out/.report.xml.garland-1f3a09c2`
  package static func nameBeside(_ path: String) -> String {
    let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    return "\(folder(of: path))/.\(name).garland-\(String(UInt32.random(in: 0...UInt32.max), radix: 16))"
  }

  /// The folder a path lies in.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// What a symbolic link leads to, so that a rename replaces the file and not the link.
  package static func resolvingLinks(_ path: String) -> String {
    var facts = stat()
    guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFLNK, let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
