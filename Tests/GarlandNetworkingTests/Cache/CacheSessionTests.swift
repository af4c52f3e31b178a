import GarlandNetworking
import GarlandSandbox
import HTTPTypes
import Synchronization
import TestSupport
import Testing
import TransferTestSupport

/// Tests sessions with a cache.
@Suite("Sessions with a cache", .timeLimit(.minutes(15))) struct CacheSessionTests: CacheTesting {
  let time = CacheTime()

  @Test func `a response with the field Vary is stored once for each value of the fields that Vary names`() async throws {
    try await withSandbox { (_, sandbox) async throws in
      let session = session()
      let url = sandbox.url + "/cache/60?vary=Accept-Language"
      func sequence(_ language: String) async throws -> (String, Source?) {
        try await get(session.request(url, headers: [.acceptLanguage: language]))
      }
      let german = try await sequence("de")
      let english = try await sequence("en")
      #expect(german.1 == .network && english.1 == .network && german.0 != english.0)
      #expect(try await sequence("de") == (german.0, .cache))
      #expect(try await sequence("en") == (english.0, .cache))
      #expect(try await sequence("de, en").1 == .network)
      // A response that varies with everything is never reused.
      let all = sandbox.url + "/cache/60?vary=*"
      #expect(try await get(session.request(all)).1 == .network)
      #expect(try await get(session.request(all)).1 == .network)
    }
  }

  @Test func `a private response is reused only for requests with the same credentials and cookies`() async throws {
    try await withSandbox { (_, sandbox) async throws in
      let session = session()
      let plain = sandbox.url + "/cache/60"
      func source(_ url: String, _ user: String?) async throws -> Source? {
        let request = session.request(url)
        if let user { request.authenticate(user: user, password: "secret", preemptive: true) }
        return try await get(request).1
      }
      #expect(try await source(plain + "?directives=max-age=60", "ada") == .network)
      #expect(try await source(plain + "?directives=max-age=60", "ada") == .cache)
      #expect(try await source(plain + "?directives=max-age=60", "bob") == .network)
      #expect(try await source(plain + "?directives=max-age=60", nil) == .network)
      #expect(try await source(plain + "?directives=max-age=60", "ada") == .cache)
      #expect(try await source(plain, "ada") == .network)
      #expect(try await source(plain, "bob") == .cache, "it is public")
      // A private response is used only for the same cookies.
      let own = plain + "?directives=private,max-age=60"
      func source(_ cookie: String) async throws -> Source? { try await get(session.request(own, headers: [.cookie: cookie])).1 }
      #expect(try await source("u=1") == .network)
      #expect(try await source("u=2") == .network)
      #expect(try await source("u=1") == .cache)
    }
  }

  @Test func `the cache policy of a request decides whether the response comes from the cache or from the server`() async throws {
    try await withSandbox { (_, sandbox) async throws in
      let session = session()
      let url = sandbox.url + "/cache/1"
      let nothing = await session.request(url).cachePolicy(.returnCacheOnly).response()
      #expect(nothing.error?.reason == .notCached)
      #expect(nothing.error?.url == url)
      #expect(await session.request(url, headers: [.cacheControl: "only-if-cached"]).response().error?.reason == .notCached)
      #expect(sandbox.records.isEmpty)
      let first = try await get(session.request(url).cachePolicy(.returnCacheElseLoad))
      #expect(first.1 == .network)
      // The time is much longer than the test: the server uses the machine's clock, so its
      // responses seem younger and younger while the test's clock is stopped.
      time.advance(by: 1_000_000)
      #expect(try await get(session.request(url).cachePolicy(.returnCacheElseLoad)) == (first.0, .staleCache))
      #expect(try await get(session.request(url).cachePolicy(.returnCacheOnly)) == (first.0, .staleCache))
      #expect(try await get(session.request(url, headers: [.cacheControl: "max-stale=2000000"])) == (first.0, .staleCache))
      #expect(sandbox.records.count == 1)
      let reloaded = try await get(session.request(url).cachePolicy(.reload))
      #expect(reloaded.1 == .network && reloaded.0 != first.0)
      #expect(sandbox.records.last?.headers.contains { $0.name.lowercased() == "if-none-match" } == false)
      let kept = try await get(session.request(url).cachePolicy(.returnCacheElseLoad))
      #expect(kept == (reloaded.0, .staleCache), "what was reloaded is stored")
      // Nothing is ever sent.
      #expect(await session.request(url, method: .post).cachePolicy(.returnCacheOnly).response().error?.reason == .notCached)
    }
  }

  @Test func `if the cached responses of one URL are removed, those of other URLs are kept`() async throws {
    try await withSandbox { (_, sandbox) async throws in
      let cache = ResponseCache(now: time.now)
      let session = session(cache)
      for path in ["/cache/60", "/cache/61"] { _ = await session.request(sandbox.url + path).response() }
      #expect(cache.removeResponses(for: sandbox.url + "/cache/60"))
      #expect(!cache.removeResponses(for: sandbox.url + "/cache/60") && !cache.removeResponses(for: "no url\n"))
      let sources = [
        try await get(session.request(sandbox.url + "/cache/60")).1, try await get(session.request(sandbox.url + "/cache/61")).1,
      ]
      #expect(sources == [.network, .cache])
      #expect(await cache.usage().diskEntries == 0)
      cache.removeAll()
      #expect(try await get(session.request(sandbox.url + "/cache/61")).1 == .network)
    }
  }

  @Test func `a cached response has an Age header field`() async throws {
    try await withSandbox { (_, sandbox) async throws in
      let session = session()
      let fresh = await session.request(sandbox.url + "/cache/60").response()
      #expect(fresh.response?.headerFields[.age] == nil)
      time.advance(by: 30)
      let response = await session.request(sandbox.url + "/cache/60").response()
      #expect(response.metrics.last?.transactions.last?.source == .cache)
      #expect(response.response?.headerFields[.age].flatMap { Int($0) }.map { (30...40).contains($0) } == true)
    }
  }

  @Test func `a stricter cache policy of the session overrides the policy of the request`() async throws {
    try await withSandbox { (_, sandbox) async throws in
      let cache = ResponseCache(now: time.now)
      let offline = session(cache) { $0.settings.cachePolicy = .returnCacheOnly }
      #expect(await offline.request(sandbox.url + "/cache/60").cachePolicy(.reload).response().error?.reason == .notCached)
      #expect(await session(cache).request(sandbox.url + "/cache/60").response().status == 200)
      #expect(try await get(offline.request(sandbox.url + "/cache/60").cachePolicy(.reload)).1 == .cache)
      // Without a cache nothing is answered from it or stored.
      var configuration = SessionConfiguration.default
      configuration.settings.cachePolicy = .returnCacheOnly
      #expect(await Session(configuration).request(sandbox.url + "/cache/60").response().error?.reason == .notCached)
      var request = TransferRequest(url: sandbox.url + "/cache/60")
      request.settings.cache = cache
      #expect(try await get(Session(.ephemeral).request(request)).1 == .network)
    }
  }

  @Test func `an ephemeral session writes nothing to the disk cache`() async throws {
    try await withSandbox { (_, sandbox) async throws in
      let folder = try TemporaryFolder()
      let cache = try ResponseCache(directory: folder.path, now: time.now)
      let session = session(cache, kind: .ephemeral)
      #expect(try await get(session.request(sandbox.url + "/cache/60")).1 == .network)
      #expect(try await get(session.request(sandbox.url + "/cache/60")).1 == .cache)
      var own = session.transferRequest(sandbox.url + "/cache/61")
      own.settings.cache = cache
      #expect(try await get(session.request(own)).1 == .network)
      #expect(cache.statistics.stored == 0 && cache.statistics.misses == 0)
      #expect(try ChildProcess.runBlocking("/usr/bin/find", [folder.path, "-type", "f"]).output == "")
    }
  }

  @Test func `a successful request with an unsafe method, such as PUT, invalidates the cached response for the same URL`() async throws {
    try await withSandbox { (_, sandbox) async throws in
      let session = session()
      let url = sandbox.url + "/etag/v1"
      func source() async throws -> Source? { try await get(session.request(url).cachePolicy(.returnCacheElseLoad)).1 }
      #expect(try await source() == .network)
      #expect(try await source() == .staleCache)
      #expect(await session.request(url, method: .options).response().error == nil)
      #expect(try await source() == .staleCache)
      // A refused request changes nothing; a successful one does.
      #expect(await session.request(url, method: .delete, headers: [.ifMatch: "\"other\""]).response().status == 412)
      #expect(try await source() == .staleCache)
      #expect(await session.request(url, method: .put).response().status == 200)
      #expect(try await source() == .network)
    }
  }

  @Test func `a POST invalidates the cached response of the URL in the Location field if that URL has the same origin`() async throws {
    let server = try CacheServer { head, _ in
      if head.hasPrefix("POST") {
        return CacheServer.response("Location: /made\nContent-Location: http://127.0.0.1:1/other", status: "201 Created")
      }
      return CacheServer.response("Cache-Control: max-age=60")
    }
    let session = session()
    for path in ["/made", "/kept"] { _ = await session.request(server.url + path).response() }
    _ = await session.request(server.url + "/list", method: .post).response()
    #expect(try await get(session.request(server.url + "/kept")).1 == .cache)
    #expect(try await get(session.request(server.url + "/made")).1 == .network)
  }

  @Test func `if the target of a redirect is in the cache, the redirect is followed without a request to the target`() async throws {
    try await withSandbox { (_, sandbox) async throws in
      let server = try CacheServer { [url = sandbox.url] _, _ in
        CacheServer.response("Location: \(url)/cache/60", status: "301 Moved Permanently")
      }
      for handled in [false, true] {
        let session = session { if handled { $0.redirectHandler = Redirector.follow } }
        for round in 0..<2 {
          let response = await session.request(server.url + "/old").validate().response()
          #expect(response.response?.redirects.count == 1 && response.status == 200)
          let transactions = response.metrics.last?.transactions ?? []
          // A 301 without its own lifetime is stored, and stale at once.
          #expect(transactions.map(\.source) == [.network, round == 0 ? .network : .cache], "\(handled), \(round)")
        }
        let elseLoad = await session.request(server.url + "/old").cachePolicy(.returnCacheElseLoad).response()
        #expect(elseLoad.metrics.last?.transactions.map(\.source) == [.staleCache, .cache])
        #expect(elseLoad.metrics.last?.redirectCount == 1 && elseLoad.response?.url == sandbox.url + "/cache/60")
      }
    }
  }

  // MARK: Handlers

  @Test func `a cached-response handler decides whether a response is stored unchanged, changed or not at all`() async throws {
    try await withSandbox { (_, sandbox) async throws in
      let seen = Collected<CacheableResponse>()
      let session = session {
        $0.cachedResponseHandler = ResponseCacher { response, request in
          seen.add(response)
          #expect(request.url == response.url)
          var fields = response.headerFields
          fields[.cacheControl] = "max-age=1000"
          return .change(fields)
        }
      }
      let url = sandbox.url + "/cache/10"
      let first = await session.request(url).response()
      #expect(first.response?.headerFields[.cacheControl] == "public, max-age=10", "the response itself stays")
      time.advance(by: 500)
      let second = await session.request(url).response()
      #expect(second.metrics.last?.transactions.last?.source == .cache)
      #expect(second.response?.headerFields[.cacheControl] == "max-age=1000")
      #expect(seen.all.map(\.bodyBytes) == [Int64(first.data.count)] && seen.all.first?.status == 200)
      // The request's own handler comes first. Its refusal removes the stored response.
      let refused = session.request(url).cachePolicy(.reload).cacheResponse(using: ResponseCacher.refuse)
      #expect(await refused.response().status == 200)
      #expect(await session.request(url).cachePolicy(.returnCacheOnly).response().error?.reason == .notCached)
      #expect(seen.all.count == 1)
      // A changed header that forbids storing prevents it.
      let forbidding = ResponseCacher { _, _ in .change([.cacheControl: "no-store"]) }
      #expect(await session.request(url).cacheResponse(using: forbidding).response().status == 200)
      #expect(await session.request(url).cachePolicy(.returnCacheOnly).response().error?.reason == .notCached)
      // The handler is not asked about responses that must not be stored.
      _ = await session.request(url + "?directives=no-store").response()
      #expect(seen.all.count == 1)
    }
  }

  @Test func `a cancelled request does not wait for its cached-response handler`() async throws {
    try await withSandbox { (_, sandbox) async throws in
      let asked = BegunGate()
      let answer = BegunGate()
      let session = session()
      let request = session.request(sandbox.url + "/cache/10").cacheResponse(
        using: ResponseCacher { _, _ in
          asked.open()
          await answer.wait()
          return .keep
        })
      let running = Task { await request.response() }
      await asked.wait()
      request.cancel()
      #expect(await running.value.error?.reason == .cancelled)
      answer.open()
      #expect(await session.request(sandbox.url + "/cache/10").cachePolicy(.returnCacheOnly).response().error?.reason == .notCached)
    }
  }

  // MARK: Many at once

  @Test func `two caches that share a folder serve 200 concurrent requests without damage`() async throws {
    try await withSandbox { (_, sandbox) async throws in
      let folder = try TemporaryFolder()
      // Two sessions, each with its own cache, share a folder.
      let sessions = try (0..<2).map { _ in session(try ResponseCache(directory: folder.path, diskCapacity: 4 << 20, now: time.now)) }
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<200 {
          let session = sessions[index % 2]
          let url = sandbox.url + "/cache/60?n=\(index % 7)&vary=Accept-Language"
          group.addTask {
            let language = ["de", "en", "fr"][index % 3]
            let response = await session.request(url, headers: [.acceptLanguage: language]).validate().response()
            #expect(response.error == nil && !response.data.isEmpty)
          }
        }
      }
      for session in sessions {
        #expect(session.cache?.statistics.damaged == 0 && session.cache?.statistics.failures == 0)
        #expect(
          try await get(session.request(sandbox.url + "/cache/60?n=1&vary=Accept-Language", headers: [.acceptLanguage: "de"])).1 != nil)
      }
    }
  }

  @Test func `a cached response is not used if the setting 'connectTo' sends the request to a different server`() async throws {
    try await withSandbox { (_, sandbox) async throws in
      let session = session()
      let url = "http://example.com/cache/60"
      func get(_ port: Int) async -> Source? {
        await session.request(
          url, modify: { $0.settings.connectTo = [ConnectOverride(host: "example.com", port: 80, toHost: "127.0.0.1", toPort: port)] }
        ).response().metrics.last?.transactions.last?.source
      }
      #expect(await get(sandbox.port) == .network)
      #expect(await get(sandbox.port) == .cache)
      let other = try await Sandbox.start()
      #expect(await get(other.port) == .network)
      await other.stop()
    }
  }
}
