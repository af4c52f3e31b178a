import GarlandAuth
import GarlandNetworking
import HTTPTypes
import TestSupport
import Testing

/// A person with a browser: the redirect comes to a port of this machine.
@Suite(.timeLimit(.minutes(5))) struct LoopbackTests {
  /// A browser that walks the provider's pages and follows the last redirect as well.
  static func browse(
    _ url: String, _ provider: Provider, visitBefore: [String] = [], change: @Sendable @escaping (String) -> String = { $0 }
  )
    async throws -> (status: Int, page: String)
  {
    let redirect = try #require(url.split(separator: "redirect_uri=").last?.prefix { $0 != "&" })
    let target = PercentEncoding.decode(String(redirect))
    let uri = String(decoding: target, as: UTF8.self)
    let origin = uri.split(separator: "/", maxSplits: 3).prefix(2).joined(separator: "//")
    for path in visitBefore {
      let other = try await provider.session.engine.response(for: provider.session.transferRequest(origin + path))
      #expect(other.status == .notFound)
    }
    let answer = try await ScriptedUser(provider: provider, redirect: uri).walk(to: url, until: uri)
    let response = try await provider.session.engine.response(for: provider.session.transferRequest(change(answer)))
    return (response.status.code, String(decoding: response.bytes, as: UTF8.self))
  }

  static func configuration(_ provider: Provider, _ agent: LoopbackAgent) -> OAuthConfiguration {
    var configuration = provider.configuration(.authorizationCode(agent), client: "smoke", secret: nil)
    configuration.endpoints.token = nil
    configuration.issuer = provider.url
    configuration.scope = ["openid", "read"]
    return configuration
  }

  @Test func theRedirectArrives() async throws {
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
      #expect(pages.all.first?.page.contains("You are logged in. You can close this page.") == true)
    }
  }

  @Test func theStateIsPrintedAndAllElseIsASecret() async throws {
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

  static let wrong: [(String, @Sendable (String) -> String, String)] = [
    ("state", { $0.replacing(#/state=[^&]*/#, with: "state=x") }, "its state is not the one that was sent"),
    ("error", { $0.replacing(#/code=[^&]*/#, with: "error=access_denied&error_description=%3Cb%3Eno") }, "refused: access_denied"),
  ]

  @Test(arguments: wrong) func theBrowserIsToldWhatWentWrong(
    name: String, change: @escaping @Sendable (String) -> String, words: String
  ) async throws {
    try await withProvider { provider in
      let pages = Collected<(status: Int, page: String)>()
      let agent = LoopbackAgent { url in
        Task { if let page = try? await Self.browse(url, provider, change: change) { pages.add(page) } }
      }
      await #expect { try await provider.manager(Self.configuration(provider, agent)).token() } throws: { "\($0)".contains(words) }
      while pages.all.isEmpty { await Task.yield() }
      #expect(pages.all.first?.status == 400)
      #expect(pages.all.first?.page.contains(words) == true)
      #expect(pages.all.first?.page.contains("<b>") == false, "nothing of the redirect is markup")
    }
  }

  @Test func thereIsATimeLimit() async throws {
    try await withProvider { provider in
      let agent = LoopbackAgent(patience: .milliseconds(1)) { _ in }
      await #expect(throws: OAuthError.timeUp("nobody has logged in within 1 ms")) {
        try await provider.manager(Self.configuration(provider, agent)).token()
      }
    }
  }

  @Test func whoWaitsCanStop() async throws {
    try await withProvider { provider in
      let agent = LoopbackAgent(sleep: { _ in throw CancellationError() }) { _ in }
      await #expect(throws: OAuthError.cancelled) { try await provider.manager(Self.configuration(provider, agent)).token() }
    }
  }

  @Test func theRedirectHasToBeOfThisMachine() async throws {
    for uri in ["https://127.0.0.1/callback", "http://127.0.0.1.example/callback", "http://127.0.0.1:99999/x", "http://example.com/"] {
      await #expect { try await LoopbackAgent(redirectURI: uri) { _ in }.redirectURI() } throws: {
        "\($0)" == "a browser can be waited for at http://127.0.0.1:PORT only, and the redirect_uri is \(uri)"
      }
    }
    for (uri, prefix, suffix) in [
      ("http://127.0.0.1/a?b=c", "http://127.0.0.1:", "/a?b=c"), ("http://localhost", "http://localhost:", ""),
      ("http://[::1]/callback", "http://[::1]:", "/callback"),
    ] {
      let found = try await LoopbackAgent(redirectURI: uri) { _ in }.redirectURI()
      #expect(found.hasPrefix(prefix) && found.hasSuffix(suffix), "\(found)")
    }
    // Somebody listens there.
    let port = ReservedPort()
    let agent = LoopbackAgent(redirectURI: "http://127.0.0.1:\(port.number)/callback") { _ in }
    let first = try? await agent.redirectURI()
    let second = LoopbackAgent(redirectURI: "http://127.0.0.1:\(port.number)/callback") { _ in }
    if first != nil {
      await #expect { try await second.redirectURI() } throws: { "\($0)".contains("could not listen on port \(port.number)") }
    }
  }
}
