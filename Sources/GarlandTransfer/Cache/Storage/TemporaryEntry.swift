import Glibc

/// A cache file that is being written. It becomes valid when it is moved to its final path.
final class TemporaryEntry {
  let path: String
  private var descriptor: Int32

  /// Creates a file with a random name in a folder.
  init(in folder: String) throws(SystemError) {
    var path = ""
    var descriptor: Int32 = -1
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<8 where descriptor < 0 {
      path = "\(folder)/\(String(generator.next(), radix: 36))"
      descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      if descriptor < 0, errno != EEXIST { break }
    }
    guard descriptor >= 0 else { throw SystemError(path: path, operation: .create) }
    self.path = path
    self.descriptor = descriptor
  }

  deinit { abandon() }

  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    var rest = bytes
    while let base = rest.baseAddress, rest.count > 0 {
      let count = Glibc.write(descriptor, base, rest.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw SystemError(path: path, operation: .write)
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  func write(_ bytes: [UInt8]) throws(SystemError) {
    var failure: SystemError?
    bytes.withUnsafeBytes { buffer in
      do throws(SystemError) { try write(buffer) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Appends the first `count` bytes of another cache file. The kernel copies the bytes.
  func copy(_ count: Int, of file: EntryFile) throws(SystemError) {
    var offset: off_t = 0
    var left = count
    while left > 0 {
      let copied = sendfile(descriptor, file.descriptor, &offset, left)
      if copied < 0, errno == EINTR { continue }
      guard copied > 0 else { throw SystemError(path: path, operation: .write) }
      left -= copied
    }
  }

  /// Moves the file atomically to its final path, replacing an existing file. Returns the identity of the file.
  func move(to target: String) throws(SystemError) -> EntryFile.Identity {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemError(path: path, operation: .write) }
    guard rename(path, target) == 0 else { throw SystemError(path: target, operation: .move) }
    close(descriptor)
    descriptor = -1
    return EntryFile.Identity(status)
  }

  /// Closes and removes the file, unless it was moved to its final path.
  func abandon() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
    unlink(path)
  }
}

/// A failed system call on a file.
struct SystemError: Error, Sendable, Hashable {
  let file: NetworkingError.File
  let number: Int32

  /// Creates the error of a failed `operation` on the file at `path`, with the system's last error number (`errno`) of this thread.
  init(path: String, operation: NetworkingError.File.Operation) {
    number = errno
    file = NetworkingError.File(path: path, operation: operation, detail: systemMessage(number))
  }
}
