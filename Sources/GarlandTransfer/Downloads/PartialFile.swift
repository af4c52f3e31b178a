import GarlandCrypto
import Glibc

/// A partial download on disk. A second file in the same folder, the record, contains its resume data.
///
/// While open, the file is locked against other downloads of this and other processes.
///
/// `@unchecked Sendable`: only one thread at a time uses the file. A thread that may wait for the disk opens the file, and passes it to the
/// engine's thread through a queue (the thread's inbox). When the transfer ends, the engine's thread passes the file to the code that
/// commits or discards it.
package final class PartialFile: @unchecked Sendable {
  let path: String
  private var descriptor: Int32
  private(set) var size: Int64
  /// The hasher that computes the digest of the partial file; nil if no digest was requested. The hasher has already processed the bytes in
  /// the file.
  private(set) var hasher: DigestHasher?
  /// The resume data of the existing bytes; nil if the download of these bytes cannot be continued.
  private(set) var resumeData: ResumeData?

  /// The maximum size in bytes of a record, the file that contains the resume data. A larger file is ignored, since it can't be a record.
  private static let recordLimit = 64 << 10

  private init(path: String, descriptor: Int32, size: Int64) {
    self.path = path
    self.descriptor = descriptor
    self.size = size
  }

  deinit { close() }

  // MARK: Path

  /// Returns the path of the partial file in the folder of the target: `.NAME.garland-partial`. `NAME` is the file name of the target, or a
  /// digest of the URL if the server determines the file name.
  static func path(for target: DownloadTarget, url: String) throws(NetworkingError) -> String {
    if case .resumes(let data) = target.partial { return data.path }
    let folder: String
    var name: String
    switch target.name {
    case .suggested: (folder, name) = (target.path, try digest(of: url))
    case .given:
      (folder, name) = FilePath.split(target.path)
      // A name may have at most 255 bytes.
      if name.utf8.count > 200 { name = String(decoding: name.utf8.prefix(180), as: UTF8.self) + "." + (try digest(of: name)) }
    }
    return FilePath.joined(folder, ".\(name).garland-partial")
  }

  private static func digest(of text: String) throws(NetworkingError) -> String {
    do throws(CryptoError) {
      return String(try Digest(of: text.utf8, using: .sha256).hex.prefix(16))
    } catch {
      throw NetworkingError(.unsupported("\(error)"))
    }
  }

  private var recordPath: String { ResumeData.recordPath(of: path) }

  /// Removes the partial file of a download, unless another download has opened this file.
  package static func remove(for target: DownloadTarget, url: String) {
    guard let path = try? path(for: target, url: url), let file = try? open(path, creating: false) else { return }
    file.remove()
  }

  // MARK: Opening

  /// Opens the existing partial file of a download and reads its record; nil if there is no such file. If the target requests a digest
  /// (``DownloadTarget/computesDigest``), also reads the bytes of the file, for the digest.
  static func existing(for target: DownloadTarget, url: String) throws(NetworkingError) -> PartialFile? {
    let path = try path(for: target, url: url)
    guard let file = try open(path, creating: false) else { return nil }
    var data = file.readRecord()
    if data == nil, case .resumes(let given) = target.partial { data = given }
    guard var data, data.url == url, file.size > 0, file.size <= data.length ?? .max else { return file }
    data.path = path
    if target.computesDigest { file.hasher = try file.hashed() }
    file.resumeData = data
    return file
  }

  /// Creates a partial file, or opens the existing partial file.
  static func created(for target: DownloadTarget, url: String) throws(NetworkingError) -> PartialFile {
    let path = try path(for: target, url: url)
    if let file = try open(path, creating: true) { return file }
    throw NetworkingError(.download(.init(path: path, operation: .create, detail: systemMessage(ENOENT))))
  }

  private static func open(_ path: String, creating: Bool) throws(NetworkingError) -> PartialFile? {
    func failure(_ number: Int32) -> NetworkingError {
      NetworkingError(.download(.init(path: path, operation: creating ? .create : .open, detail: systemMessage(number))))
    }
    // These flags follow no links, and do not wait for the other end of a pipe.
    let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (creating ? O_CREAT : 0)
    for _ in 0..<16 {
      let descriptor = Glibc.open(path, flags, 0o666)
      guard descriptor >= 0 else {
        if errno == ENOENT, !creating { return nil }
        throw failure(errno)
      }
      let file = PartialFile(path: path, descriptor: descriptor, size: 0)
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        guard errno == EWOULDBLOCK else { throw failure(errno) }
        throw NetworkingError(.download(.init(path: path, operation: .open, detail: "another download is writing it")))
      }
      var own = stat()
      var named = stat()
      guard fstat(descriptor, &own) == 0 else { throw failure(errno) }
      guard own.st_mode & S_IFMT == S_IFREG else {
        throw NetworkingError(.download(.init(path: path, operation: .open, detail: "not a regular file")))
      }
      // Between the two calls the file may have been moved to its target: then the name is missing or belongs
      // to another file.
      guard stat(path, &named) == 0, named.st_ino == own.st_ino, named.st_dev == own.st_dev else { continue }
      file.size = Int64(own.st_size)
      return file
    }
    throw failure(EAGAIN)
  }

  private func readRecord() -> ResumeData? {
    guard let bytes = try? FileContent.read(recordPath), bytes.count <= Self.recordLimit else { return nil }
    return try? ResumeData(json: bytes)
  }

  private func hashed() throws(NetworkingError) -> DigestHasher {
    let hasher: DigestHasher
    do throws(CryptoError) {
      hasher = try DigestHasher(.sha256)
    } catch {
      throw NetworkingError(.unsupported("\(error)"))
    }
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    var position: Int64 = 0
    while position < size {
      let count = pread(descriptor, &buffer, buffer.count, off_t(position))
      guard count > 0 else {
        if count < 0, errno == EINTR { continue }
        throw NetworkingError(.download(.init(path: path, operation: .read, detail: systemMessage(errno))))
      }
      do throws(CryptoError) {
        try hasher.update(buffer[..<count])
      } catch {
        throw NetworkingError(.unsupported("\(error)"))
      }
      position += Int64(count)
    }
    return hasher
  }

  // MARK: Writing

  /// Empties the partial file, and replaces its record (the file with the resume data) with `data`, which describes the content to be
  /// written. If `data` is nil, the partial file has no record. Returns the partial file's descriptor for writing.
  func begin(_ data: ResumeData?) throws(NetworkingError) -> Int32 {
    // The order matters: bytes with the record of another file would not be recognised as wrong, but a record
    // without its bytes is recognised by the size.
    unlink(recordPath)
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else { throw writeFailure() }
    size = 0
    resumeData = data
    if let data { try writeRecord(data) }
    return descriptor
  }

  /// Moves the file position to the end of the partial file, so that the rest of the content can be appended. Returns the file's
  /// descriptor.
  func beginRest() throws(NetworkingError) -> Int32 {
    guard lseek(descriptor, off_t(size), SEEK_SET) == off_t(size) else { throw writeFailure() }
    return descriptor
  }

  private func writeRecord(_ data: ResumeData) throws(NetworkingError) {
    let temporary = recordPath + ".new"
    // Only the user may read the record: a URL may contain secrets.
    let record = Glibc.open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard record >= 0 else { throw writeFailure() }
    let bytes = data.json
    let written = bytes.withUnsafeBytes { Glibc.write(record, $0.baseAddress, $0.count) }
    guard Glibc.close(record) == 0, written == bytes.count, rename(temporary, recordPath) == 0 else {
      let error = writeFailure()
      unlink(temporary)
      throw error
    }
  }

  private func writeFailure() -> NetworkingError {
    NetworkingError(.download(.init(path: path, operation: .write, detail: systemMessage(errno))))
  }

  // MARK: Ending

  /// Returns whether all writes succeeded. The system reports write errors when a descriptor is closed, so this method closes a copy of the
  /// file's descriptor. The file itself stays open and locked.
  func check() -> Bool {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    return copy >= 0 && Glibc.close(copy) == 0
  }

  /// Closes the file without removing it.
  func close() {
    guard descriptor >= 0 else { return }
    Glibc.close(descriptor)
    descriptor = -1
  }

  /// Removes the record that describes the partial file, and closes the file. Call this method after the file was moved to its target path.
  func moved() {
    unlink(recordPath)
    close()
  }

  /// Closes the partial file, and removes it and its record.
  func remove() {
    unlink(recordPath)
    unlink(path)
    close()
  }
}
