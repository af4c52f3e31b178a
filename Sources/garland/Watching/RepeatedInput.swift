import Glibc

/// Lets each run of `garland run --watch` read the values from standard input, and from the descriptors that `--vars-file` and
/// `--secrets-file` name.
///
/// A pipe can be read only once. Therefore the content of each pipe or terminal is copied to a file in memory, and each run reads this file
/// instead.
struct RepeatedInput {
  /// The maximum number of bytes that are copied from standard input or from another descriptor, since the copy is kept in memory.
  ///
  /// If the content is longer, only its beginning is copied. This part is still larger than the size limit for a file of variables or
  /// secrets, so reading the file fails, and incomplete values are never used.
  private static let limit = 32 << 20
  /// The path under which each run can open standard input and read it from the beginning. Nil if no option of the command line reads
  /// values from standard input.
  let standardInputPath: String?

  /// Copies the content of each pipe or terminal among the given files, since each run of `garland run --watch` reads the content again.
  ///
  /// - Parameter paths: The paths of the files with variables and secrets, as given on the command line.
  init(_ paths: [String]) throws(CommandFailure) {
    for descriptor in Set(paths.compactMap(Self.descriptor)) { try Self.keep(descriptor) }
    guard paths.contains("-") else {
      standardInputPath = nil
      return
    }
    // `posix_spawn` closes standard input before it opens the path.
    let copy = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    guard copy >= 0 else { throw .local("standard input can't be kept for further runs: \(String(cString: strerror(errno)))") }
    standardInputPath = "/proc/self/fd/\(copy)"
  }

  /// Sets the position in standard input back to the beginning, so that the next reader reads the whole input again.
  func rewind() {
    if standardInputPath != nil { lseek(STDIN_FILENO, 0, SEEK_SET) }
  }

  /// Returns the file descriptor that a path such as `-` or `/dev/fd/3` names; nil for any other path.
  private static func descriptor(of path: String) -> Int32? {
    if path == "-" || path == "/dev/stdin" { return STDIN_FILENO }
    let folder = ["/dev/fd/", "/proc/self/fd/"].first { path.hasPrefix($0) }
    return folder.flatMap { Int32(path.dropFirst($0.count)) }
  }

  /// Replaces the descriptor's pipe, terminal or partly read file with a file in memory.
  private static func keep(_ descriptor: Int32) throws(CommandFailure) {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { return }
    let kind = facts.st_mode & S_IFMT
    guard kind == S_IFIFO || kind == S_IFSOCK || isatty(descriptor) == 1 || (kind == S_IFREG && lseek(descriptor, 0, SEEK_CUR) > 0) else {
      return
    }
    guard let memory = WatchMemory.makeFile() else {
      throw .local("values from a pipe can't be kept for further runs: \(String(cString: strerror(errno)))")
    }
    defer { close(memory) }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    var size = 0
    while size <= limit {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { break }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&waiting, 1, -1)
        continue
      }
      guard count > 0, pwrite(memory, buffer, count, off_t(size)) == count else {
        throw .local("values from a pipe can't be kept for further runs: \(String(cString: strerror(errno)))")
      }
      size += count
    }
    dup2(memory, descriptor)
  }
}
