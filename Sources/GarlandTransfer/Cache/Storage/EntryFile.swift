import GarlandCrypto
import Glibc

/// A cache file opened for reading. Other processes may replace or remove the file meanwhile; the open
/// file keeps its content.
final class EntryFile: Sendable {
  /// The identity of a file, which shows whether a path still refers to the same file.
  struct Identity: Sendable, Hashable {
    let device: UInt
    let inode: UInt
    let size: Int
    let seconds: Int
    let nanoseconds: Int

    init(_ status: stat) {
      device = UInt(status.st_dev)
      inode = UInt(status.st_ino)
      size = Int(status.st_size)
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    }
  }

  let descriptor: Int32
  let layout: EntryLayout
  let record: CacheRecord
  let identity: Identity

  /// The reason why an entry cannot be opened.
  enum Absence: Error {
    case missing
    /// The content differs from the content that was written. The file has been closed.
    case damaged
    case failed(Int32)
  }

  /// Opens the file of a cache entry. Checks the layout and the record of the file, but not the digest of the body.
  init(path: String, of primary: CacheKey) throws(Absence) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw errno == ENOENT ? .missing : .failed(errno) }
    do throws(Absence) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw .failed(errno) }
      let size = Int(status.st_size)
      guard status.st_mode & S_IFMT == S_IFREG, size >= EntryLayout.tailSize else { throw .damaged }
      // The record is usually small, so that one read returns the record and the tail.
      let first = try Self.read(descriptor, at: max(0, size - 4096), count: min(size, 4096))
      guard let layout = EntryLayout(tail: Array(first.suffix(EntryLayout.tailSize)), fileSize: size) else { throw .damaged }
      let needed = layout.recordLength + EntryLayout.tailSize
      let ending = needed <= first.count ? Array(first.suffix(needed)) : try Self.read(descriptor, at: size - needed, count: needed)
      guard let record = layout.record(Array(ending.prefix(layout.recordLength)), of: primary) else { throw .damaged }
      self.descriptor = descriptor
      self.layout = layout
      self.record = record
      identity = Identity(status)
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }

  /// Returns at most `count` bytes of the body: fewer only at the end of the body. Throws ``Absence/damaged`` if the file was truncated.
  func read(at offset: Int, count: Int) throws(Absence) -> [UInt8] {
    try Self.read(descriptor, at: offset, count: min(count, layout.bodyLength - offset))
  }

  private static func read(_ descriptor: Int32, at offset: Int, count: Int) throws(Absence) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = 0
      while filled < count, let base = buffer.baseAddress {
        let got = pread(descriptor, base + filled, count - filled, off_t(offset + filled))
        if got < 0, errno == EINTR { continue }
        if got < 0 { failure = errno }
        if got <= 0 { break }
        filled += got
      }
    }
    if failure != 0 { throw .failed(failure) }
    if bytes.count != count { throw .damaged }
    return bytes
  }

  /// Returns the whole body. Throws ``Absence/damaged`` if the digest of the body is wrong.
  func checkedBody() throws(Absence) -> [UInt8] {
    let bytes = try read(at: 0, count: layout.bodyLength)
    guard let digest = try? Digest(of: bytes, using: .sha256), digest.bytes == layout.bodyDigest else { throw .damaged }
    return bytes
  }
}

/// The body of a stored response as it was transferred, before content decoding.
enum EntryBody: Sendable {
  /// A body in memory. Its bytes were already compared with the stored digest.
  case bytes([UInt8])
  /// A body in an open file. Its bytes have not been compared with the stored digest yet.
  case file(EntryFile)

  var length: Int64 {
    switch self {
    case .bytes(let bytes): Int64(bytes.count)
    case .file(let file): Int64(file.layout.bodyLength)
    }
  }
}
