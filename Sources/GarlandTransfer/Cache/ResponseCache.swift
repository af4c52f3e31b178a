import GarlandCrypto
import Glibc
import Synchronization

/// Stores responses, so that a server need not answer the same request again: a private cache as defined in RFC 9111.
///
/// ```swift
/// var configuration = SessionConfiguration.default
/// configuration.cache = try ResponseCache(directory: "/home/ada/.cache/example")
/// let session = Session(configuration)
/// ```
/// The cache is in memory and, if it has a folder, on disk. The least recently used responses are removed first. A response may take at
/// most a twentieth of the capacity. Several sessions may share a cache, and several processes may share a folder. A folder belongs to one
/// user, and nobody else can read its files.
///
/// A file that was damaged, or truncated by a crash, is never used: it is recognised by its digests and removed. A disk failure does not
/// make requests fail; ``statistics-swift.property`` reports it.
public final class ResponseCache: Sendable, Hashable {
  /// The default memory capacity: 16 MiB.
  public static let defaultMemoryCapacity: Int64 = 16 << 20
  /// The default disk capacity: 256 MiB.
  public static let defaultDiskCapacity: Int64 = 256 << 20

  /// The numbers of hits, misses and other events since the cache was created.
  public struct Statistics: Sendable, Hashable {
    /// The number of requests answered from the cache without a server.
    public var hits = 0
    /// The number of requests answered from the cache after a server confirmed that nothing has changed.
    public var validations = 0
    /// The number of requests for which the cache had no stored response that it was allowed to use.
    public var misses = 0
    /// The number of responses that were stored.
    public var stored = 0
    /// The number of damaged files that were removed.
    public var damaged = 0
    /// The number of failures of the cache on disk, such as a file that could not be written.
    public var failures = 0
    /// The message of the last disk failure; nil if there was none.
    public var lastFailure: String?
  }

  /// The size of the cache's contents.
  public struct Usage: Sendable, Hashable {
    /// The approximate number of bytes of the responses that are stored in memory.
    public var memoryBytes: Int64
    /// The number of bytes that the files occupy.
    public var diskBytes: Int64
    /// The number of files in the cache.
    public var diskEntries: Int
  }

  /// The folder of the cache's files; nil if the cache is only in memory.
  public let directory: String?
  /// The maximum number of bytes in memory.
  public let memoryCapacity: Int64
  /// The maximum number of bytes that the cache's files occupy; 0 if the cache has no files.
  public let diskCapacity: Int64
  /// The closure that returns the current time in seconds since 1970.
  package let now: @Sendable () -> Int64
  let disk: DiskStore?
  private let memory: Mutex<MemoryStore>
  private let counts = Mutex(Statistics())

  /// Creates a cache in memory.
  ///
  /// - Parameters:
  ///   - memoryCapacity: The maximum number of bytes.
  ///   - now: Returns the current time in seconds since 1970.
  public init(memoryCapacity: Int64 = defaultMemoryCapacity, now: @escaping @Sendable () -> Int64 = SessionClock().secondsSince1970) {
    directory = nil
    self.memoryCapacity = max(0, memoryCapacity)
    diskCapacity = 0
    self.now = now
    disk = nil
    memory = Mutex(MemoryStore(capacity: self.memoryCapacity))
  }

  /// Creates a cache in a folder. Small responses are also kept in memory.
  ///
  /// - Parameters:
  ///   - directory: The folder, created if it is missing. The cache uses a subfolder that only the
  ///     user can read.
  ///   - memoryCapacity: The maximum number of bytes in memory.
  ///   - diskCapacity: The maximum number of bytes that the files occupy.
  ///   - now: Returns the current time in seconds since 1970.
  /// - Throws: ``NetworkingError/Reason/cache(_:)`` or ``NetworkingError/Reason/download(_:)`` if
  ///   the folder cannot be created or used.
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

  /// Returns a user's cache folder (the XDG base directory specification): `garland` in
  /// `$XDG_CACHE_HOME`, otherwise in `$HOME/.cache`; nil if neither is an absolute path.
  public static func userDirectory(environment: [String: String]) -> String? {
    func absolute(_ name: String) -> String? { environment[name].flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil } }
    return absolute("XDG_CACHE_HOME").map { $0 + "/garland" } ?? absolute("HOME").map { $0 + "/.cache/garland" }
  }

  // MARK: Inspection and removal

  /// The numbers of cache events since the cache was created.
  public var statistics: Statistics { counts.withLock { $0 } }

  /// Returns the size of the cache's contents. Reads the cache's folder, if it has one.
  public func usage() async -> Usage {
    disk?.look()
    let onDisk = disk?.usage ?? (bytes: 0, entries: 0)
    return Usage(memoryBytes: memory.withLock { $0.usage.bytes }, diskBytes: onDisk.bytes, diskEntries: onDisk.entries)
  }

  /// Removes all responses.
  public func removeAll() {
    memory.withLock { $0.removeAll() }
    disk?.removeAll()
  }

  /// Removes the responses for a URL. Returns whether any response was stored for it.
  @discardableResult
  public func removeResponses(for url: String) -> Bool {
    guard let url = try? URLReference(url), let key = try? CacheKey(url: url) else { return false }
    let wasThere = load(key, of: key) != nil
    remove(key)
    return wasThere
  }

  /// Whether both operands are the same cache object.
  public static func == (left: ResponseCache, right: ResponseCache) -> Bool { left === right }
  /// Hashes the identity of the cache.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  // MARK: Finding

  /// A stored response that matches a request.
  struct Found: Sendable {
    /// The key under which the response is stored.
    let key: CacheKey
    let head: StoredHead
    let body: EntryBody
  }

  /// Returns the stored response that matches a request; nil if there is none. `primary` is the key of the request's URL. `value` returns
  /// the value that a header field has in the request; its parameter is the name of the field.
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
    // Another process may have replaced or removed the file.
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

  /// The maximum size in bytes of a stored body that is read into memory at once. A larger body is read from its file in pieces.
  static let immediateLimit = 64 << 10

  private func touch(_ key: CacheKey) {
    memory.withLock { $0.touch(key) }
    disk?.touch(key)
  }

  // MARK: Storing

  /// The maximum size in bytes of a body that the cache stores.
  var bodyLimit: Int64 { disk?.entryLimit ?? memory.withLock { $0.entryLimit } }

  /// Creates a temporary file for the body of a response; returns nil if the cache is only in memory.
  func temporaryEntry() throws(SystemError) -> TemporaryEntry? { try disk?.temporaryEntry() }

  /// Stores a response to a request. The cache uses it for every later request whose header fields `names` have the same values as in this
  /// request.
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

  /// Returns the cache key for a response that may be reused only for requests with the same values of certain header fields. Also returns
  /// the ``Selection`` that recognises these requests.
  ///
  /// The first response for a URL is stored under the key of the URL. When a response for other values of the fields is stored, this method
  /// moves the first response to another key. From then on, only the names of the fields are stored under the key of the URL.
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

  /// Replaces the header of a stored response and keeps its body.
  func update(_ found: Found, to head: StoredHead, of primary: CacheKey) {
    if let body = newBody(of: found) { write(.response(head), body, at: found.key, of: primary) }
  }

  /// Stores another response for a URL: the header `head` with the body of the stored response `found`.
  ///
  /// - Parameters:
  ///   - names: the names of header fields. The cache uses the response only for a request that has the same values in these fields as the
  ///     original request.
  ///   - value: returns the value that a field has in the original request.
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
        // Remove the stored response, which is older than the response that could not be stored.
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

  /// Removes the entry of a key. If the key belongs to a URL, the cache can no longer find any of the responses that are stored for this
  /// URL.
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
