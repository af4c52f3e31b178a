import GarlandCrypto
import Glibc
import Synchronization

/// The part of a cache that is on the disk: a file for each entry, in a folder that several processes may share.
///
/// The files are the truth. A file is written beside them and moved to its place when it is whole, so that nobody ever sees a part of one; a crash leaves at most a
/// file that nobody looks at, which is removed later. Nothing is synced: what a loss of power damages is found by its digests when it is read. What is
/// remembered of sizes and uses serves to make room, and is compared with the folder now and then.
final class DiskStore: Sendable {
  private struct State {
    var list = LRUList<CacheKey>()
    var hasLooked = false
    var isLooking = false
    /// What came while somebody looked at the folder, and may have been overlooked.
    var added: Set<CacheKey> = []
    /// Whose files may be at their places, or come there at any moment, while the list does not have them yet: they are not to be taken for what somebody else has left,
    /// nor removed with what they replace. How many are on their way for each.
    var arriving: [CacheKey: Int] = [:]
    var writtenSince: Int64 = 0

    /// One that was on its way is there, or will not come.
    mutating func withdraw(_ key: CacheKey) {
      guard let count = arriving[key] else { return }
      arriving[key] = count > 1 ? count - 1 : nil
    }
  }

  /// What a version of this library that writes other files must change.
  private static let version = "v1"

  let capacity: Int64
  private let folder: String
  private let temporaryFolder: String
  private let state = Mutex(State())
  /// One look at a time: what comes during one would be overlooked by another that ends later.
  private let looking = Mutex(())

  /// How large an entry may be.
  var entryLimit: Int64 { capacity / 20 }

  /// Makes the folder if it is not there. Throws if it can't be used.
  init(directory: String, capacity: Int64) throws(NetworkingError) {
    self.capacity = capacity
    folder = (directory.utf8.last == UInt8(ascii: "/") ? directory : directory + "/") + Self.version
    temporaryFolder = folder + "/tmp"
    do throws(FileFailure) {
      try Directories.make(directory)
    } catch {
      throw NetworkingError(.download(error))
    }
    do throws(SystemError) {
      try makeFolders()
    } catch {
      throw NetworkingError(.cache(error.file))
    }
  }

  private func makeFolders() throws(SystemError) {
    for path in [folder, temporaryFolder] {
      if mkdir(path, 0o700) == 0 { continue }
      guard errno == EEXIST else { throw SystemError(path: path, operation: .create) }
      var status = stat()
      guard lstat(path, &status) == 0 else { throw SystemError(path: path, operation: .open) }
      if status.st_mode & S_IFMT != S_IFDIR { errno = ENOTDIR }
      // What is here is trusted, and private: it must be ours, and nobody else's to read or write.
      guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() || failed(EPERM),
        status.st_mode & 0o077 == 0 || chmod(path, 0o700) == 0
      else { throw SystemError(path: path, operation: .open) }
    }
  }

  private func failed(_ number: Int32) -> Bool {
    errno = number
    return false
  }

  func path(of key: CacheKey) -> String {
    let hex = key.hex
    return "\(folder)/\(hex.prefix(2))/\(hex.dropFirst(2))"
  }

  // MARK: Reading

  /// Opens the entry under a key. A damaged one is removed.
  func open(_ key: CacheKey, of primary: CacheKey) throws(EntryFile.Absence) -> EntryFile {
    let path = path(of: key)
    do throws(EntryFile.Absence) {
      return try EntryFile(path: path, of: primary)
    } catch {
      if case .damaged = error { remove(key) }
      throw error
    }
  }

  /// What is under a key now; nil if nothing is.
  func identity(of key: CacheKey) -> EntryFile.Identity? {
    var status = stat()
    return lstat(path(of: key), &status) == 0 ? EntryFile.Identity(status) : nil
  }

  /// Notes that an entry was used, for this process and for others.
  func touch(_ key: CacheKey) {
    state.withLock { $0.list.touch(key) }
    // `UTIME_NOW` for the last use and `UTIME_OMIT` for the last change, which Swift does not import.
    let times = [timespec(tv_sec: 0, tv_nsec: 0x3FFF_FFFF), timespec(tv_sec: 0, tv_nsec: 0x3FFF_FFFE)]
    // Whether it succeeds is all the same: the entry may have gone meanwhile.
    _ = utimensat(AT_FDCWD, path(of: key), times, AT_SYMLINK_NOFOLLOW)
  }

  // MARK: Writing

  /// A file to write a body into. It is to be given to ``write(_:_:at:of:)``.
  func temporaryEntry() throws(SystemError) -> TemporaryEntry {
    do throws(SystemError) {
      return try TemporaryEntry(in: temporaryFolder)
    } catch {
      // Somebody has removed all of it: begin anew.
      guard error.number == ENOENT else { throw error }
      try makeFolders()
      return try TemporaryEntry(in: temporaryFolder)
    }
  }

  /// Puts an entry under a key, in place of what is there. Nil if it is too large. Between moving it to its place and noting it calls `hasPlaced`, for tests.
  func write(
    _ record: CacheRecord, _ body: NewBody, at key: CacheKey, of primary: CacheKey, hasPlaced: () -> Void = {}
  ) throws(WriteError) -> EntryFile.Identity? {
    let recordBytes = RecordCoding.encode(record)
    let size = Int64(body.length + recordBytes.count + EntryLayout.tailSize)
    guard size <= entryLimit else { return nil }
    do {
      let entry: TemporaryEntry
      switch body {
      case .bytes(let bytes, let digest):
        entry = try temporaryEntry()
        let ending = try EntryLayout.ending(record: recordBytes, bodyLength: bytes.count, bodyDigest: digest, of: primary)
        try entry.write(bytes + ending)
      case .temporary(let temporary, let length, let digest):
        entry = temporary
        try entry.write(try EntryLayout.ending(record: recordBytes, bodyLength: length, bodyDigest: digest, of: primary))
      case .file(let file):
        entry = try temporaryEntry()
        try entry.copy(file.layout.bodyLength, of: file)
        try entry.write(
          try EntryLayout.ending(record: recordBytes, bodyLength: file.layout.bodyLength, bodyDigest: file.layout.bodyDigest, of: primary))
      }
      announce(key)
      let identity: EntryFile.Identity
      do throws(SystemError) {
        identity = try place(entry, at: key)
      } catch {
        state.withLock { $0.withdraw(key) }
        throw error
      }
      hasPlaced()
      note(key, size: size)
      return identity
    } catch let error as SystemError {
      throw .system(error)
    } catch {
      throw .crypto("\(error)")
    }
  }

  enum WriteError: Error {
    case system(SystemError)
    case crypto(String)
  }

  private func place(_ entry: TemporaryEntry, at key: CacheKey) throws(SystemError) -> EntryFile.Identity {
    let path = path(of: key)
    do throws(SystemError) {
      return try entry.move(to: path)
    } catch {
      guard error.number == ENOENT else { throw error }
      let shard = String(path.prefix(folder.count + 3))
      guard mkdir(shard, 0o700) == 0 || errno == EEXIST else { throw SystemError(path: shard, operation: .create) }
      return try entry.move(to: path)
    }
  }

  /// Puts the entry of one key under another.
  func move(_ key: CacheKey, to other: CacheKey) {
    let target = path(of: other)
    _ = mkdir(String(target.prefix(folder.count + 3)), 0o700)
    announce(other)
    guard rename(path(of: key), target) == 0 else {
      state.withLock { $0.withdraw(other) }
      return
    }
    var status = stat()
    let size = lstat(target, &status) == 0 ? Int64(status.st_size) : 0
    state.withLock { _ = $0.list.remove(key) }
    note(other, size: size)
  }

  func remove(_ key: CacheKey) {
    unlink(path(of: key))
    state.withLock { _ = $0.list.remove(key) }
  }

  /// An entry is about to come to its place: ``note(_:size:)`` follows, or it is withdrawn.
  private func announce(_ key: CacheKey) { state.withLock { $0.arriving[key, default: 0] += 1 } }

  /// Notes an entry, and makes room for it.
  private func note(_ key: CacheKey, size: Int64) {
    let size = Self.occupied(size)
    state.withLock { state in
      state.withdraw(key)
      state.list.insert(key, size: size)
      if state.isLooking { state.added.insert(key) }
      state.writtenSince += size
    }
    makeRoom()
  }

  /// Removes what was not used for the longest time, some at a time: others wait for the lock, under which it is removed so that nothing new comes in its place before.
  private func makeRoom() {
    var goesOn = true
    while goesOn {
      goesOn = state.withLock { state in
        let evicted = state.list.shrink(to: capacity, atMost: 16)
        for key in evicted where state.arriving[key] == nil { unlink(path(of: key)) }
        return !evicted.isEmpty
      }
    }
  }

  /// What a file takes on the disk.
  private static func occupied(_ size: Int64) -> Int64 { (size + 4095) / 4096 * 4096 }

  // MARK: Looking at the folder

  /// Whether it is time to see what others have left there. True once for each time.
  func wantsLook() -> Bool {
    state.withLock { state in
      // Others write there as well: each keeps its own count, and sees the rest every eighth of the whole.
      guard !state.isLooking, !state.hasLooked || state.writtenSince > capacity / 8 else { return false }
      state.isLooking = true
      return true
    }
  }

  /// Sees what is in the folder, whoever wrote it, and makes room. Between listing it and drawing conclusions it calls `hasListed`, for tests.
  func look(hasListed: () -> Void = {}) { looking.withLock { _ in lookAlone(hasListed) } }

  private func lookAlone(_ hasListed: () -> Void) {
    state.withLock { state in
      state.isLooking = true
      state.added = []
    }
    var found: [(key: CacheKey, size: Int64, used: timespec)] = []
    for shard in 0..<256 {
      let prefix = Hex.encode([UInt8(shard)])
      Self.list("\(folder)/\(prefix)") { name, status in
        guard let bytes = try? Hex.decode(prefix + name), let key = CacheKey(bytes: bytes) else { return }
        found.append((key, Self.occupied(Int64(status.st_size)), status.st_atim))
      }
    }
    removeLeftovers()
    hasListed()
    found.sort { ($0.used.tv_sec, $0.used.tv_nsec) > ($1.used.tv_sec, $1.used.tv_nsec) }
    let there = Set(found.map(\.key))
    state.withLock { state in
      for key in Array(state.list.keys) where !there.contains(key) && !state.added.contains(key) { state.list.remove(key) }
      for entry in found where state.arriving[entry.key] == nil { state.list.insertOldest(entry.key, size: entry.size) }
      state.isLooking = false
      state.hasLooked = true
      state.added = []
      state.writtenSince = 0
    }
    makeRoom()
  }

  /// Removes what a crash has left half written. Files that are younger than an hour may be somebody's work.
  private func removeLeftovers() {
    // The time of the file system, which is the system's, whatever clock the cache has.
    let now = time(nil)
    Self.list(temporaryFolder) { name, status in if status.st_mtim.tv_sec < now - 3600 { unlink("\(temporaryFolder)/\(name)") } }
  }

  private static func list(_ path: String, _ body: (String, stat) -> Void) {
    guard let folder = opendir(path) else { return }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      var status = stat()
      guard fstatat(dirfd(folder), name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      body(name, status)
    }
  }

  /// How many bytes and entries there are, as far as is known.
  var usage: (bytes: Int64, entries: Int) { state.withLock { ($0.list.size, $0.list.count) } }

  /// Removes every entry.
  func removeAll() {
    look()
    let keys = state.withLock { state in
      defer { state.list.removeAll() }
      return state.list.ordered
    }
    for key in keys { unlink(path(of: key)) }
  }
}
