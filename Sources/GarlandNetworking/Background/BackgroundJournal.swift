import Glibc

/// The journal file of a background session.
///
/// Lines are only appended, each with its checksum and flushed to the disk. If the journal has more than 1,000 lines and most of these
/// lines are obsolete, the journal is replaced atomically by the shortest journal that describes the same state. A lock on the journal
/// allows only one process at a time to use the journal.
final class BackgroundJournal {
  private let folder: String
  private let identifier: String
  private let lock: Int32
  private var file: Int32 = -1
  private var length: Int64 = 0
  private var lineCount = 0
  /// The unfinished tasks and undelivered results that the journal describes.
  private(set) var state: BackgroundState

  /// The number of lines up to which the journal is never compacted.
  private static let limit = 1_000

  private var path: String { folder + "/journal" }

  /// Opens the journal, or creates it. A copy of a damaged journal is kept as `journal.damaged`.
  init(folder: String, identifier: String) throws(NetworkingError) {
    self.folder = folder
    self.identifier = identifier
    do throws(FileFailure) {
      try Directories.make(folder)
    } catch {
      throw NetworkingError(.download(error))
    }
    // Header fields may contain secrets.
    guard chmod(folder, 0o700) == 0 else { throw Self.failure(folder, .create) }
    let lock = open(folder + "/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw Self.failure(folder + "/lock", .create) }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      let number = errno
      close(lock)
      throw number == EWOULDBLOCK
        ? NetworkingError(.background(.inUse(identifier: identifier))) : Self.failure(folder + "/lock", .open, number)
    }
    self.lock = lock
    let path = folder + "/journal"
    var bytes: [UInt8] = []
    if access(path, F_OK) == 0 {
      do throws(NetworkingError.File) {
        bytes = try FileContent.read(path)
      } catch {
        close(lock)
        throw NetworkingError(.background(.journal(error)))
      }
    }
    let read = JournalLine.read(bytes)
    var state = read.state
    if read.damaged > 0 {
      unlink(path + ".damaged")
      link(path, path + ".damaged")
    }
    if state.identifier.map({ $0 != identifier }) ?? false {
      close(lock)
      throw NetworkingError(.background(.unusable("its folder belongs to \(state.identifier ?? "")")))
    }
    state.apply(.header(identifier: identifier, nextID: state.nextID))
    self.state = state
    try rewrite()
  }

  /// Closes the journal and releases its lock.
  deinit {
    if file >= 0 { close(file) }
    close(lock)
  }

  private static func failure(_ path: String, _ operation: NetworkingError.File.Operation, _ number: Int32 = errno) -> NetworkingError {
    NetworkingError(.background(.journal(.init(path: path, operation: operation, detail: systemMessage(number)))))
  }

  /// Appends entries. When the function returns, all entries are on the disk. If it throws, none of the entries
  /// is on the disk.
  func append(_ entries: BackgroundEntry...) throws(NetworkingError) {
    var bytes: [UInt8] = []
    for entry in entries { JournalLine.encode(entry, into: &bytes) }
    guard Self.write(bytes, to: file), fdatasync(file) == 0 else {
      let error = Self.failure(path, .write)
      // A partial line would become the beginning of the next line.
      _ = ftruncate(file, off_t(length))
      throw error
    }
    length += Int64(bytes.count)
    lineCount += entries.count
    for entry in entries { state.apply(entry) }
    if lineCount > Self.limit, lineCount > 8 * (state.tasks.count + state.results.count) {
      // If the journal cannot be compacted, it stays usable, and the next append tries again.
      try? rewrite()
    }
  }

  /// Replaces the journal with the shortest journal that describes the same state.
  private func rewrite() throws(NetworkingError) {
    let entries = state.entries(identifier: identifier)
    var bytes: [UInt8] = []
    for entry in entries { JournalLine.encode(entry, into: &bytes) }
    let temporary = path + ".new"
    let made = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard made >= 0 else { throw Self.failure(temporary, .create) }
    guard Self.write(bytes, to: made), fsync(made) == 0, rename(temporary, path) == 0 else {
      let error = Self.failure(path, .write)
      close(made)
      unlink(temporary)
      throw error
    }
    // Flush the folder too: the file's name is on the disk only after that.
    let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if directory >= 0 {
      fsync(directory)
      close(directory)
    }
    if file >= 0 { close(file) }
    file = made
    length = Int64(bytes.count)
    lineCount = entries.count
  }

  private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var start = 0
      while start < buffer.count {
        let count = Glibc.write(file, buffer.baseAddress.map { $0 + start }, buffer.count - start)
        if count < 0, errno == EINTR { continue }
        if count <= 0 { return false }
        start += count
      }
      return true
    }
  }
}
