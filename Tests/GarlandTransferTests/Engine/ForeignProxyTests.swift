import GarlandTransfer
import HTTPTypes
import TestSupport
import Testing

/// Tests third-party proxies: squid, which is also an NTLM server, and microsocks.
@Suite(.timeLimit(.minutes(15))) struct ForeignProxyTests {
  let engine = Engine()

  private func request(
    _ url: String, through proxy: String, user: String = "user", password: String = "pass", _ scheme: ProxyCredentials.Scheme = .basic
  ) throws -> TransferRequest {
    var request = TransferRequest(url: url)
    request.settings.proxy = .url(proxy, credentials: ProxyCredentials(user: user, password: password, scheme: scheme))
    request.settings.tls.authorities = try NginxServer.shared().certificates.authority
    return request
  }

  @Suite(.timeLimit(.minutes(15))) struct Squid {
    let proxies = ForeignProxyTests()

    @Test(arguments: [ProxyCredentials.Scheme.basic, .ntlm, .any]) func `squid forwards a request with each kind of proxy credential`(
      _ scheme: ProxyCredentials.Scheme
    ) async throws {
      let squid = try SquidServer.shared()
      let nginx = try NginxServer.shared()
      for _ in 0..<2 {
        let response = try await proxies.engine.response(for: try proxies.request(nginx.url + "/echo", through: squid.proxyURL, scheme))
        #expect(response.status == .ok)
        #expect(response.headerFields[.via]?.contains("garland-squid") == true)
        // The proxy's credentials are not forwarded.
        #expect(!String(decoding: response.bytes, as: UTF8.self).lowercased().contains("proxy-authorization"))
      }
    }

    @Test(arguments: [ProxyCredentials.Scheme.basic, .ntlm]) func `squid tunnels an https request with Basic or NTLM credentials`(
      _ scheme: ProxyCredentials.Scheme
    ) async throws {
      let squid = try SquidServer.shared()
      let nginx = try NginxServer.shared()
      let response = try await proxies.engine.response(for: try proxies.request(nginx.secureURL + "/echo", through: squid.proxyURL, scheme))
      #expect(response.status == .ok)
      #expect(response.version == .http2)
      #expect(response.headerFields[.via] == nil)
    }

    @Test
    func `if the proxy server Squid refuses the user, a request gets status 407 for http and a proxy error for https`()
      async throws
    {
      let squid = try SquidServer.shared()
      let nginx = try NginxServer.shared()
      // Without a tunnel the refusal is an ordinary response.
      let refusal = try await proxies.engine.response(
        for: try proxies.request(nginx.url, through: squid.proxyURL, user: "stranger", password: "wrong"))
      #expect(refusal.status == .proxyAuthenticationRequired)
      let error = await #expect(throws: NetworkingError.self) {
        try await proxies.engine.response(
          for: try proxies.request(nginx.secureURL, through: squid.proxyURL, user: "stranger", password: "wrong"))
      }
      #expect(error?.reason.kind == .proxy)
      #expect(error?.partialResponse == nil)
    }

    @Test func `if an NTLM password is wrong, squid opens no tunnel`() async throws {
      let squid = try SquidServer.shared()
      let nginx = try NginxServer.shared()
      let error = await #expect(throws: NetworkingError.self) {
        try await proxies.engine.response(for: try proxies.request(nginx.secureURL, through: squid.proxyURL, password: "wrong", .ntlm))
      }
      #expect(error?.reason.kind == .proxy)
    }

    @Test func `for an unreachable server, squid responds 503 to http requests and refuses the tunnel for https`()
      async throws
    {
      let squid = try SquidServer.shared()
      let nobody = ReservedPort()
      defer { withExtendedLifetime(nobody) {} }
      let response = try await proxies.engine.response(
        for: try proxies.request("http://127.0.0.1:\(nobody.number)/", through: squid.proxyURL))
      #expect(response.status == .serviceUnavailable)
      let error = await #expect(throws: NetworkingError.self) {
        try await proxies.engine.response(for: try proxies.request("https://127.0.0.1:\(nobody.number)/", through: squid.proxyURL))
      }
      #expect(error?.reason.kind == .proxy)
    }

    /// Uses squid in front of httpbin as a server with NTLM.
    @Test func `squid as an origin server accepts the NTLM authentication of a request`() async throws {
      let squid = try SquidServer.shared()
      var request = TransferRequest(url: squid.guardedURL + "/anything", credential: .ntlm(user: "HOME\\alice", password: "pass"))
      let response = try await proxies.engine.response(for: request)
      #expect(response.status == .ok)
      #expect(response.metrics.transactions.map(\.authenticationLegs) == [1])
      request.method = .put
      request.body = .bytes(Array("the content".utf8))
      request.headerFields[.contentType] = "text/plain"
      let answer = try await proxies.engine.response(for: request)
      #expect(answer.status == .ok)
      #expect(String(decoding: answer.bytes, as: UTF8.self).contains(#""data":"the content""#))
      // Samba computes the answer from the known password.
      request.credential = .ntlm(user: "HOME\\alice", password: "wrong")
      #expect(try await Engine().response(for: request).status == .unauthorized)
      request.credential = nil
      #expect(try await Engine().response(for: request).status == .unauthorized)
    }
  }

  @Suite(.timeLimit(.minutes(15))) struct Microsocks {
    let proxies = ForeignProxyTests()

    @Test(arguments: ["socks5", "socks5h"]) func `plain and TLS requests pass through a SOCKS proxy`(_ scheme: String) async throws {
      let proxy = "\(scheme)://127.0.0.1:\(try SOCKSServer.shared().port)"
      let nginx = try NginxServer.shared()
      #expect(try await proxies.engine.response(for: try proxies.request(nginx.url + "/echo", through: proxy)).status == .ok)
      let secure = try await proxies.engine.response(for: try proxies.request(nginx.secureURL + "/echo", through: proxy))
      #expect(secure.version == .http2)
    }

    @Test func `a SOCKS proxy refuses a wrong password with an error`() async throws {
      let proxy = "socks5h://127.0.0.1:\(try SOCKSServer.shared().port)"
      let error = await #expect(throws: NetworkingError.self) {
        try await proxies.engine.response(for: try proxies.request(try NginxServer.shared().url, through: proxy, password: "wrong"))
      }
      #expect(error?.reason.kind == .proxy)
    }

    @Test func `if a server behind a SOCKS proxy is unreachable, the error is a proxy error`() async throws {
      let proxy = "socks5h://127.0.0.1:\(try SOCKSServer.shared().port)"
      let nobody = ReservedPort()
      defer { withExtendedLifetime(nobody) {} }
      let error = await #expect(throws: NetworkingError.self) {
        try await proxies.engine.response(for: try proxies.request("http://127.0.0.1:\(nobody.number)/", through: proxy))
      }
      #expect(error?.reason.kind == .proxy)
    }
  }
}
