import Glibc
import GarlandNetworking
import HTTPTypes
import TestSupport
import Testing

/// Tests a cache in front of nginx.
@Suite("A cache in front of nginx", .timeLimit(.minutes(15))) struct CacheNginxTests {
  typealias Source = TransactionMetrics.Source

  let server: NginxServer
  let time = CacheTime()
  let folder: TemporaryFolder

  init() throws {
    server = try NginxServer.shared()
    folder = try TemporaryFolder()
  }

  func session() throws -> Session {
    var configuration = SessionConfiguration.default
    configuration.settings.tls.authorities = server.certificates.authority
    configuration.cache = try ResponseCache(directory: folder.path, now: time.now)
    return Session(configuration)
  }

  @Test func `a response is fresh until the time in its Expires field`() async throws {
    let url = server.url + "/expires/hello.txt"
    let session = try session()
    var sources: [Source?] = []
    // The server's clock does not follow the test's clock: after the validation its response is an
    // hour old.
    for wait in [0, 0, 3590, 20] {
      time.advance(by: Int64(wait))
      let response = await session.request(url).validate().response(with: StringResponseSerializer())
      #expect(try response.value == "Hello, world!\n")
      #expect(response.status == 200)
      sources.append(response.metrics.last?.transactions.last?.source)
    }
    #expect(sources == [.network, .cache, .cache, .validatedCache])
    // Another session reads from the disk, like another process.
    #expect(try await self.session().request(url).data.count == 14)
    #expect(session.cache?.statistics.hits == 2 && session.cache?.statistics.validations == 1 && session.cache?.statistics.stored == 1)
  }

  /// nginx compares both validators, and makes the tags of compressed bodies weak.
  @Test(arguments: ["/no-cache/long.txt", "/no-cache-gzip/long.txt"])
  func `a stale response with a validator is revalidated instead of downloaded`(_ path: String) async throws {
    for url in [server.url, server.secureURL] {
      let session = try session()
      let first = await session.request(url + path).response()
      #expect(first.metrics.last?.transactions.last?.source == .network)
      for _ in 0..<2 {
        let next = await session.request(url + path).validate().response()
        let transaction = next.metrics.last?.transactions.last
        #expect(transaction?.source == .validatedCache && next.status == 200)
        #expect(transaction?.responseBodyBytes == 0)
        #expect(try next.value == first.value && next.value.count == 176_000)
        #expect(next.response?.request.headerFields[.ifNoneMatch] == next.response?.headerFields[.eTag])
      }
    }
  }

  @Test func `a response without an explicit lifetime stays fresh for a tenth of the time between its last modification and its arrival`()
    async throws
  {
    // Modified ten days ago: fresh for one day.
    let name = "guess-\(getpid()).txt"
    let written = time.now() - 10 * 86_400
    #expect(
      try ChildProcess.runBlocking("/bin/sh", ["-c", "echo old > \(server.files)/\(name); touch -d @\(written) \(server.files)/\(name)"])
        .status == 0)
    let session = try session()
    let url = server.url + "/files/" + name
    func source() async -> Source? { await session.request(url).response().metrics.last?.transactions.last?.source }
    #expect(await source() == .network)
    time.advance(by: 86_400 - 60)
    #expect(await source() == .cache)
    time.advance(by: 120)
    #expect(await source() == .validatedCache)
    // The file has changed: the new response replaces the stored one.
    time.advance(by: 10 * 86_400)
    #expect(try ChildProcess.runBlocking("/bin/sh", ["-c", "echo new > \(server.files)/\(name)"]).status == 0)
    let changed = await session.request(url).response(with: StringResponseSerializer())
    #expect(changed.metrics.last?.transactions.last?.source == .network)
    #expect(try changed.value == "new\n")
  }

  /// A body too large for memory is read from its file and verified; a slow reader slows it down.
  @Test func `the body of a large cached response is read from its file and verified`() async throws {
    let session = try session()
    let url = server.url + "/expires/medium.bin"
    let size = 5_000_000
    let whole = try await session.request(url).data
    #expect(whole.count == size)
    for kind in ["data", "stream", "download", "prefix"] {
      let request: Request
      switch kind {
      case "data":
        let data = session.request(url)
        #expect(try await data.data == whole)
        request = data
      case "stream":
        let stream = session.stream(url)
        var bytes: [UInt8] = []
        for try await piece in stream {
          bytes += piece
          await Task.yield()
        }
        #expect(bytes == whole)
        request = stream
      case "download":
        let download = session.download(url, to: DownloadTarget(path: folder.path + "/copy"))
        #expect(try await download.data == whole)
        request = download
      default:
        let prefix = session.request(url, modify: { $0.destination = .prefix(10, computesDigest: true) })
        _ = await prefix.response()
        guard case .prefix(let bytes, let digest) = prefix.response?.body else {
          Issue.record("no prefix")
          return
        }
        #expect(bytes == Array(whole.prefix(10)) && digest != nil)
        request = prefix
      }
      #expect(request.metrics.last?.transactions.last?.source == .cache, "\(kind)")
      #expect(request.response?.decodedBodyBytes == Int64(size), "\(kind)")
    }
    // A body larger than a twentieth of the disk capacity is not stored.
    #expect(try await session.download(server.url + "/expires/big.bin", to: DownloadTarget(path: folder.path + "/big")).file != "")
    #expect(session.cache?.statistics.stored == 1)
  }

  @Test func `a range request bypasses the cache`() async throws {
    let session = try session()
    let url = server.url + "/expires/hello.txt"
    for _ in 0..<2 {
      let part = await session.request(url, headers: [.range: "bytes=0-4"]).response(with: StringResponseSerializer())
      #expect(part.status == 206)
      #expect(try part.value == "Hello")
      #expect(part.metrics.last?.transactions.last?.source == .network)
    }
    #expect(session.cache?.statistics.stored == 0)
    #expect(try await session.request(url).string == "Hello, world!\n")
    #expect(try await session.request(url, headers: [.range: "bytes=0-4"]).string == "Hello")
  }

  @Test func `a HEAD request is answered from a stored GET response`() async throws {
    let session = try session()
    let url = server.url + "/expires/hello.txt"
    _ = await session.request(url).response()
    let head = await session.request(url, method: .head).response()
    #expect(head.metrics.last?.transactions.last?.source == .cache)
    #expect(head.response?.headerFields[.contentLength] == "14" && head.response?.bytes.isEmpty == true)
    let validated = await session.request(url, method: .head, headers: [.cacheControl: "no-cache"]).response()
    #expect(validated.metrics.last?.transactions.last?.source == .validatedCache)
    #expect(await session.request(url).response().metrics.last?.transactions.last?.source == .cache)
  }

  /// A stored response is used only by requests with the same requirements for the server.
  @Test func `a stored response is used only by sessions with the same trust settings`() async throws {
    struct Own: ServerTrustEvaluating {
      var name: String { "own" }
      func evaluate(_ trust: ServerTrust) throws(NetworkingError.Trust.Problem) {}
    }
    let cache = ResponseCache()
    func sources(_ change: (inout SessionConfiguration) throws -> Void) async throws -> [Source?] {
      var configuration = SessionConfiguration.ephemeral
      configuration.cache = cache
      configuration.settings.tls.authorities = server.certificates.authority
      try change(&configuration)
      let session = Session(configuration)
      var sources: [Source?] = []
      for _ in 0..<2 {
        sources.append(await session.request(server.secureURL + "/expires/hello.txt").response().metrics.last?.transactions.last?.source)
      }
      return sources
    }
    let disabled = try ServerTrustManager(["localhost": DisabledTrustEvaluator()])
    let usual = try ServerTrustManager(["localhost": DefaultTrustEvaluator()])
    let own = try ServerTrustManager(["localhost": Own()])
    let none = try ServerTrustManager(["example.com": DefaultTrustEvaluator()])
    #expect(try await sources { $0.settings.tls.verifies = false } == [.network, .network])
    #expect(try await sources { $0.settings.serverTrust = disabled } == [.network, .network])
    #expect(try await sources { $0.settings.serverTrust = own } == [.network, .network])
    #expect(try await sources { _ in } == [.network, .cache])
    #expect(try await sources { $0.settings.serverTrust = usual } == [.network, .cache])
    #expect(try await sources { $0.settings.serverTrust = usual } == [.cache, .cache])
    // Requests without verification do not read, change or remove stored responses of others.
    #expect(try await sources { $0.settings.tls.verifies = false } == [.network, .network])
    #expect(try await sources { _ in } == [.cache, .cache])
    #expect(try await sources { $0.settings.serverTrust = none } == [nil, nil], "nothing was sent, and nothing answered")
  }
}
