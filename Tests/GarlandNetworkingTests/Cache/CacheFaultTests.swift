import Glibc
import GarlandNetworking
import GarlandSandbox
import HTTPTypes
import Synchronization
import TestSupport
import Testing
import TransferTestSupport

/// Tests a cache with failing servers, disks and callers.
@Suite("Cache faults", .timeLimit(.minutes(15))) struct CacheFaultTests: CacheTesting {
  let time = CacheTime()

  @Test func `if the server responds with 503, a stale response is used while stale-if-error allows it`() async throws {
    let server = try CacheServer { _, number in
      number == 1
        ? CacheServer.response("Cache-Control: max-age=10, stale-if-error=100\nETag: \"a\"")
        : CacheServer.response("", "broken", status: "503 Service Unavailable")
    }
    let clock = TestClock()
    let session = session {
      $0.interceptor = RetryPolicy()
      $0.clock = clock.session
    }
    #expect(try await get(session.request(server.url)).1 == .network)
    time.advance(by: 20)
    let stale = await session.request(server.url).validate().response(with: StringResponseSerializer())
    #expect(try stale.value == "hello")
    #expect(stale.status == 200 && stale.retryCount == 0)
    #expect(stale.metrics.last?.transactions.last?.source == .staleCache)
    #expect(server.count == 2)
    time.advance(by: 200)
    let broken = await session.request(server.url).response()
    #expect(broken.status == 503 && broken.retryCount == 2, "too old to stand in")
  }

  @Test func `if the connection is refused, a stale response is used while stale-if-error allows it`() async throws {
    let sandbox = try await Sandbox.start()
    let session = session()
    let allowed = sandbox.url + "/cache/10?directives=max-age=10,stale-if-error=1000"
    let forbidden = sandbox.url + "/cache/10?directives=max-age=10,stale-if-error=1000,must-revalidate"
    let first = try await get(session.request(allowed))
    _ = try await get(session.request(forbidden))
    await sandbox.stop()
    #expect(try await get(session.request(allowed)) == (first.0, .cache))
    time.advance(by: 20)
    #expect(try await get(session.request(allowed)) == (first.0, .staleCache))
    #expect(await session.request(forbidden).response().error?.reason.kind == .refused)
    #expect(await session.request(allowed, headers: [.cacheControl: "no-cache"]).response().error?.reason.kind == .refused)
    var lines: [UInt8] = []
    for try await piece in session.stream(allowed) { lines += piece }
    #expect(String(decoding: lines, as: UTF8.self) == first.0)
    time.advance(by: 2000)
    #expect(await session.request(allowed).response().error?.reason.kind == .refused)
  }

  @Test func `if the request times out, a stale response is used while stale-if-error allows it`() async throws {
    let silent = Atomic<Bool>(false)
    let server = try RawServer { connection in
      while connection.readRequest() != nil {
        if silent.load(ordering: .relaxed) { connection.readToEnd() }
        connection.send(CacheServer.response("Cache-Control: max-age=10, stale-if-error=100"))
      }
    }
    let session = session()
    #expect(try await get(session.request(server.url)).1 == .network)
    silent.store(true, ordering: .relaxed)
    time.advance(by: 20)
    let impatient = session.request(server.url) { $0.settings.idleTimeout = .milliseconds(200) }
    #expect(try await get(impatient) == ("hello", .staleCache))
  }

  @Test func `a response with an incomplete body is not stored in the cache`() async throws {
    let server = try RawServer { connection in
      while let (head, _) = connection.readRequest() {
        let field = "Cache-Control: max-age=60\r\n"
        if head.hasPrefix("GET /short") {
          connection.send("HTTP/1.1 200 OK\r\n\(field)Content-Length: 100\r\n\r\nhalf")
          return
        }
        if head.hasPrefix("GET /chunked") {
          connection.send("HTTP/1.1 200 OK\r\n\(field)Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n")
          return
        }
        if head.hasPrefix("GET /gzip") {
          connection.send("HTTP/1.1 200 OK\r\n\(field)Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\u{1F}\u{8B}")
          return
        }
        connection.send("HTTP/1.1 200 OK\r\n\(field)Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n0\r\n\r\n")
      }
    }
    let folder = try TemporaryFolder()
    let cache = try ResponseCache(directory: folder.path, now: time.now)
    let session = session(cache)
    for path in ["/short", "/chunked", "/gzip"] {
      #expect(await session.request(server.url + path).response().error != nil, "\(path)")
      #expect(await session.request(server.url + path).cachePolicy(.returnCacheOnly).response().error?.reason == .notCached, "\(path)")
    }
    #expect(try ChildProcess.runBlocking("/usr/bin/find", [folder.path, "-type", "f"]).output == "")
    #expect(try await get(session.request(server.url + "/whole")) == ("half", .network))
    #expect(try await get(session.request(server.url + "/whole")) == ("half", .cache))
  }

  /// A process that ends in the middle of a body leaves no file that looks like a response.
  @Test func `a cancelled transfer leaves no file in the cache folder`() async throws {
    let begun = BegunGate()
    let server = try RawServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 1000000\r\n\r\n")
      connection.send([UInt8](repeating: 1, count: 500_000))
      connection.readToEnd()
    }
    let folder = try TemporaryFolder()
    let session = session(try ResponseCache(directory: folder.path, now: time.now))
    let request = session.request(server.url).onDownloadProgress { if $0.completed >= 100_000 { begun.open() } }
    let running = Task { await request.response() }
    await begun.wait()
    request.cancel()
    #expect(await running.value.error?.reason == .cancelled)
    session.cancelAndInvalidate()
    session.engine.shutDown()
    #expect(try ChildProcess.runBlocking("/usr/bin/find", [folder.path, "-type", "f"]).output == "")
  }

  /// A process that is killed while it writes leaves no entry either, although it cannot clean up.
  @Test func `a process killed while it stores a body leaves no cache entry`() async throws {
    let size = 600_000
    let server = try RawServer { connection in
      guard let (head, _) = connection.readRequest() else { return }
      connection.send("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: \(size)\r\n\r\n")
      connection.send([UInt8](repeating: UInt8(ascii: "x"), count: head.contains("X-Half") ? size / 2 : size))
      connection.readToEnd()
    }
    let folder = try TemporaryFolder()
    let child = try ChildRole.start(
      "stores", test: "a child process of another test stores half of a response in the cache and waits to be killed",
      ["URL": server.url, "FOLDER": folder.path])
    #expect(await child.sees("half of it is there"))
    child.signal(SIGKILL)
    #expect(await child.result.status == 128 + SIGKILL)
    // The process was killed in the middle, not before or after.
    #expect(try ChildProcess.runBlocking("/usr/bin/find", [folder.path + "/v1/tmp", "-type", "f", "-size", "+100k"]).output != "")
    let cache = try ResponseCache(directory: folder.path)
    #expect(await cache.usage().diskEntries == 0)
    let session = session(cache)
    #expect(await session.request(server.url).cachePolicy(.returnCacheOnly).response().error?.reason == .notCached)
    let (text, source) = try await get(session.request(server.url))
    #expect(text.utf8.count == size && source == .network)
    #expect(try await get(session.request(server.url)) == (text, .cache))
    #expect(cache.statistics.damaged == 0)
  }

  @Test(.enabled(if: ChildRole.current == "stores"))
  func `a child process of another test stores half of a response in the cache and waits to be killed`()
    async throws
  {
    let session = session(try ResponseCache(directory: ChildRole.value("FOLDER")))
    let half = try #require(HTTPField.Name("X-Half"))
    let request = session.request(ChildRole.value("URL"), headers: [half: "1"]).resume()
    for await progress in request.downloadProgress where progress.completed == 300_000 { ChildRole.say("half of it is there") }
  }

  @Test func `if a cache file is damaged, the response is downloaded again`() async throws {
    let size = 300_000
    let server = try CacheServer { _, _ in
      CacheServer.response("Cache-Control: max-age=60\nETag: \"a\"", String(repeating: "x", count: size))
    }
    let folder = try TemporaryFolder()
    for offset in [10, size / 2, size - 1, size + 20] {
      let cache = try ResponseCache(directory: folder.path, now: time.now)
      let session = session(cache)
      _ = await session.request(server.url).cachePolicy(.reload).response()
      let path = try ChildProcess.runBlocking("/usr/bin/find", [folder.path, "-type", "f"]).output.dropLast()
      let descriptor = open(String(path), O_WRONLY)
      #expect(pwrite(descriptor, "y", 1, off_t(offset)) == 1)
      close(descriptor)
      let count = server.count
      let again = session.stream(server.url)
      var bytes: [UInt8] = []
      for try await piece in again { bytes += piece }
      #expect(bytes == [UInt8](repeating: UInt8(ascii: "x"), count: size), "damaged at \(offset)")
      #expect(server.count == count + 1 && cache.statistics.damaged == 1)
      #expect(again.metrics.last?.transactions.map(\.source) == [.network])
      #expect(try await get(session.request(server.url)).1 == .cache)
    }
  }

  /// The 304 refers to another response than the stored one.
  @Test func `if the entity tag of a 304 differs from the stored one, the request is repeated without If-None-Match`() async throws {
    let server = try CacheServer { head, number in
      head.lowercased().contains("if-none-match")
        ? "HTTP/1.1 304 Not Modified\r\nETag: \"other\"\r\n\r\n"
        : CacheServer.response("Cache-Control: no-cache\nETag: \"\(number)\"", "\(number)")
    }
    let session = session()
    #expect(try await get(session.request(server.url)) == ("1", .network))
    #expect(try await get(session.request(server.url)) == ("3", .network))
  }

  /// A 304 response determines anew whether the response is stored, and for which requests.
  @Test(arguments: [
    ("Cache-Control: public, max-age=60", true, true), ("Cache-Control: private, max-age=60", true, false),
    ("Cache-Control: max-age=60", true, false), ("Cache-Control: public, max-age=60\r\nVary: Accept-Language", true, false),
    ("Cache-Control: public, max-age=60\r\nVary: *", false, false), ("Cache-Control: no-store, max-age=60", false, false),
  ])
  func `the header fields of a 304 response decide for which later requests the cached response may be used`(
    _ fields: String, _ isKept: Bool, _ isForAll: Bool
  )
    async throws
  {
    for onDisk in [true, false] {
      let server = try CacheServer { head, _ in
        head.contains("If-None-Match")
          ? "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\(fields)\r\n\r\n"
          : CacheServer.response("Cache-Control: public, max-age=10\nETag: \"a\"")
      }
      let folder = try TemporaryFolder()
      let session = session(onDisk ? try ResponseCache(directory: folder.path, now: time.now) : nil)
      func source(_ user: String) async throws -> Source? {
        let request = session.request(server.url, headers: [.authorization: "Basic \(user)", .acceptLanguage: user])
        let (text, source) = try await get(request)
        #expect(text == "hello")
        return source
      }
      #expect(try await source("ada") == .network)
      #expect(try await source("bob") == .cache)
      time.advance(by: 20)
      #expect(try await source("ada") == .validatedCache)
      #expect(try await source("ada") == (isKept ? .cache : .network), "\(onDisk)")
      if isKept { #expect(try await source("bob") == (isForAll ? .cache : .network), "\(onDisk)") }
    }
  }

  /// A response to HEAD has the same effect as a 304.
  @Test func `a HEAD response with no-store removes the stored GET response`() async throws {
    let server = try CacheServer { head, _ in
      head.hasPrefix("HEAD")
        ? "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nCache-Control: no-store\r\nContent-Length: 5\r\n\r\n"
        : CacheServer.response("Cache-Control: public, max-age=60\nETag: \"a\"")
    }
    let session = session()
    #expect(try await get(session.request(server.url)).1 == .network)
    #expect(try await get(session.request(server.url)).1 == .cache)
    _ = await session.request(server.url, method: .head).cachePolicy(.reload).response()
    #expect(try await get(session.request(server.url)).1 == .network)
  }

  /// The server responds to the caller's own conditions.
  @Test func `conditional header fields set by the caller are sent to the server`() async throws {
    try await withSandbox { (_, sandbox) async throws in
      let session = session()
      let url = sandbox.url + "/cache/60"
      let tag = await session.request(url).response().response?.headerFields[.eTag] ?? ""
      let own = await session.request(url, headers: [.ifNoneMatch: tag]).response()
      #expect(own.status == 304 && own.metrics.last?.transactions.last?.source == .network)
      #expect(try await get(session.request(url)).1 == .cache)
    }
  }

  @Test func `a HEAD response refreshes the stored GET response, or removes it if their entity tags differ`() async throws {
    let server = try CacheServer { head, number in
      let tag = number < 3 ? "a" : "b"
      let fields = "ETag: \"\(tag)\"\nCache-Control: max-age=10\nX-Number: \(number)"
      guard head.hasPrefix("HEAD") else { return CacheServer.response(fields) }
      return "HTTP/1.1 200 OK\r\n\(fields.replacing("\n", with: "\r\n"))\r\nContent-Length: 5\r\n\r\n"
    }
    let session = session()
    let number = HTTPField.Name("X-Number")
    _ = await session.request(server.url).response()
    time.advance(by: 8)
    _ = await session.request(server.url, method: .head).cachePolicy(.reload).response()
    time.advance(by: 8)
    let freshened = await session.request(server.url).response()
    #expect(freshened.metrics.last?.transactions.last?.source == .cache)
    #expect(number.flatMap { freshened.response?.headerFields[$0] } == "2")
    _ = await session.request(server.url, method: .head).cachePolicy(.reload).response()
    #expect(try await get(session.request(server.url)).1 == .network, "HEAD told of another one")
  }

  @Test func `if a new response must not be stored, the response that is already stored is removed`() async throws {
    let server = try CacheServer { _, number in
      CacheServer.response(number == 2 ? "Cache-Control: no-store" : "ETag: \"\(number)\"", "\(number)")
    }
    let session = session()
    for expected in ["1", "2", "3"] { #expect(try await get(session.request(server.url)) == (expected, .network)) }
    #expect(server.heads.all.map { $0.contains("If-None-Match") } == [false, true, false])
  }
}
