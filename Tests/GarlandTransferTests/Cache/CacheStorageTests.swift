import Dispatch
import Glibc
import HTTPTypes
import TestSupport
import Testing

@testable import GarlandCrypto
@testable import GarlandTransfer

/// Tests that responses are stored in memory and on the disk, and found again.
@Suite("The stores of the cache", .timeLimit(.minutes(15))) struct CacheStorageTests {
  static func head(_ text: String = "ETag: \"a\"", status: Int = 200) -> StoredHead { CacheRulesTests.head(text, status: status) }

  static func key(_ url: String) throws -> CacheKey { try CacheKey(url: URLReference(url)) }

  static func body(_ bytes: [UInt8]) throws -> NewBody { .bytes(bytes, digest: try Digest(of: bytes, using: .sha256).bytes) }

  static func bytes(_ found: ResponseCache.Found?) throws -> [UInt8]? {
    switch found?.body {
    case .bytes(let bytes): bytes
    case .file(let file): try file.checkedBody()
    case nil: nil
    }
  }

  /// Returns the output of a program.
  static func run(_ path: String, _ arguments: [String]) throws -> String { try ChildProcess.runBlocking(path, arguments).output }

  static func files(in folder: TemporaryFolder) throws -> [String] {
    try run("/usr/bin/find", [folder.path + "/v1", "-type", "f"]).split(separator: "\n").map(String.init).sorted()
  }

  // MARK: The list of uses

  @Test func `if a cache exceeds its capacity, the least recently used entries are removed`() {
    var list = LRUList<String>()
    for key in ["a", "b", "c"] { list.insert(key, size: 10) }
    list.touch("a")
    #expect(list.ordered == ["a", "c", "b"])
    list.insertOldest("d", size: 5)
    list.insertOldest("a", size: 99)
    #expect(list.size == 35)
    #expect(list.shrink(to: 29) == ["d", "b"])
    list.insert("c", size: 1)
    #expect(list.ordered == ["c", "a"] && list.size == 11)
    #expect(list.shrink(to: 0) == ["a", "c"])
    #expect(list.size == 0 && list.ordered == [])
  }

  @Test func `after the same random changes, the LRU list of the cache has the same order as a simple array`() {
    var generator = SeededRandom(seed: 4)
    var list = LRUList<Int>()
    var model: [(key: Int, size: Int64)] = []
    for _ in 0..<5_000 {
      let key = Int.random(in: 0..<20, using: &generator)
      let size = Int64.random(in: 0...9, using: &generator)
      let place = model.firstIndex { $0.key == key }
      switch Int.random(in: 0..<5, using: &generator) {
      case 0:
        list.insert(key, size: size)
        if let place { model.remove(at: place) }
        model.insert((key, size), at: 0)
      case 1:
        list.insertOldest(key, size: size)
        if place == nil { model.append((key, size)) }
      case 2:
        list.touch(key)
        if let place { model.insert(model.remove(at: place), at: 0) }
      case 3:
        list.remove(key)
        if let place { model.remove(at: place) }
      default:
        _ = list.shrink(to: 40)
        while model.reduce(0, { $0 + $1.size }) > 40 { model.removeLast() }
      }
      #expect(list.ordered == model.map(\.key))
      #expect(list.size == model.reduce(0) { $0 + $1.size })
    }
  }

  // MARK: Files

  /// A file truncated at any byte, or with any byte changed, is not an entry.
  @Test func `a damaged cache file is removed and never used`() throws {
    let folder = try TemporaryFolder()
    let key = try Self.key("http://h/a")
    let other = try Self.key("http://h/b")
    let writer = try ResponseCache(directory: folder.path)
    writer.store(Self.head(), try Self.body(Array("hello".utf8)), at: key, names: []) { _ in nil }
    let path = try #require(try Self.files(in: folder).first)
    let whole = try folder.read(String(path.dropFirst(folder.path.count + 1)))
    let store = try DiskStore(directory: folder.path, capacity: 1 << 20)

    func isUsed(_ bytes: [UInt8], as key: CacheKey = key) throws -> Bool {
      try folder.write(String(store.path(of: key).dropFirst(folder.path.count + 1)), bytes)
      let cache = try ResponseCache(directory: folder.path)
      let found = cache.find(key) { _ in nil }
      if found == nil {
        #expect(cache.statistics.damaged == 1)
        #expect(access(store.path(of: key), F_OK) != 0, "a damaged file is removed")
      }
      return found != nil
    }
    #expect(try isUsed(whole))
    for length in 0..<whole.count { #expect(try !isUsed(Array(whole.prefix(length))), "cut off at \(length)") }
    for place in whole.indices {
      var bytes = whole
      bytes[place] ^= 0x10
      #expect(try !isUsed(bytes), "damaged at \(place)")
    }
    #expect(try !isUsed(whole + [0]))
    #expect(try !isUsed(whole, as: other), "a file under another name")
  }

  @Test func `cache files are readable only by their owner and contain no secret of a request`() throws {
    let folder = try TemporaryFolder()
    let cache = try ResponseCache(directory: folder.path + "/deep/cache")
    cache.store(Self.head("X-Secret: hunter2"), try Self.body([1]), at: try Self.key("http://h/?token=hunter2"), names: [":credentials"]) {
      _ in
      "Bearer hunter2"
    }
    var status = stat()
    #expect(stat(folder.path + "/deep/cache/v1", &status) == 0 && status.st_mode & 0o777 == 0o700)
    let listing = try Self.run("/usr/bin/find", [folder.path + "/deep/cache/v1", "-printf", "%y %m %p\n"])
    for line in listing.split(separator: "\n") { #expect(line.hasPrefix("f 600 ") || line.hasPrefix("d 700 "), "\(line)") }
    #expect(!listing.contains("hunter2"))
    // The file contains the response, but neither the URL nor the request.
    let file = try #require(listing.split(separator: "\n").first { $0.hasPrefix("f") }?.split(separator: " ").last)
    let text = String(decoding: try folder.read(String(file.dropFirst(folder.path.count + 1))), as: UTF8.self)
    #expect(text.contains("X-Secret") && !text.contains("Bearer") && !text.contains("token"))
  }

  @Test func `a cache folder whose path is a file is refused`() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "")
    #expect(throws: NetworkingError.self) { try ResponseCache(directory: folder.path + "/file") }
    try folder.write("c/v1", "")
    let error = #expect(throws: NetworkingError.self) { try ResponseCache(directory: folder.path + "/c") }
    #expect(error?.reason == .cache(.init(path: folder.path + "/c/v1", operation: .open, detail: "Not a directory")))
  }

  @Test func `if two caches share a folder, each finds the responses that the other has stored`() async throws {
    let folder = try TemporaryFolder()
    // Two independent caches, like two processes.
    let one = try ResponseCache(directory: folder.path)
    let two = try ResponseCache(directory: folder.path)
    let key = try Self.key("http://h/a")
    one.store(Self.head("X: 1"), try Self.body([1]), at: key, names: []) { _ in nil }
    #expect(try Self.bytes(two.find(key) { _ in nil }) == [1])
    two.store(Self.head("X: 2"), try Self.body([2]), at: key, names: []) { _ in nil }
    #expect(try Self.bytes(one.find(key) { _ in nil }) == [2], "what is in memory is compared with the file")
    one.remove(key)
    #expect(two.find(key) { _ in nil } == nil)
    // An open entry keeps its content.
    let large = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
    one.store(Self.head(), try Self.body(large), at: key, names: []) { _ in nil }
    let found = two.find(key) { _ in nil }
    one.store(Self.head(), try Self.body([3]), at: key, names: []) { _ in nil }
    #expect(try Self.bytes(found) == large)
    #expect(try Self.bytes(two.find(key) { _ in nil }) == [3])
  }

  @Test(arguments: [true, false])
  func `the cache stores a separate response for each value of the request fields that Vary lists`(onDisk: Bool) throws {
    let folder = try TemporaryFolder()
    let cache = onDisk ? try ResponseCache(directory: folder.path) : ResponseCache()
    let key = try Self.key("http://h/a")
    let names = ["accept-language", "cookie"]
    func values(_ language: String?) -> (String) -> String? { { $0 == "accept-language" ? language : nil } }
    for (index, language) in ["de", "en", nil, "", "de, en"].enumerated() {
      cache.store(Self.head(), try Self.body([UInt8(index)]), at: key, names: names, values(language))
    }
    for (index, language) in ["de", "en", nil, "", "de ,en"].enumerated() {
      #expect(try Self.bytes(cache.find(key, values(language))) == [UInt8(index)], "\(language ?? "none")")
    }
    #expect(cache.find(key, values("fr")) == nil)
    // With the same list of names, one response is replaced. With another list, or without names, all responses
    // are replaced.
    cache.store(Self.head(), try Self.body([9]), at: key, names: names, values("en"))
    #expect(try Self.bytes(cache.find(key, values("en"))) == [9])
    #expect(try Self.bytes(cache.find(key, values("de"))) == [0])
    cache.remove(key)
    #expect(cache.find(key, values("de")) == nil)
    cache.store(Self.head(), try Self.body([7]), at: key, names: names, values("fr"))
    cache.store(Self.head(), try Self.body([8]), at: key, names: names, values("it"))
    #expect(cache.find(key, values("de")) == nil, "what was removed does not come back with the list of names")
    cache.store(Self.head(), try Self.body([6]), at: key, names: []) { _ in nil }
    #expect(try Self.bytes(cache.find(key, values("fr"))) == [6])
  }

  // MARK: Room

  /// Scans that run during stores and other scans miss no entry.
  @Test func `if responses are stored during a scan of the disk cache, the cache's reported size includes them`() async throws {
    let folder = try TemporaryFolder()
    let cache = try ResponseCache(directory: folder.path, memoryCapacity: 0, diskCapacity: 1 << 26)
    let keys = try (0..<400).map { try Self.key("http://h/\($0)") }
    try await withThrowingTaskGroup { group in
      for worker in 0..<8 {
        group.addTask {
          for number in 0..<50 {
            let body = try Self.body([UInt8](repeating: 1, count: 2_000))
            cache.store(Self.head(), body, at: keys[worker * 50 + number], names: []) { _ in nil }
            if number % 7 == worker % 7 { _ = await cache.usage() }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(cache.disk?.usage.entries == 400)
    #expect(await cache.usage().diskEntries == 400)
  }

  /// Two overlapping scans would each drop an entry that was stored after the first one listed the files and
  /// before the second one did.
  @Test func `two scans of the cache folder never run at the same time`() throws {
    let folder = try TemporaryFolder()
    let store = try DiskStore(directory: folder.path, capacity: 1 << 26)
    func put(_ number: Int) throws {
      let key = try Self.key("http://h/\(number)")
      #expect(try store.write(.response(Self.head()), Self.body([1]), at: key, of: key) != nil)
    }
    let secondHasListed = DispatchSemaphore(value: 0)
    let bothAreStored = DispatchSemaphore(value: 0)
    let secondHasEnded = DispatchSemaphore(value: 0)
    var failure: (any Error)?
    store.look {
      do { try put(0) } catch { failure = error }
      let refusal = WorkerThread.start(name: "second look") {
        store.look {
          secondHasListed.signal()
          bothAreStored.wait()
        }
        secondHasEnded.signal()
      }
      #expect(refusal == nil)
      // The second scan waits for the first one. Nothing signals that, but without the wait it
      // would have finished by then.
      _ = secondHasListed.wait(timeout: .now() + .milliseconds(300))
    }
    try put(1)
    bothAreStored.signal()
    secondHasEnded.wait()
    #expect(failure == nil)
    #expect(store.usage.entries == 2)
  }

  /// A scan must not mistake an entry that is not recorded yet for another process's leftover. The removal of
  /// an older entry with the same key must not remove it either.
  @Test func `a cleanup of the disk cache does not remove a response that is being written to the cache`() throws {
    let folder = try TemporaryFolder()
    let store = try DiskStore(directory: folder.path, capacity: 1 << 20)
    let body = [UInt8](repeating: 1, count: 50_000)
    func key(_ number: Int) throws -> CacheKey { try Self.key("http://h/\(number)") }
    func put(_ number: Int, hasPlaced: () -> Void = {}) throws {
      let place = try key(number)
      let identity = try store.write(.response(Self.head()), Self.body(body), at: place, of: place, hasPlaced: hasPlaced)
      #expect(identity != nil)
    }
    func isThere(_ number: Int) throws -> Bool { access(store.path(of: try key(number)), F_OK) == 0 }
    // The cache has room for 19 entries.
    for number in 0..<19 { try put(number) }
    #expect(try isThere(0) && isThere(18))
    // A scan runs at that moment.
    try put(19) { store.look() }
    #expect(try isThere(19) && isThere(18) && !isThere(0))
    // The entry replaces the next one to be removed, which is removed at that moment.
    var failure: (any Error)?
    try put(1) { do { try put(20) } catch { failure = error } }
    #expect(failure == nil)
    #expect(try isThere(1) && isThere(20))
    store.look()
    #expect(store.usage.entries == 19)
    #expect(try (0...20).filter(isThere) == [1] + Array(3...20))
  }

  @Test func `the disk cache removes old entries so that it stays within its capacity`() async throws {
    let folder = try TemporaryFolder()
    let capacity: Int64 = 1 << 20
    let cache = try ResponseCache(directory: folder.path, memoryCapacity: 0, diskCapacity: capacity)
    // A twentieth is 52,428 bytes.
    #expect(cache.bodyLimit == capacity / 20)
    let keys = try (0..<40).map { try Self.key("http://h/\($0)") }
    for key in keys {
      cache.store(Self.head(), try Self.body([UInt8](repeating: 1, count: 50_000)), at: key, names: []) { _ in nil }
      // This entry is used in every round, so it is not removed.
      #expect(cache.find(keys[0]) { _ in nil } != nil)
    }
    let usage = await cache.usage()
    #expect(usage.diskBytes <= capacity && usage.diskBytes > capacity - 60_000)
    #expect(usage.memoryBytes == 0)
    #expect(try Self.files(in: folder).count == usage.diskEntries)
    #expect(keys.filter { cache.find($0) { _ in nil } != nil } == [keys[0]] + keys.suffix(usage.diskEntries - 1))
    cache.store(Self.head(), try Self.body([UInt8](repeating: 1, count: 52_428)), at: keys[0], names: []) { _ in nil }
    #expect(cache.find(keys[0]) { _ in nil } == nil, "it is too large, and what was there is older")
    // A new process finds the sizes, and a smaller cache frees space at once.
    let smaller = try ResponseCache(directory: folder.path, diskCapacity: capacity / 2)
    let rest = await smaller.usage()
    #expect(rest.diskBytes <= capacity / 2 && rest.diskBytes > capacity / 2 - 60_000)
    #expect(smaller.find(keys[39]) { _ in nil } != nil, "the last one is there")
    smaller.removeAll()
    #expect(try Self.files(in: folder) == [])
  }

  @Test func `the memory cache removes old entries so that it stays within its capacity`() throws {
    let cache = ResponseCache(memoryCapacity: 100_000)
    let keys = try (0..<100).map { try Self.key("http://h/\($0)") }
    for key in keys { cache.store(Self.head(), try Self.body([UInt8](repeating: 1, count: 4_000)), at: key, names: []) { _ in nil } }
    let left = keys.filter { cache.find($0) { _ in nil } != nil }
    #expect(left.count > 15 && left == Array(keys.suffix(left.count)))
    cache.store(Self.head(), try Self.body([UInt8](repeating: 1, count: 5_000)), at: keys[99], names: []) { _ in nil }
    #expect(cache.find(keys[99]) { _ in nil } == nil)
  }

  @Test func `when the disk cache scans its folder, it removes only old temporary files of the cache`() async throws {
    let folder = try TemporaryFolder()
    let cache = try ResponseCache(directory: folder.path)
    let old = try folder.write("v1/tmp/old", "half")
    let young = try folder.write("v1/tmp/young", "half")
    let mine = try folder.write("v1/ab/notes.txt", "not ours")
    #expect(try Self.run("/usr/bin/touch", ["-d", "2 hours ago", old]) == "")
    _ = await cache.usage()
    #expect(access(old, F_OK) != 0 && access(young, F_OK) == 0 && access(mine, F_OK) == 0)
  }

  /// The folder is deleted while a process runs.
  @Test func `the cache keeps working after its folder was deleted`() throws {
    let folder = try TemporaryFolder()
    let cache = try ResponseCache(directory: folder.path + "/c")
    #expect(try Self.run("/bin/rm", ["-r", folder.path + "/c/v1"]) == "")
    let key = try Self.key("http://h/a")
    cache.store(Self.head(), try Self.body([1]), at: key, names: []) { _ in nil }
    #expect(cache.find(key) { _ in nil } != nil)
    #expect(try Self.run("/bin/rm", ["-r", folder.path + "/c"]) == "")
    cache.store(Self.head(), try Self.body([1]), at: key, names: []) { _ in nil }
    #expect(cache.find(key) { _ in nil } == nil)
    #expect(cache.statistics.failures == 1 && cache.statistics.lastFailure?.contains("No such file") == true)
  }

  /// Invalid records are decoded as nil without a crash.
  @Test func `a damaged record of the disk cache is detected and not decoded`() {
    var generator = SeededRandom(seed: 12)
    var head = Self.head("ETag: \"a\"\nX: y")
    head.selection = CacheKey(bytes: [UInt8](repeating: 7, count: 32)).map { Selection(names: ["accept"], nonce: [1, 2], digest: $0) }
    let records = [CacheRecord.response(head), .variants(Variants(names: ["a", "b"], nonce: [3]))]
    for record in records {
      let bytes = RecordCoding.encode(record)
      #expect(RecordCoding.decode(bytes) == record)
      for length in 0..<bytes.count { #expect(RecordCoding.decode(Array(bytes.prefix(length))) == nil) }
      for _ in 0..<WireFuzzTests.rounds {
        var broken = bytes
        for _ in 0...Int.random(in: 0...3, using: &generator) {
          broken[Int.random(in: broken.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
        if let decoded = RecordCoding.decode(broken) { #expect(RecordCoding.decode(RecordCoding.encode(decoded)) == decoded) }
      }
    }
  }

  @Test func `the user's cache directory follows XDG_CACHE_HOME and HOME`() {
    #expect(ResponseCache.userDirectory(environment: ["XDG_CACHE_HOME": "/x", "HOME": "/home/ada"]) == "/x/garland")
    #expect(ResponseCache.userDirectory(environment: ["XDG_CACHE_HOME": "relative", "HOME": "/home/ada"]) == "/home/ada/.cache/garland")
    #expect(ResponseCache.userDirectory(environment: [:]) == nil)
  }
}
