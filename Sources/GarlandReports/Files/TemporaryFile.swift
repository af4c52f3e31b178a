import Glibc

/// Files that nobody else should see.
enum TemporaryFile {
  /// A descriptor of a file without a name, to read and write; -1 where the file system has none.
  static func openUnnamed(in folder: String) -> Int32 {
    // `O_TMPFILE` is a macro of two flags, which Swift does not import: this one and `O_DIRECTORY`.
    let temporaryFlag: Int32 = 0o20_000_000
    return open(folder, O_RDWR | O_DIRECTORY | temporaryFlag | O_CLOEXEC, 0o666)
  }

  /// A descriptor of a file that is gone when it is closed.
  static func openScratch(in folder: String) -> Int32 {
    let unnamed = openUnnamed(in: folder)
    if unnamed >= 0 { return unnamed }
    let name = nameBeside(folder + "/scratch")
    let descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 { unlink(name) }
    return descriptor
  }

  /// `out/.report.xml.garland-1f3a09c2`
  static func nameBeside(_ path: String) -> String {
    let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    return "\(folder(of: path))/.\(name).garland-\(String(UInt32.random(in: 0...UInt32.max), radix: 16))"
  }

  /// The folder a path lies in.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// What a symbolic link leads to, so that a rename replaces the file and not the link.
  static func resolvingLinks(_ path: String) -> String {
    var facts = stat()
    guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFLNK, let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
