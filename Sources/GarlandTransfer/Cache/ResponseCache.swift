import GarlandCrypto
import Glibc
import Synchronization

/// Keeps responses, so that the same request need not be answered by a server again: a private cache by the rules of RFC 9111.
///
/// ```swift
/// var configuration = SessionConfiguration.default
/// configuration.cache = try ResponseCache(directory: "/home/ada/.cache/example")
/// let session = Session(configuration)
/// ```
/// It is in memory, and on the disk if it is told where. What was not used for the longest time goes first when there is no room. One response takes a
/// twentieth of the room at most. Several sessions may share a cache, and several processes a folder; it is for one user, whose files are for nobody else to read.
///
/// A file that was damaged, or cut off by a crash, is never used: it is found by its digests and removed. Where the disk fails, requests do not:
/// ``statistics-swift.property`` tells of it.
public final class ResponseCache: Sendable, Hashable {
  /// 16 MiB.
  public static let defaultMemoryCapacity: Int64 = 16 << 20
  /// 256 MiB.
  public static let defaultDiskCapacity: Int64 = 256 << 20

  /// What has happened since it was made.
  public struct Statistics: Sendable, Hashable {
    /// Requests that were answered from it, without a server.
    public var hits = 0
    /// Requests that were answered from it after a server had said that nothing has changed.
    public var validations = 0
    /// Requests that it could have answered and had nothing for.
    public var misses = 0
    /// Responses that were stored.
    public var stored = 0
    /// Files that were not what had been written, and were removed.
    public var damaged = 0
    /// How often the disk failed.
    public var failures = 0
    /// What the system said the last time.
    public var lastFailure: String?
  }

  /// How much it holds.
  public struct Usage: Sendable, Hashable {
    /// In bytes, about.
    public var memoryBytes: Int64
    /// In bytes, as the files take them.
    public var diskBytes: Int64
    /// How many files there are.
    public var diskEntries: Int
  }

  /// Where it keeps its files; nil if it has none.
  public let directory: String?
  /// How many bytes it holds in memory at most.
  public let memoryCapacity: Int64
  /// How many bytes its files take at most; 0 without files.
  public let diskCapacity: Int64
  /// The time of day in seconds since 1970.
  package let now: @Sendable () -> Int64
  let disk: DiskStore?
  private let memory: Mutex<MemoryStore>
  private let counts = Mutex(Statistics())

  /// A cache in memory.
  ///
  /// - Parameters:
  ///   - memoryCapacity: How many bytes it holds at most.
  ///   - now: The time of day in seconds since 1970.
  public init(memoryCapacity: Int64 = defaultMemoryCapacity, now: @escaping @Sendable () -> Int64 = SessionClock().secondsSince1970) {
    directory = nil
    self.memoryCapacity = max(0, memoryCapacity)
    diskCapacity = 0
    self.now = now
    disk = nil
    memory = Mutex(MemoryStore(capacity: self.memoryCapacity))
  }

  /// A cache in a folder, whose smaller entries are in memory as well.
  ///
  /// - Parameters:
  ///   - directory: The folder, which is made if it is not there. In it the cache has a folder of its own, which only the user may read.
  ///   - memoryCapacity: How many bytes it holds in memory at most.
  ///   - diskCapacity: How many bytes its files take at most.
  ///   - now: The time of day in seconds since 1970.
  /// - Throws: ``NetworkingError/Reason/cache(_:)`` or ``NetworkingError/Reason/download(_:)`` if the folder can't be made or used.
  public init(
    directory: String, memoryCapacity: Int64 = defaultMemoryCapacity, diskCapacity: Int64 = defaultDiskCapacity,
    now: @escaping @Sendable () -> Int64 = SessionClock().secondsSince1970
  ) throws(NetworkingError) {
    self.directory = directory
    self.memoryCapacity = max(0, memoryCapacity)
    self.diskCapacity = max(0, diskCapacity)
    self.now = now
    disk = try DiskStore(directory: directory, capacity: self.diskCapacity)
    memory = Mutex(MemoryStore(capacity: self.memoryCapacity))
  }

  /// Where a user's caches are (the XDG base directory specification): `garland` in `$XDG_CACHE_HOME`, else in `$HOME/.cache`; nil if neither is an absolute path.
  public static func userDirectory(environment: [String: String]) -> String? {
    func absolute(_ name: String) -> String? { environment[name].flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil } }
    return absolute("XDG_CACHE_HOME").map { $0 + "/garland" } ?? absolute("HOME").map { $0 + "/.cache/garland" }
  }

  // MARK: For its owner

  /// What has happened since it was made.
  public var statistics: Statistics { counts.withLock { $0 } }

  /// How much it holds. Looks at the folder.
  public func usage() async -> Usage {
    disk?.look()
    let onDisk = disk?.usage ?? (bytes: 0, entries: 0)
    return Usage(memoryBytes: memory.withLock { $0.usage.bytes }, diskBytes: onDisk.bytes, diskEntries: onDisk.entries)
  }

  /// Forgets everything.
  public func removeAll() {
    memory.withLock { $0.removeAll() }
    disk?.removeAll()
  }

  /// Forgets the responses for a URL. True if there was one.
  @discardableResult
  public func removeResponses(for url: String) -> Bool {
    guard let url = try? URLReference(url), let key = try? CacheKey(url: url) else { return false }
    let wasThere = load(key, of: key) != nil
    remove(key)
    return wasThere
  }

  /// Whether they are the same cache.
  public static func == (left: ResponseCache, right: ResponseCache) -> Bool { left === right }
  /// By identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  // MARK: Finding

  /// A stored response that is for a request.
  struct Found: Sendable {
    /// Where it is.
    let key: CacheKey
    let head: StoredHead
    let body: EntryBody
  }

  /// The response that is stored under a key for requests with these values.
  func find(_ primary: CacheKey, _ value: (String) -> String?) -> Found? {
    guard let (record, body) = load(primary, of: primary) else { return nil }
    switch record {
    case .response(let head):
      if let selection = head.selection {
        let wanted = try? CacheKey(of: primary, names: selection.names, nonce: selection.nonce, value: value)
        if wanted != selection.digest { return nil }
      }
      touch(primary)
      return Found(key: primary, head: head, body: body)
    case .variants(let variants):
      guard let key = try? CacheKey(of: primary, names: variants.names, nonce: variants.nonce, value: value),
        let (record, body) = load(key, of: primary), case .response(let head) = record, head.selection?.digest == key
      else { return nil }
      touch(primary)
      touch(key)
      return Found(key: key, head: head, body: body)
    }
  }

  private func load(_ key: CacheKey, of primary: CacheKey) -> (CacheRecord, EntryBody)? {
    let item = memory.withLock { $0.item(key) }
    guard let disk else { return item.map { ($0.record, .bytes($0.body)) } }
    // Another process may have replaced or removed it.
    if let item, item.identity == disk.identity(of: key) { return (item.record, .bytes(item.body)) }
    if item != nil { memory.withLock { $0.remove(key) } }
    do throws(EntryFile.Absence) {
      let file = try disk.open(key, of: primary)
      guard file.layout.bodyLength <= Self.immediateLimit else { return (file.record, .file(file)) }
      let bytes = try file.checkedBody()
      memory.withLock { _ = $0.insert(.init(record: file.record, body: bytes, identity: file.identity), at: key) }
      return (file.record, .bytes(bytes))
    } catch {
      switch error {
      case .missing: break
      case .damaged: noteDamaged(key)
      case .failed(let number): note(failure: systemMessage(number))
      }
      return nil
    }
  }

  /// Bodies up to this size are read at once.
  static let immediateLimit = 64 << 10

  private func touch(_ key: CacheKey) {
    memory.withLock { $0.touch(key) }
    disk?.touch(key)
  }

  // MARK: Storing

  /// How large a body may be.
  var bodyLimit: Int64 { disk?.entryLimit ?? memory.withLock { $0.entryLimit } }

  /// A file to write a large body into; nil if it is to be kept in memory.
  func temporaryEntry() throws(SystemError) -> TemporaryEntry? { try disk?.temporaryEntry() }

  /// Stores a response for requests that have these values.
  func store(_ head: StoredHead, _ body: NewBody, at primary: CacheKey, names: [String], _ value: (String) -> String?) {
    do throws(CryptoError) {
      var head = head
      head.selection = nil
      var key = primary
      if !names.isEmpty { (key, head.selection) = try place(at: primary, names, value) }
      if write(.response(head), body, at: key, of: primary) { counts.withLock { $0.stored += 1 } }
    } catch {
      note(failure: "\(error)")
    }
  }

  /// Where a response goes that is not for every request. The first for a URL goes under the URL's own key; when there is a second, a list of names takes that
  /// place.
  private func place(
    at primary: CacheKey, _ names: [String], _ value: (String) -> String?
  ) throws(CryptoError) -> (CacheKey, Selection) {
    switch load(primary, of: primary)?.0 {
    case .variants(let variants) where variants.names == names:
      let key = try CacheKey(of: primary, names: names, nonce: variants.nonce, value: value)
      return (key, Selection(names: names, nonce: variants.nonce, digest: key))
    case .response(let other):
      guard let selection = other.selection, selection.names == names else { break }
      let key = try CacheKey(of: primary, names: names, nonce: selection.nonce, value: value)
      let own = Selection(names: names, nonce: selection.nonce, digest: key)
      if selection.digest == key { return (primary, own) }
      move(primary, to: selection.digest)
      write(.variants(Variants(names: names, nonce: selection.nonce)), .none, at: primary, of: primary)
      return (key, own)
    default: break
    }
    let nonce = try SecureRandom.bytes(16)
    let key = try CacheKey(of: primary, names: names, nonce: nonce, value: value)
    return (primary, Selection(names: names, nonce: nonce, digest: key))
  }

  /// Replaces the header of a stored response.
  func update(_ found: Found, to head: StoredHead, of primary: CacheKey) {
    if let body = newBody(of: found) { write(.response(head), body, at: found.key, of: primary) }
  }

  /// Stores a response that is stored already under another header, by which it is for other requests than before.
  func store(_ found: Found, as head: StoredHead, of primary: CacheKey, names: [String], _ value: (String) -> String?) {
    if let body = newBody(of: found) { store(head, body, at: primary, names: names, value) }
  }

  private func newBody(of found: Found) -> NewBody? {
    switch found.body {
    case .file(let file): return .file(file)
    case .bytes(let bytes):
      do throws(CryptoError) {
        return .bytes(bytes, digest: try Digest(of: bytes, using: .sha256).bytes)
      } catch {
        note(failure: "\(error)")
        return nil
      }
    }
  }

  @discardableResult
  private func write(_ record: CacheRecord, _ body: NewBody, at key: CacheKey, of primary: CacheKey) -> Bool {
    var identity: EntryFile.Identity?
    var bytes: [UInt8]?
    if case .bytes(let given, _) = body { bytes = given }
    if let disk {
      do throws(DiskStore.WriteError) {
        identity = try disk.write(record, body, at: key, of: primary)
      } catch {
        switch error {
        case .system(let failure):
          note(failure: "could not \(failure.file.operation.rawValue) \(failure.file.path): \(failure.file.detail)")
        case .crypto(let detail): note(failure: detail)
        }
      }
      if disk.wantsLook() { Task.detached(priority: .utility) { disk.look() } }
      guard let identity else {
        // What is there is older than what could not be stored.
        remove(key)
        return false
      }
      memory.withLock { memory in
        if let bytes { memory.insert(.init(record: record, body: bytes, identity: identity), at: key) } else { memory.remove(key) }
      }
      return true
    }
    guard let bytes else { return false }
    return memory.withLock { $0.insert(.init(record: record, body: bytes, identity: nil), at: key) }
  }

  private func move(_ key: CacheKey, to other: CacheKey) {
    memory.withLock { $0.move(key, to: other) }
    disk?.move(key, to: other)
  }

  /// Forgets what is under a key. The responses of a URL all go with the one under its own key: without that nobody finds them.
  func remove(_ key: CacheKey) {
    memory.withLock { $0.remove(key) }
    disk?.remove(key)
  }

  // MARK: Counting

  func count(_ change: (inout Statistics) -> Void) { counts.withLock { change(&$0) } }

  func noteDamaged(_ key: CacheKey) {
    remove(key)
    counts.withLock { $0.damaged += 1 }
  }

  func note(failure: String) {
    counts.withLock { counts in
      counts.failures += 1
      counts.lastFailure = failure
    }
  }
}
