import GarlandText
import Glibc
import Synchronization

/// The part of a cache that is on the disk: a file for each entry, in a folder that several processes may share.
///
/// The files are authoritative. A file is written under a temporary name and moved to its final path when it is complete, so that no
/// process ever reads a partial file. A crash leaves at most an unused file, which is removed later. Nothing is flushed to the disk:
/// digests detect files that a power failure damaged.
///
/// The size and the time of last use of each file are also kept in memory, to choose the files to remove. From time to time, these values
/// are compared with the files in the folder.
final class DiskStore: Sendable {
  private struct State {
    var list = LRUList<CacheKey>()
    var hasLooked = false
    var isLooking = false
    /// The entries that were added to the cache while its folder was being scanned. The scan may have missed these entries.
    var added: Set<CacheKey> = []
    /// The number of writes in progress for the key of each entry that is being written. The file of such an entry may be at its final path
    /// before ``list`` contains the entry. Neither a scan nor the eviction of an older entry with the same key may remove this file.
    var arriving: [CacheKey: Int] = [:]
    var writtenSince: Int64 = 0

    /// Records that a pending write of the entry `key` has finished or failed.
    mutating func withdraw(_ key: CacheKey) {
      guard let count = arriving[key] else { return }
      arriving[key] = count > 1 ? count - 1 : nil
    }
  }

  /// The version of the file format, which is also the name of the folder with the entries. Change it when the format changes.
  private static let version = "v1"

  let capacity: Int64
  private let folder: String
  private let temporaryFolder: String
  private let state = Mutex(State())
  /// Allows only one scan of the cache folder at a time. Entries that are added during a scan are recorded, and the end of the scan clears
  /// the record. If two scans ran at the same time, the scan that ended first would clear the record, and the other scan would miss the new
  /// entries.
  private let looking = Mutex(())

  /// The maximum size of an entry in bytes: a twentieth of the capacity.
  var entryLimit: Int64 { capacity / 20 }

  /// Opens the cache folder, and creates the folder if it is missing. Throws if the folder cannot be used.
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
      // The files are trusted and private: the folder must belong to this user, and nobody else may
      // read or write it.
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

  /// Opens the file of an entry. If the entry is damaged, removes the entry and throws an error.
  ///
  /// - Parameters:
  ///   - key: the key of the entry.
  ///   - primary: the key of the URL to which the entry belongs.
  func open(_ key: CacheKey, of primary: CacheKey) throws(EntryFile.Absence) -> EntryFile {
    let path = path(of: key)
    do throws(EntryFile.Absence) {
      return try EntryFile(path: path, of: primary)
    } catch {
      if case .damaged = error { remove(key) }
      throw error
    }
  }

  /// Returns the identity of the current entry for a key; nil if there is no entry.
  func identity(of key: CacheKey) -> EntryFile.Identity? {
    var status = stat()
    return lstat(path(of: key), &status) == 0 ? EntryFile.Identity(status) : nil
  }

  /// Records that an entry was used: in memory and, for other processes, in the access time of the file.
  func touch(_ key: CacheKey) {
    state.withLock { $0.list.touch(key) }
    // `UTIME_NOW` for the last use and `UTIME_OMIT` for the last change, which Swift does not import.
    let times = [timespec(tv_sec: 0, tv_nsec: 0x3FFF_FFFF), timespec(tv_sec: 0, tv_nsec: 0x3FFF_FFFE)]
    // The result does not matter: the entry may have been removed meanwhile.
    _ = utimensat(AT_FDCWD, path(of: key), times, AT_SYMLINK_NOFOLLOW)
  }

  // MARK: Writing

  /// Creates a file to write a body into. The caller passes the file to ``write(_:_:at:of:)``.
  func temporaryEntry() throws(SystemError) -> TemporaryEntry {
    do throws(SystemError) {
      return try TemporaryEntry(in: temporaryFolder)
    } catch {
      // The whole folder was removed, so it is created again.
      guard error.number == ENOENT else { throw error }
      try makeFolders()
      return try TemporaryEntry(in: temporaryFolder)
    }
  }

  /// Stores an entry under a key, replacing an existing entry. Returns the identity of the entry's file; nil if the entry is too large. For
  /// tests, calls `hasPlaced` after the file was moved and before the entry is recorded.
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

  /// Moves the entry of one key to another key.
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

  /// Records that an entry is about to be moved to its final path. Call ``note(_:size:)`` afterwards, or
  /// `withdraw` if the move fails.
  private func announce(_ key: CacheKey) { state.withLock { $0.arriving[key, default: 0] += 1 } }

  /// Records an entry that was moved to its final path, and frees space for it.
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

  /// Removes the least recently used entries until the cache is within its capacity.
  ///
  /// At most 16 entries are removed at a time. Meanwhile the lock is held, so that no other thread adds an entry with the key of a removed
  /// entry. Then the lock is released for a moment, so that threads that wait for the lock can proceed.
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

  /// Returns the number of bytes that a file of `size` bytes occupies on the disk, in blocks of 4 KiB.
  private static func occupied(_ size: Int64) -> Int64 { (size + 4095) / 4096 * 4096 }

  // MARK: Reading the folder

  /// Returns whether the caller must now scan the folder for entries of other processes. If the result is true, the scan is marked as
  /// begun, so that other callers do not start the same scan.
  func wantsLook() -> Bool {
    state.withLock { state in
      // Other processes write to the folder too. Each process counts only its own entries, and scans the folder
      // after it has written an eighth of the capacity.
      guard !state.isLooking, !state.hasLooked || state.writtenSince > capacity / 8 else { return false }
      state.isLooking = true
      return true
    }
  }

  /// Scans the folder for the cache entries of all processes, and frees space. `hasListed` is called after the files were listed and before
  /// the list is processed; only tests use `hasListed`.
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

  /// Removes partly written cache files that remain after a crash. Files younger than an hour are kept, since a process may still be
  /// writing them.
  private func removeLeftovers() {
    // The times of files come from the system's clock, even if the cache uses another clock.
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

  /// The number of bytes and entries in the folder of the cache, according to the last scan of the folder and the changes that this process
  /// has made since then.
  var usage: (bytes: Int64, entries: Int) { state.withLock { ($0.list.size, $0.list.count) } }

  /// Removes every entry of the cache from the disk.
  func removeAll() {
    look()
    let keys = state.withLock { state in
      defer { state.list.removeAll() }
      return state.list.ordered
    }
    for key in keys { unlink(path(of: key)) }
  }
}
