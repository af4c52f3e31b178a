import CCurl
import Glibc

/// Moves a finished file to its target in one step.
enum FileMover {
  /// Moves a file. Returns nil on success, otherwise the error; the file then stays at its old path.
  static func move(_ path: String, to target: String, replaces: Bool) -> FileFailure? {
    let status = place(path, at: target, replaces: replaces)
    if status == 0 { return nil }
    // The target is on another file system, which prevents an atomic move: copy the file to the target's folder, and move the copy.
    guard status == EXDEV else { return .init(path: target, operation: .move, detail: systemMessage(status)) }
    let (folder, _) = FilePath.split(target)
    var generator = SystemRandomNumberGenerator()
    let copy = FilePath.joined(folder, ".garland-\(String(generator.next(upperBound: UInt64.max), radix: 36)).part")
    if let failure = self.copy(path, to: copy, for: target) { return failure }
    let moved = place(copy, at: target, replaces: replaces)
    guard moved == 0 else {
      unlink(copy)
      return .init(path: target, operation: .move, detail: systemMessage(moved))
    }
    unlink(path)
    return nil
  }

  /// Moves a file within one file system. Returns 0 or the system's error number.
  private static func place(_ path: String, at target: String, replaces: Bool) -> Int32 {
    // The kernel checks for an existing file and moves in one step, so that two downloads cannot
    // both succeed.
    if (replaces ? rename(path, target) : garland_rename_new(path, target)) == 0 { return 0 }
    guard errno == EINVAL, !replaces else { return errno }
    // The file system does not support that flag: create a hard link, which also fails if the target exists.
    guard link(path, target) == 0 else { return errno }
    unlink(path)
    return 0
  }

  private static func copy(_ path: String, to copy: String, for target: String) -> FileFailure? {
    let source = open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { return .init(path: path, operation: .open, detail: systemMessage(errno)) }
    defer { close(source) }
    let destination = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard destination >= 0 else { return .init(path: target, operation: .create, detail: systemMessage(errno)) }
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    var failure: FileFailure?
    reading: while failure == nil {
      let count = read(source, &buffer, buffer.count)
      if count == 0 { break }
      guard count > 0 else {
        if errno != EINTR { failure = .init(path: path, operation: .read, detail: systemMessage(errno)) }
        continue
      }
      var start = 0
      while start < count {
        let written = buffer.withUnsafeBytes { write(destination, $0.baseAddress.map { $0 + start }, count - start) }
        if written > 0 {
          start += written
        } else if errno != EINTR {
          failure = .init(path: target, operation: .write, detail: systemMessage(errno))
          break reading
        }
      }
    }
    if close(destination) != 0, failure == nil { failure = .init(path: target, operation: .write, detail: systemMessage(errno)) }
    if failure != nil { unlink(copy) }
    return failure
  }
}
