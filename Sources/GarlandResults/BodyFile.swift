import Glibc

/// A body on disk that no other process can open. The file has no name, and the system deletes it when the last reference to this object is
/// gone.
package final class BodyFile: Sendable {
  /// The reason why the system could not open or read the file.
  package struct Failure: Error {
    /// The system's error number.
    package let reason: Int32

    /// Creates an error.
    ///
    /// - Parameter reason: The system's error number.
    package init(reason: Int32) { self.reason = reason }
  }

  private let descriptor: Int32
  /// The size of the file in bytes.
  package let size: Int

  /// Opens the file at a path. Afterwards, the caller can delete the file from its folder, so that no other process can open it.
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

  /// Returns `count` bytes from `offset` on, or fewer if the file ends earlier.
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
