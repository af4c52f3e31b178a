import GarlandTransfer
import Glibc
import HTTPTypes
import TestSupport
import Testing
import TransferTestSupport

/// Tests the engine with a third-party server: plain, TLS and HTTP/2.
@Suite(.timeLimit(.minutes(15))) struct NginxTests {
  let engine = Engine()
  let server: NginxServer

  init() throws { server = try NginxServer.shared() }

  private func secure(_ url: String, _ version: HTTPVersionPreference = .automatic) -> TransferRequest {
    var request = TransferRequest(url: url)
    request.settings.version = version
    request.settings.tls.authorities = server.certificates.authority
    return request
  }

  @Test func `the response to a plain GET contains the status, the header, the body and the size of the body`() async throws {
    let response = try await engine.response(for: TransferRequest(url: server.url + "/json"))
    #expect(response.status == .ok)
    #expect(response.version == .http1_1)
    #expect(response.bytes.count == 200)
    #expect(response.headerFields[.contentType] == "application/json")
    #expect(response.headerFields[.contentLength] == "200")
    #expect(response.decodedBodyBytes == 200)
    #expect(response.wireBodyBytes == 200)
    #expect(response.url == server.url + "/json")
    #expect(response.redirects.isEmpty)
  }

  @Test func `metrics distinguish new connections from reused ones`() async throws {
    let first = try await engine.response(for: TransferRequest(url: server.url + "/json")).metrics
    let second = try await engine.response(for: TransferRequest(url: server.url + "/json")).metrics
    let new = try #require(first.transactions.first)
    let reused = try #require(second.transactions.first)
    #expect(!new.isReused)
    #expect(new.connect != nil)
    #expect(new.secure == nil)
    #expect(new.remoteAddress == "127.0.0.1")
    #expect(new.firstByte != nil)
    #expect(new.version == .http1_1)
    #expect(new.responseBodyBytes == 200)
    #expect(reused.isReused)
    #expect(reused.connect == nil)
    #expect(reused.nameLookup == nil)
    #expect(reused.localPort == new.localPort)
    let url = server.url.replacing("127.0.0.1", with: "localhost") + "/json"
    let named = try #require(try await engine.response(for: TransferRequest(url: url)).metrics.transactions.first)
    #expect(named.nameLookup != nil)
  }

  @Test func `a TLS connection negotiates HTTP/2`() async throws {
    let response = try await engine.response(for: secure(server.secureURL + "/echo"))
    #expect(response.version == .http2)
    #expect(String(decoding: response.bytes, as: UTF8.self).hasPrefix("GET|/echo|localhost|HTTP/2.0|"))
    let transaction = try #require(response.metrics.transactions.first)
    #expect(transaction.secure != nil)
    #expect(transaction.version == .http2)
  }

  @Test func `a TLS connection uses HTTP/1.1 if the caller requests it or the server supports nothing else`() async throws {
    var request = secure(server.secureURL + "/json")
    request.settings.version = .http1
    #expect(try await engine.response(for: request).version == .http1_1)
    #expect(try await engine.response(for: secure(server.secureHTTP1URL + "/json")).version == .http1_1)
  }

  @Test func `a request with prior knowledge of HTTP/2 uses HTTP/2 without TLS`() async throws {
    var request = TransferRequest(url: server.clearHTTP2URL + "/json")
    request.settings.version = .http2PriorKnowledge
    let asked = request
    // libcurl 7.88 cannot reuse such a connection.
    for _ in 0..<3 { #expect(try await engine.response(for: asked).version == .http2) }
    let versions = try await withThrowingTaskGroup(of: HTTPVersion.self) { group in
      for _ in 0..<20 { group.addTask { try await engine.response(for: asked).version } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(versions == Array(repeating: .http2, count: 20))
  }

  @Test func `if an HTTP/2 connection is open, fifty requests share it`() async throws {
    _ = try await engine.response(for: secure(server.secureURL + "/json"))
    let ports = try await withThrowingTaskGroup(of: Int?.self) { group in
      for _ in 0..<50 {
        group.addTask { try await engine.response(for: secure(server.secureURL + "/json")).metrics.transactions.first?.localPort }
      }
      return try await group.reduce(into: Set<Int>()) { if let port = $1 { $0.insert(port) } }
    }
    #expect(ports.count == 1)
  }

  /// All requests start at once, and nothing is known about the server.
  @Test func `if no connection is open, the first fifty requests that prefer HTTP/2 share one connection`() async throws {
    let ports = try await ports(of: secure(server.secureURL + "/json", .http2), count: 50)
    #expect(ports.count == 1)
  }

  /// The requests have waited for a connection that cannot be shared, so each opens its own.
  @Test func `if the server does not support HTTP/2, requests that prefer HTTP/2 use HTTP/1.1`() async throws {
    let request = secure(server.secureHTTP1URL + "/json", .http2)
    #expect(try await ports(of: request, count: 20).count > 0)
    #expect(try await engine.response(for: request).version == .http1_1)
  }

  @Test func `if a shared connection fails, all requests that wait for it fail`() async throws {
    let request = secure("https://127.0.0.1:1/", .http2)
    let kinds = await withTaskGroup(of: NetworkingError.Kind?.self) { group in
      for _ in 0..<20 { group.addTask { await failure(of: request) } }
      var kinds: [NetworkingError.Kind?] = []
      for await kind in group { kinds.append(kind) }
      return kinds
    }
    #expect(kinds.count == 20)
    #expect(kinds.allSatisfy { $0 == NetworkingError.Kind.refused }, "\(kinds)")
  }

  private func failure(of request: TransferRequest) async -> NetworkingError.Kind? {
    do throws(NetworkingError) {
      _ = try await engine.response(for: request)
      return nil
    } catch {
      return error.reason.kind
    }
  }

  /// The request that connects may be cancelled before the connection is open.
  @Test func `cancelling the request that opens a shared connection does not cancel the other requests for the connection`() async throws {
    let request = secure(server.secureURL + "/json", .http2)
    let first = Task { try await engine.response(for: request) }
    let others = Task { try await ports(of: request, count: 10) }
    first.cancel()
    #expect(try await others.value.count > 0)
    _ = try? await first.value
  }

  private func ports(of request: TransferRequest, count: Int) async throws -> Set<Int> {
    try await withThrowingTaskGroup(of: Int?.self) { group in
      for _ in 0..<count {
        group.addTask {
          let response = try await engine.response(for: request)
          #expect(response.status == .ok)
          return response.metrics.transactions.first?.localPort
        }
      }
      return try await group.reduce(into: []) { if let port = $1 { $0.insert(port) } }
    }
  }

  /// The failure of one stream does not affect others on its connection.
  @Test func `after a truncated HTTP/2 stream, its connection can still be used`() async throws {
    let upstream = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")
    }
    let port = try #require(URLReference(upstream.url).port)
    let request = secure(server.secureURL + "/json")
    let before = try await engine.response(for: request)
    let cut = secure(server.secureURL + "/through?port=\(port)")
    let error = await #expect(throws: NetworkingError.self) { try await engine.response(for: cut) }
    #expect(error?.reason.kind == .connectionLost)
    #expect(error?.partialResponse?.version == .http2)
    #expect(error?.partialResponse?.bytes == Array("short".utf8))
    let after = try await engine.response(for: request)
    #expect(after.status == .ok)
    #expect(after.metrics.transactions.first?.localPort == before.metrics.transactions.first?.localPort)
  }

  /// The server was assumed to support HTTP/2 but does not.
  @Test func `a request with prior knowledge of HTTP/2 fails at a server without HTTP/2`() async throws {
    var request = TransferRequest(url: server.url + "/json")
    request.settings.version = .http2PriorKnowledge
    let asked = request
    let error = await #expect(throws: NetworkingError.self) { try await engine.response(for: asked) }
    #expect([.connectionLost, .invalidResponse].contains(error?.reason.kind), "\(String(describing: error))")
    request.settings.version = .automatic
    #expect(try await engine.response(for: request).version == .http1_1)
  }

  @Test(arguments: ["GET", "HEAD", "DELETE", "OPTIONS", "POST", "PUT", "PATCH", "QUERY", "M-SEARCH"])
  func `a request with any method reaches nginx`(_ name: String) async throws {
    let method = try #require(HTTPRequest.Method(name))
    let response = try await engine.response(for: TransferRequest(url: server.url + "/echo", method: method))
    #expect(response.request.method == method)
    // nginx's `return` refuses no method; HEAD has no body.
    if name == "HEAD" {
      #expect(response.bytes.isEmpty)
    } else {
      #expect(String(decoding: response.bytes, as: UTF8.self).hasPrefix("\(name)|/echo|"))
    }
  }

  @Test func `a client certificate is presented to nginx`() async throws {
    var request = secure(server.clientCertificateURL + "/echo")
    request.settings.tls.clientCertificate = .pem(file: server.certificates.clientCertificate, key: server.certificates.clientKey)
    let response = try await engine.response(for: request)
    #expect(String(decoding: response.bytes, as: UTF8.self).contains("CN=client"))
    let refused = try await engine.response(for: secure(server.clientCertificateURL + "/echo"))
    #expect(refused.status.code == 400)
  }

  enum BadCertificate: CaseIterable { case expired, wrongHost, selfSigned, unknownAuthority }

  @Test(arguments: BadCertificate.allCases)
  func `a bad server certificate is refused unless verification is off`(_ certificate: BadCertificate) async throws {
    var request: TransferRequest
    var expected = NetworkingError.TLS.untrusted
    switch certificate {
    case .expired: request = secure(server.expiredURL + "/json")
    case .wrongHost:
      request = secure(server.wrongHostURL + "/json")
      expected = .wrongHost
    case .selfSigned: request = secure(server.selfSignedURL + "/json")
    case .unknownAuthority:
      request = secure(server.secureURL + "/json")
      request.settings.tls.authorities = server.certificates.otherAuthority
    }
    let error = await #expect(throws: NetworkingError.self) { try await engine.response(for: request) }
    guard case .tls(let failure, _) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure == expected)
    #expect(error?.isUnreachable == true)

    request.settings.tls.verifies = false
    #expect(try await engine.response(for: request).status == .ok)
  }

  @Test func `a TLS version outside the configured range gives an error`() async throws {
    var request = secure(server.secureURL + "/json")
    request.settings.tls.maximumVersion = .tls1_2
    #expect(try await engine.response(for: request).status == .ok)
    request.settings.tls.minimumVersion = .tls1_0
    request.settings.tls.maximumVersion = .tls1_0
    request.settings.usesFreshConnection = true
    let error = await #expect(throws: NetworkingError.self) { try await engine.response(for: request) }
    #expect(error?.reason.kind == .tls)
  }

  @Test func `a compressed body is decoded, and its compressed and decoded sizes are reported`() async throws {
    let response = try await engine.response(for: TransferRequest(url: server.url + "/gzip/long.txt"))
    #expect(response.headerFields[.contentEncoding] == "gzip")
    #expect(response.bytes.count == 176_000)
    #expect(response.decodedBodyBytes == 176_000)
    #expect(response.wireBodyBytes < 10_000)
    var plain = TransferRequest(url: server.url + "/gzip/long.txt")
    plain.settings.decodesContent = false
    let undecoded = try await engine.response(for: plain)
    #expect(undecoded.headerFields[.contentEncoding] == nil)
    #expect(undecoded.wireBodyBytes == 176_000)
  }

  /// nginx serves files encoded by other programs, since it has no module for these codings.
  @Test(arguments: ["br", "zstd"]) func `Brotli and Zstandard files from nginx are decoded`(_ coding: String) async throws {
    let encoded = try ContentDecodingTests.encoded(coding, ContentDecodingTests.text)
    let name = "\(coding)-\(getpid())"
    for (suffix, bytes) in [("", encoded), ("-cut", Array(encoded.dropLast(10)))] {
      let path = server.files + "/" + name + suffix
      try TemporaryFile.write(bytes, to: path)
    }
    defer { for suffix in ["", "-cut"] { unlink(server.files + "/" + name + suffix) } }
    for url in [server.url, server.secureURL] {
      let response = try await engine.response(for: secure("\(url)/encoded/\(name)?coding=\(coding)"))
      #expect(response.headerFields[.contentEncoding] == coding)
      #expect(response.bytes == ContentDecodingTests.text)
      #expect(response.wireBodyBytes == encoded.count)
      let error = await #expect(throws: NetworkingError.self) {
        try await engine.response(for: secure("\(url)/encoded/\(name)-cut?coding=\(coding)"))
      }
      #expect(error?.reason.kind == .undecodable)
    }
  }

  @Test func `a request can use a Unix socket`() async throws {
    var request = TransferRequest(url: "http://garland.invalid/echo")
    request.settings.unixSocket = server.unixSocket
    let response = try await engine.response(for: request)
    #expect(String(decoding: response.bytes, as: UTF8.self).hasPrefix("GET|/echo|garland.invalid|"))
  }

  @Test func `if a request overrides the address of its host, the request is sent to this address`() async throws {
    let port = try #require(URLReference(server.url).port)
    var request = TransferRequest(url: "http://shop.invalid:\(port)/echo")
    // Nothing listens at the first address: the next one is tried.
    request.settings.resolve = [ResolveOverride(host: "shop.invalid", port: port, addresses: ["127.0.0.250", "127.0.0.1"])]
    let resolved = try await engine.response(for: request)
    #expect(String(decoding: resolved.bytes, as: UTF8.self).contains("|shop.invalid|"))
    request.settings.resolve = []
    request.url = "http://shop.invalid/echo"
    request.settings.connectTo = [ConnectOverride(host: "shop.invalid", toHost: "127.0.0.1", toPort: port)]
    let connected = try await engine.response(for: request)
    #expect(String(decoding: connected.bytes, as: UTF8.self).contains("|shop.invalid|"))
    // As in curl, an address applies to the host of the connection: one for the URL's host is not
    // used if the connection goes elsewhere.
    request.settings.connectTo = [ConnectOverride(host: "SHOP.invalid", port: 80, toHost: "Stage.invalid", toPort: port)]
    request.settings.resolve = [
      ResolveOverride(host: "shop.invalid", port: 80, addresses: ["127.0.0.250"]),
      ResolveOverride(host: "stage.invalid", port: port, addresses: ["127.0.0.250", "127.0.0.1"]),
    ]
    let both = try await engine.response(for: request)
    #expect(String(decoding: both.bytes, as: UTF8.self).contains("|shop.invalid|"))
    #expect(both.metrics.transactions.last?.remoteAddress?.contains("127.0.0.1") == true)
    request.settings.resolve = [ResolveOverride(host: "shop.invalid", port: 80, addresses: ["127.0.0.250"])]
    request.settings.connectTo = [ConnectOverride(toHost: "127.0.0.1", toPort: port)]
    #expect(try await engine.response(for: request).status == .ok)
    // The first matching override counts, and one for another port does not match.
    request.settings.connectTo = [
      ConnectOverride(port: 81, toHost: "127.0.0.250"), ConnectOverride(toHost: "127.0.0.1", toPort: port),
      ConnectOverride(host: "shop.invalid", toHost: "127.0.0.250"),
    ]
    #expect(try await engine.response(for: request).status == .ok)
  }

  @Test func `header fields are sent in the given order and reported as they were sent`() async throws {
    let received = Captured()
    let raw = try RawServer { connection in
      received.set(connection.readHead())
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }
    var request = TransferRequest(url: raw.url + "/a%20b?q=1#fragment")
    let names = ["X-First", "x-second", "X-First", "X-Empty"]
    for (name, value) in zip(names, ["1", "2", "3", ""]) {
      request.headerFields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
    }
    request.removedFields = [.accept]
    let response = try await engine.response(for: request)
    let lines = received.text.split(separator: "\r\n").map(String.init)
    #expect(lines.first == "GET /a%20b?q=1 HTTP/1.1")
    #expect(lines.suffix(4) == ["X-First: 1", "x-second: 2", "X-First: 3", "X-Empty:"])
    #expect(!lines.contains { $0.hasPrefix("Accept:") })
    let told = response.request.headerFields.map { $0.value.isEmpty ? "\($0.name.rawName):" : "\($0.name.rawName): \($0.value)" }
    #expect(Array(lines.dropFirst()) == told)
  }

  @Test func `a thousand concurrent transfers succeed`() async throws {
    var configuration = EngineConfiguration()
    configuration.connectionsPerOrigin = 0
    let engine = Engine(configuration: configuration)
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<1000 { group.addTask { try await engine.response(for: TransferRequest(url: server.url + "/json")).bytes.count } }
      return try await group.reduce(0, +)
    }
    #expect(count == 200_000)
  }

  @Test func `the engine opens at most six connections to one origin`() async throws {
    let ports = try await withThrowingTaskGroup(of: Int?.self) { group in
      for _ in 0..<60 {
        group.addTask { try await engine.response(for: TransferRequest(url: server.url + "/json")).metrics.transactions.first?.localPort }
      }
      return try await group.reduce(into: Set<Int>()) { if let port = $1 { $0.insert(port) } }
    }
    #expect((1...6).contains(ports.count))
  }
}
