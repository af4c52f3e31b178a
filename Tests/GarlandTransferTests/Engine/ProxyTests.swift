import GarlandTransfer
import HTTPTypes
import TestSupport
import Testing
import TransferTestSupport

@Suite(.timeLimit(.minutes(15))) struct ProxyTests {
  let engine = Engine()
  private static let empty = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

  private func request(_ url: String, through proxy: String, except exceptions: [String] = []) -> TransferRequest {
    var request = TransferRequest(url: url)
    request.settings.proxy = .url(
      proxy, credentials: ProxyCredentials(user: "canary", password: "p:w"), except: ProxyExceptions(exceptions))
    return request
  }

  @Test func `a request to a proxy contains the whole URL and the proxy credentials`() async throws {
    let seen = Captured()
    let proxy = try RawServer { connection in
      seen.set(connection.readHead())
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nproxy")
    }
    let response = try await engine.response(for: request("http://shop.invalid/a?b=c", through: proxy.url))
    #expect(response.bytes == Array("proxy".utf8))
    let lines = seen.text.split(separator: "\r\n").map(String.init)
    #expect(lines.first == "GET http://shop.invalid/a?b=c HTTP/1.1")
    #expect(lines.contains("Host: shop.invalid"))
    #expect(lines.contains("Proxy-Authorization: Basic Y2FuYXJ5OnA6dw=="))
  }

  @Test func `the header fields of a TLS request are sent through the tunnel and not to the proxy`() async throws {
    let nginx = try NginxServer.shared()
    let port = try #require(URLReference(nginx.secureURL).port)
    let proxy = try TunnelProxy(to: UInt16(port))
    var request = request(nginx.secureURL + "/echo", through: proxy.url)
    request.settings.tls.authorities = nginx.certificates.authority
    request.headerFields[try #require(HTTPField.Name("X-Api-Key"))] = "for-the-origin"
    let response = try await engine.response(for: request)
    #expect(response.status == .ok)
    #expect(response.version == .http2)
    // The header is for the origin, and the proxy sees none of it.
    #expect(!response.headerFields.contains { $0.name.rawName.lowercased() == "x-proxy" })
    let head = try #require(proxy.heads.first)
    #expect(head.hasPrefix("CONNECT localhost:\(port) HTTP/1.1\r\n"))
    #expect(head.contains("Proxy-Authorization: Basic "))
    #expect(!head.contains("for-the-origin"))
    #expect(!String(decoding: response.bytes, as: UTF8.self).contains("canary"))
  }

  @Test(arguments: ["403 Forbidden", "407 Proxy Authentication Required", "502 Bad Gateway"])
  func `a proxy that refuses a tunnel gives a proxy error`(_ status: String) async throws {
    let proxy = try RawServer { connection in
      while connection.readRequest() != nil { connection.send("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n") }
    }
    let error = await #expect(throws: NetworkingError.self) {
      try await engine.response(for: request("https://shop.invalid/", through: proxy.url))
    }
    #expect(error?.reason.kind == .proxy, "\(String(describing: error))")
    #expect(error?.partialResponse == nil)
  }

  /// The fault of a proxy from which a tunnel is requested.
  enum TunnelFault: CaseIterable, Sendable {
    case resetAtOnce, closeAtOnce, reset, close, garbage, otherProtocol, truncatedHead, unfinishedHead, redirect, brokenRefusal

    func happen(on connection: RawConnection) {
      switch self {
      case .resetAtOnce, .closeAtOnce: break
      default: _ = connection.readHead()
      }
      switch self {
      case .resetAtOnce, .reset: connection.reset()
      case .closeAtOnce, .close: break
      case .garbage: connection.send([0, 1, 2, 3] + Array("garbage\r\nmore\r\n\r\n".utf8))
      case .otherProtocol: connection.send("SSH-2.0-OpenSSH_9.2\r\n")
      case .truncatedHead: connection.send("HTTP/1.1 200 Conn")
      case .unfinishedHead: connection.send("HTTP/1.1 200 Connection established\r\nA: b\r\n")
      case .redirect: connection.send("HTTP/1.1 302 Found\r\nLocation: http://h.invalid/\r\nContent-Length: 0\r\n\r\n")
      case .brokenRefusal:
        connection.send("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 100\r\n\r\nshort")
        connection.reset()
      }
    }
  }

  @Test(arguments: TunnelFault.allCases)
  func `if a proxy opens no tunnel, the error names the proxy`(_ fault: TunnelFault) async throws {
    let proxy = try RawServer(fault.happen)
    let error = await #expect(throws: NetworkingError.self) {
      try await engine.response(for: request("https://shop.invalid/", through: proxy.url))
    }
    #expect(error?.reason.kind == .proxy, "\(String(describing: error))")
    #expect(error?.isUnreachable == true)
  }

  @Test(arguments: TunnelFault.allCases)
  func `if a SOCKS proxy does not speak SOCKS, the error names the proxy`(_ fault: TunnelFault) async throws {
    let proxy = try RawServer { connection in
      if fault != .resetAtOnce, fault != .closeAtOnce { _ = connection.read(3) }
      switch fault {
      case .resetAtOnce, .reset: connection.reset()
      case .closeAtOnce, .close: break
      default: connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")
      }
    }
    let error = await #expect(throws: NetworkingError.self) {
      try await engine.response(for: request("https://shop.invalid/", through: "socks5h://127.0.0.1:\(proxy.port)"))
    }
    #expect(error?.reason.kind == .proxy, "\(String(describing: error))")
  }

  @Test(arguments: ["http://shop.invalid/", "https://shop.invalid/"])
  func `if the TLS connection to a proxy fails, the error names the proxy`(_ url: String) async throws {
    let plain = try RawServer { connection in
      _ = connection.read(5)
      connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")
    }
    let nginx = try NginxServer.shared()
    for proxy in ["https://127.0.0.1:\(plain.port)", nginx.secureHTTP1URL] {
      let error = await #expect(throws: NetworkingError.self) { try await engine.response(for: request(url, through: proxy)) }
      #expect(error?.reason.kind == .proxy, "\(proxy): \(String(describing: error))")
    }
  }

  @Test func `if the host name of a proxy does not resolve, the error names the proxy`() async throws {
    let error = await #expect(throws: NetworkingError.self) {
      try await engine.response(for: request("https://127.0.0.1:1/", through: "http://proxy.invalid:3128"))
    }
    #expect(error?.reason.kind == .proxy, "\(String(describing: error))")
  }

  @Test(arguments: [true, false])
  func `if TLS fails inside a proxy tunnel, the error is a TLS error and not a proxy error`(_ resets: Bool) async throws {
    let proxy = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 200 Connection established\r\n\r\n")
      _ = connection.read(5)
      if resets { connection.reset() }
    }
    let error = await #expect(throws: NetworkingError.self) {
      try await engine.response(for: request("https://shop.invalid/", through: proxy.url))
    }
    #expect(error?.reason.kind == .tls, "\(String(describing: error))")
  }

  @Test func `if a proxy does not open a tunnel in time, the error names the phase 'tunneling'`() async throws {
    let proxy = try RawServer { $0.readToEnd() }
    var request = request("https://shop.invalid/", through: proxy.url)
    request.settings.deadline = .seconds(3)
    let error = await #expect(throws: NetworkingError.self) { try await engine.response(for: request) }
    #expect(error?.reason.timeout?.phase == .tunneling, "\(String(describing: error))")
    #expect(error?.isUnreachable == true)
  }

  @Test(arguments: ["http", "socks5", "socks5h"])
  func `if no server listens at the address of a proxy, the proxy is reported as unreachable`(_ scheme: String) async throws {
    let nobody = ReservedPort()
    defer { withExtendedLifetime(nobody) {} }
    let dead = "\(scheme)://127.0.0.1:\(nobody.number)"
    let error = await #expect(throws: NetworkingError.self) {
      try await engine.response(for: request("http://127.0.0.1:1/", through: dead))
    }
    #expect(error?.reason.kind == .proxy, "\(String(describing: error))")
    #expect(error?.isUnreachable == true)
  }

  /// The argument is the last step of the SOCKS proxy before it stops responding: no step, its choice of a
  /// method, or its response to the password.
  @Test(arguments: [0, 1, 2]) func `if a SOCKS proxy stops responding, the error names the proxy`(_ answers: Int) async throws {
    let proxy = try RawServer { connection in
      _ = connection.read(2)
      if answers > 0 { connection.send([5, 2]) }
      if answers > 1 { connection.send([1, 0]) }
      connection.readToEnd()
    }
    var request = request("http://shop.invalid/", through: "socks5h://127.0.0.1:\(proxy.port)")
    request.settings.deadline = .seconds(3)
    let error = await #expect(throws: NetworkingError.self) { try await engine.response(for: request) }
    #expect(error?.reason.timeout?.phase == .tunneling, "\(String(describing: error))")
    #expect(error?.isUnreachable == true)
  }

  @Test(arguments: [[], [4, 0], [5, 0xFF], [5, 2, 1, 1], [5, 2, 1, 0, 5, 2, 0, 1, 0, 0, 0, 0, 0, 0]] as [[UInt8]], ["http", "https"])
  func `if a SOCKS proxy refuses or closes the connection, the error names the proxy`(_ answer: [UInt8], _ scheme: String)
    async throws
  {
    let proxy = try RawServer { connection in
      _ = connection.read(2)
      connection.send(answer)
      _ = connection.read(answer.count * 4)
    }
    let error = await #expect(throws: NetworkingError.self) {
      try await engine.response(for: request("\(scheme)://shop.invalid/", through: "socks5h://127.0.0.1:\(proxy.port)"))
    }
    #expect(error?.reason.kind == .proxy, "\(String(describing: error))")
    #expect(error?.isUnreachable == true)
  }

  @Test func `if a server behind a SOCKS proxy does not start TLS, the error names the server`() async throws {
    let proxy = try RawServer { connection in
      _ = connection.read(2)
      connection.send([5, 2, 1, 0, 5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
      connection.readToEnd()
    }
    var request = request("https://shop.invalid/", through: "socks5h://127.0.0.1:\(proxy.port)")
    request.settings.deadline = .seconds(3)
    let error = await #expect(throws: NetworkingError.self) { try await engine.response(for: request) }
    #expect(error?.reason.timeout?.phase == .securing, "\(String(describing: error))")
  }

  /// Returns a proxy that follows RFC 1928, with user and password as in RFC 1929.
  private func socks(reply: UInt8, _ seen: Captured) throws -> RawServer {
    try RawServer { connection in
      let greeting = connection.read(2)
      guard greeting.count == 2, connection.read(Int(greeting[1])).contains(2) else { return }
      connection.send([5, 2])
      _ = connection.read(1)
      for _ in 0..<2 {
        guard let length = connection.read(1).first else { return }
        seen.add(String(decoding: connection.read(Int(length)), as: UTF8.self))
      }
      connection.send([1, 0])
      guard connection.read(4) == [5, 1, 0, 3], let length = connection.read(1).first else { return }
      seen.add(String(decoding: connection.read(Int(length)), as: UTF8.self))
      seen.add("\(connection.read(2))")
      connection.send([5, reply, 0, 1, 0, 0, 0, 0, 0, 0])
      guard reply == 0 else { return connection.readToEnd() }
      seen.add(connection.readHead())
      connection.send(Self.empty)
    }
  }

  @Test func `a SOCKS5 proxy resolves the host name`() async throws {
    let seen = Captured()
    let proxy = try socks(reply: 0, seen)
    let url = "socks5h://127.0.0.1:\(proxy.port)"
    #expect(try await engine.response(for: request("http://shop.invalid:8080/x", through: url)).status == .ok)
    #expect(seen.all.prefix(4) == ["canary", "p:w", "shop.invalid", "[31, 144]"])
    #expect(seen.all.last?.hasPrefix("GET /x HTTP/1.1\r\nHost: shop.invalid:8080\r\n") == true)
    #expect(seen.all.last?.contains("Proxy-Authorization") == false)

    let refusing = try socks(reply: 5, Captured())
    let error = await #expect(throws: NetworkingError.self) {
      try await engine.response(for: request("http://shop.invalid/", through: "socks5h://127.0.0.1:\(refusing.port)"))
    }
    #expect(error?.reason.kind == .proxy, "\(String(describing: error))")
  }

  @Test func `proxy credentials are not sent to the origin`() async throws {
    let seen = Captured()
    let origin = try RawServer { connection in
      seen.set(connection.readHead())
      connection.send(Self.empty)
    }
    let target = origin.url
    let proxy = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 302 Found\r\nLocation: \(target)/direct\r\nContent-Length: 0\r\n\r\n")
    }
    let response = try await engine.response(for: request("http://shop.invalid/", through: proxy.url, except: ["127.0.0.1"]))
    #expect(response.redirects.count == 1)
    #expect(seen.text.hasPrefix("GET /direct HTTP/1.1\r\n"))
    #expect(!seen.text.contains("Proxy-"))
  }

  @Test func `if a host in the no-proxy list refuses the connection after a redirect, the error names this host, not the proxy`()
    async throws
  {
    let nobody = ReservedPort()
    defer { withExtendedLifetime(nobody) {} }
    let port = nobody.number
    let proxy = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:\(port)/\r\nContent-Length: 0\r\n\r\n")
    }
    let error = await #expect(throws: NetworkingError.self) {
      try await engine.response(for: request("http://shop.invalid/", through: proxy.url, except: ["127.0.0.1"]))
    }
    #expect(error?.reason == .refused(host: "127.0.0.1", port: Int(port)))
  }

  @Test(arguments: [
    ("example.com", "example.com", 80, true), (".example.com", "a.example.com", 80, true), ("example.com", "badexample.com", 80, false),
    ("10.0.0.0/8", "10.1.2.3", 80, true), ("10.0.0.0/8", "11.1.2.3", 80, false), ("*", "anything", 80, true),
    ("example.com:8080", "example.com", 80, false), ("example.com:8080", "example.com", 8080, true), ("::1", "[::1]", 80, true),
    ("[::1]:80", "[::1]", 80, true), ("[::1]:80", "[::1]", 81, false), ("1", "10.0.0.1", 80, false), ("", "example.com", 80, false),
    ("a.com, b.com", "b.com", 80, true), ("EXAMPLE.com.", "example.com", 80, true),
  ])
  func `an entry in the list of hosts that bypass the proxy matches the hosts, networks and ports that it names`(
    _ list: String, _ host: String, _ port: Int, _ isExcepted: Bool
  ) {
    #expect(ProxyExceptions(list: list).contains(host: host, port: port) == isExcepted)
  }

  @Test func `the proxy settings are read from environment variables such as https_proxy`() throws {
    let plain = try #require(try URLReference("http://example.com/").origin)
    let secure = try #require(try URLReference("https://example.com/").origin)
    let other = try #require(try URLReference("http://internal.test/").origin)
    let environment = ProxyEnvironment([
      "HTTP_PROXY": "http://from-a-client:1", "https_proxy": "http://s:2", "HTTPS_PROXY": "http://upper:2", "ALL_PROXY": "socks5://a:3",
      "no_proxy": "internal.test", "all_proxy": "",
    ])
    #expect(environment.proxy(for: plain) == "socks5://a:3")
    #expect(environment.proxy(for: secure) == "http://s:2")
    #expect(environment.proxy(for: other) == nil)
    #expect(ProxyEnvironment(["HTTP_PROXY": "http://from-a-client:1"]).proxy(for: plain) == nil)
  }

  @Test func `if the caller passes proxy variables, those in the environment of the process are ignored`() async throws {
    let nobody = ReservedPort()
    defer { withExtendedLifetime(nobody) {} }
    let server = try PlainServer(Self.empty)
    var request = TransferRequest(url: server.url)
    request.settings.proxy = .environment(ProxyEnvironment([:]))
    #expect(try await engine.response(for: request).status == .ok)
    request.settings.proxy = .environment(ProxyEnvironment(["http_proxy": "http://127.0.0.1:\(nobody.number)"]))
    let error = await #expect(throws: NetworkingError.self) { try await engine.response(for: request) }
    #expect(error?.reason.kind == .proxy)
  }
}
