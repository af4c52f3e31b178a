import Glibc

/// A body on the disk that nobody else can get at: the file has no name any more, and is gone with the last reference to this.
package final class BodyFile: Sendable {
  /// That the system refused to open or to read it.
  package struct Failure: Error {
    /// Its error number.
    package let reason: Int32

    /// - Parameter reason: its error number.
    package init(reason: Int32) { self.reason = reason }
  }

  private let descriptor: Int32
  /// How many bytes it has.
  package let size: Int

  /// Opens a file, whose name may then be removed.
  package init(path: String) throws(Failure) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(reason: errno) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else {
      let reason = errno
      close(descriptor)
      throw Failure(reason: reason)
    }
    self.descriptor = descriptor
    size = Int(facts.st_size)
  }

  deinit { close(descriptor) }

  /// At most `count` bytes from `offset` on, and fewer only at the end.
  package func read(at offset: Int, count: Int) throws(Failure) -> [UInt8] {
    var failure: Int32?
    let bytes = [UInt8](unsafeUninitializedCapacity: max(0, min(count, size - offset))) { buffer, filled in
      filled = 0
      while filled < buffer.count {
        let got = pread(descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled, off_t(offset + filled))
        if got > 0 {
          filled += got
        } else if got == 0 || errno != EINTR {
          failure = got == 0 ? EIO : errno
          break
        }
      }
    }
    if let failure { throw Failure(reason: failure) }
    return bytes
  }
}
