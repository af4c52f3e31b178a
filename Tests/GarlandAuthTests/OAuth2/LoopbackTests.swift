import GarlandAuth
import GarlandNetworking
import GarlandText
import HTTPTypes
import TestSupport
import Testing

/// Tests the login of a person with a browser: the redirect arrives at a port of this machine.
@Suite(.timeLimit(.minutes(15))) struct LoopbackTests {
  /// Acts as a browser that goes through the provider's pages and follows the last redirect too.
  static func browse(
    _ url: String, _ provider: Provider, visitBefore: [String] = [], change: @Sendable @escaping (String) -> String = { $0 }
  )
    async throws -> (status: Int, page: String)
  {
    let uri = Self.redirect(of: url).uri
    let origin = uri.split(separator: "/", maxSplits: 3).prefix(2).joined(separator: "//")
    for path in visitBefore {
      let other = try await provider.session.engine.response(for: provider.session.transferRequest(origin + path))
      #expect(other.status == .notFound)
    }
    let answer = try await ScriptedUser(provider: provider, redirect: uri).walk(to: url, until: uri)
    let response = try await provider.session.engine.response(for: provider.session.transferRequest(change(answer)))
    return (response.status.code, String(decoding: response.bytes, as: UTF8.self))
  }

  /// Returns the redirect URI of a page to open, and its port.
  static func redirect(of url: String) -> (uri: String, port: UInt16) {
    let text = url.split(separator: "redirect_uri=").last?.prefix { $0 != "&" } ?? ""
    let uri = PercentEncoding.text(decoding: String(text))
    return (uri, uri.split(separator: ":").last.flatMap { UInt16($0.prefix { $0 != "/" }) } ?? 0)
  }

  static func configuration(_ provider: Provider, _ agent: LoopbackAgent) -> OAuthConfiguration {
    var configuration = provider.configuration(.authorizationCode(agent), client: "smoke", secret: nil)
    configuration.endpoints.token = nil
    configuration.issuer = provider.url
    configuration.scope = ["openid", "read"]
    return configuration
  }

  @Test func `during a browser login, a server on this machine receives the OAuth redirect and shows a page in the browser`() async throws {
    try await withProvider { provider in
      let pages = Collected<(status: Int, page: String)>()
      let agent = LoopbackAgent { url in
        Task {
          guard let page = try? await Self.browse(url, provider, visitBefore: ["/favicon.ico", "/", "/callback/x"]) else { return }
          pages.add(page)
        }
      }
      let tokens = try await provider.manager(Self.configuration(provider, agent)).token()
      #expect(tokens.claims?["sub"] == "alice")
      while pages.all.isEmpty { await Task.yield() }
      #expect(pages.all.first?.status == 200)
      #expect(pages.all.first?.page.contains("<h1>You are logged in</h1>") == true)
    }
  }

  @Test func `the authorization URL of a browser login contains no secret`() async throws {
    try await withProvider { provider in
      let shown = Collected<String>()
      let agent = LoopbackAgent { url in
        shown.add(url)
        Task { _ = try? await Self.browse(url, provider) }
      }
      _ = try await provider.manager(Self.configuration(provider, agent)).token()
      let url = try #require(shown.all.first)
      for secret in provider.secrets.all { #expect(!url.contains(secret)) }
    }
  }

  @Test func `if a browser login fails, the page in the browser shows the error from the redirect as plain text`() async throws {
    try await withProvider { provider in
      let pages = Collected<(status: Int, page: String)>()
      let words = "refused the request with `access_denied`"
      let agent = LoopbackAgent { url in
        Task {
          let change: @Sendable (String) -> String = {
            $0.replacing(#/code=[^&]*/#, with: "error=access_denied&error_description=%3Cb%3Eno")
          }
          if let page = try? await Self.browse(url, provider, change: change) { pages.add(page) }
        }
      }
      await #expect { try await provider.manager(Self.configuration(provider, agent)).token() } throws: { "\($0)".contains(words) }
      while pages.all.isEmpty { await Task.yield() }
      #expect(pages.all.first?.status == 400)
      #expect(pages.all.first?.page.contains(words) == true)
      #expect(pages.all.first?.page.contains("<b>") == false, "nothing of the redirect is markup")
    }
  }

  /// Any page in the browser can send requests to the port: they do not end the login, and neither
  /// do silent clients.
  @Test func `a browser login is not ended by requests with a wrong state or by connections without a request`() async throws {
    try await withProvider { provider in
      let strangers = Collected<Int>()
      let silent = Collected<OpenSocket>()
      let pages = Collected<(status: Int, page: String)>()
      let agent = LoopbackAgent { url in
        Task {
          let (redirect, port) = Self.redirect(of: url)
          for _ in 0..<80 { if let socket = OpenSocket(port: port) { silent.add(socket) } }
          for target in ["", "?state=x&code=stolen", "?error=access_denied", "?code=stolen", "?state=&state=x"] {
            let request = provider.session.transferRequest(redirect + target)
            if let answer = try? await provider.session.engine.response(for: request) { strangers.add(answer.status.code) }
          }
          if let page = try? await Self.browse(url, provider) { pages.add(page) }
        }
      }
      let tokens = try await provider.manager(Self.configuration(provider, agent)).token()
      #expect(tokens.claims?["sub"] == "alice")
      while pages.all.isEmpty { await Task.yield() }
      #expect(strangers.all == [400, 400, 400, 400, 400])
      #expect(silent.all.count == 80)
    }
  }

  /// The agent listens only on the loopback interface, accepts one redirect and then closes the
  /// port.
  @Test func `the local server for the redirect of a browser login listens only on 127.0.0.1 and only until one redirect arrives`()
    async throws
  {
    try await withProvider { provider in
      let ports = Collected<UInt16>()
      let agent = LoopbackAgent { url in
        let port = Self.redirect(of: url).port
        ports.add(port)
        #expect(OpenSocket.listeners(on: port) == ["0100007F"], "127.0.0.1, in the kernel's words")
        Task { _ = try? await Self.browse(url, provider) }
      }
      _ = try await provider.manager(Self.configuration(provider, agent)).token()
      let port = try #require(ports.all.first)
      #expect(OpenSocket.listeners(on: port).isEmpty)
    }
  }

  @Test func `if a login times out after a redirect with a wrong state, the error mentions that redirect`() async throws {
    try await withProvider { provider in
      let agent = LoopbackAgent(patience: .milliseconds(300)) { url in
        let socket = OpenSocket(port: Self.redirect(of: url).port)
        socket?.send("GET /callback?state=another&code=x HTTP/1.1\r\nHost: x\r\n\r\n")
        if let socket { Self.kept.add(socket) }
      }
      await #expect {
        try await provider.manager(Self.configuration(provider, agent)).token()
      } throws: {
        "\($0)".hasPrefix("the login in the browser was not completed within 300 ms; an invalid redirect was ignored: ")
          && "\($0)".contains("its `state` differs from")
      }
    }
  }

  private static let kept = Collected<OpenSocket>()

  @Test func `a browser login without a redirect fails at its time limit`() async throws {
    try await withProvider { provider in
      let agent = LoopbackAgent(patience: .milliseconds(1)) { _ in }
      await #expect(throws: OAuthError.timeUp("the login in the browser was not completed within 1 ms")) {
        try await provider.manager(Self.configuration(provider, agent)).token()
      }
    }
  }

  @Test func `a cancelled browser login no longer waits for the redirect`() async throws {
    try await withProvider { provider in
      let agent = LoopbackAgent(sleep: { _ in throw CancellationError() }) { _ in }
      await #expect(throws: OAuthError.cancelled) { try await provider.manager(Self.configuration(provider, agent)).token() }
    }
  }

  /// The address `::1` in the kernel's notation.
  private static let version6 = "00000000000000000000000001000000"

  @Test(arguments: [
    ("localhost", ["0100007F", version6]), ("127.0.0.1", ["0100007F"]), ("[::1]", [version6]),
  ])
  func `the local server that receives an OAuth redirect listens on every address of the redirect URI's host`(
    host: String, addresses: [String]
  ) async throws {
    // A server of another test may listen on the same port of another address, so up to five ports are tried.
    var found: [String] = []
    for _ in 0..<5 where found != addresses {
      let agent = LoopbackAgent(redirectURI: "http://\(host)/callback") { _ in }
      let uri = try await agent.redirectURI()
      let port = try #require(uri.split(separator: ":").last.flatMap { UInt16($0.prefix { $0 != "/" }) })
      found = OpenSocket.listeners(on: port)
      withExtendedLifetime(agent) {}
    }
    #expect(found == addresses)
  }

  /// The agent answers at either address of `localhost`.
  @Test(arguments: ["127.0.0.1", "[::1]"])
  func `an OAuth redirect to localhost is received at the IPv4 and at the IPv6 address`(address: String) async throws {
    try await withProvider { provider in
      let pages = Collected<(status: Int, page: String)>()
      let agent = LoopbackAgent(redirectURI: "http://localhost/callback") { url in
        let state = url.split(separator: "state=").last?.prefix { $0 != "&" } ?? ""
        let target = "http://\(address):\(Self.redirect(of: url).port)/callback?code=made-up&state=\(state)"
        Task {
          guard let answer = try? await provider.session.engine.response(for: provider.session.transferRequest(target)) else { return }
          pages.add((answer.status.code, String(decoding: answer.bytes, as: UTF8.self)))
        }
      }
      var configuration = Self.configuration(provider, agent)
      configuration.issuer = nil
      configuration.endpoints.authorization = "\(provider.url)/oauth/authorize"
      configuration.endpoints.token = "\(provider.url)/oauth/token"
      configuration.scope = ["read"]
      // The code is invalid: the provider's refusal proves that it arrived.
      await #expect { try await provider.manager(configuration).token() } throws: { "\($0)".contains("invalid_grant") }
      while pages.all.isEmpty { await Task.yield() }
      #expect(pages.all.first?.page.contains("<h1>You are logged in</h1>") == true)
    }
  }

  @Test func `a browser login refuses a redirect URI that does not point to this machine`() async throws {
    for uri in ["https://127.0.0.1/callback", "http://127.0.0.1.example/callback", "http://127.0.0.1:99999/x", "http://example.com/"] {
      await #expect { try await LoopbackAgent(redirectURI: uri) { _ in }.redirectURI() } throws: {
        "\($0)" == "a login in the browser needs a redirect_uri such as http://127.0.0.1:PORT, found \(uri)"
      }
    }
    for (uri, prefix, suffix) in [
      ("http://127.0.0.1/a?b=c", "http://127.0.0.1:", "/a?b=c"), ("http://localhost", "http://localhost:", ""),
      ("http://[::1]/callback", "http://[::1]:", "/callback"),
    ] {
      let found = try await LoopbackAgent(redirectURI: uri) { _ in }.redirectURI()
      #expect(found.hasPrefix(prefix) && found.hasSuffix(suffix), "\(found)")
    }
    // Another listener uses the port.
    let port = ReservedPort()
    let agent = LoopbackAgent(redirectURI: "http://127.0.0.1:\(port.number)/callback") { _ in }
    _ = try await agent.redirectURI()
    let second = LoopbackAgent(redirectURI: "http://127.0.0.1:\(port.number)/callback") { _ in }
    await #expect { try await second.redirectURI() } throws: {
      "\($0)".contains("could not listen on port \(port.number) of this machine, at 127.0.0.1")
    }
    // One address of `localhost` is not enough: a program at the other address could receive the
    // code.
    let both = LoopbackAgent(redirectURI: "http://localhost:\(port.number)/callback") { _ in }
    await #expect { try await both.redirectURI() } throws: { "\($0)".contains("could not listen on port \(port.number)") }
  }
}
