import FoundationEssentials
import GarlandAuth
import GarlandJSON
import GarlandResults
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of every grant and of every way to authenticate a client, with providers that others have written.
@Suite("Third-party OAuth providers", .timeLimit(.minutes(15)))
struct ForeignProviderTests {
  static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("signer.pem", Array(try Data(contentsOf: URL(filePath: Repository.path("examples/oauth/signer.pem")))))
    return folder
  }

  static func run(
    _ provider: OAuthProvider, _ auth: String, _ steps: String, folder: TemporaryFolder? = nil, defaults: String = "",
    configure: (inout RunConfiguration) -> Void = { _ in }, react: (@Sendable (Run, RunEvent) -> Void)? = nil
  ) async throws -> TestRun {
    try await TestRun.carryOut(
      """
      garland: 1
      vars: { base: "\(provider.url)" }
      defaults: { base_url: "${vars.base}", timeout: 60s\(defaults) }
      auth:
        \(auth)
      steps:
        \(steps)
      """, folder: folder ?? Self.folder(), configure: configure, react: react)
  }

  static func expectPassed(_ run: TestRun) {
    for result in run.results where result.outcome != .passed {
      Issue.record("\(result.step.id): \(result.reason ?? "") \(result.failures.map { "\($0.subject) \($0.message)" })")
    }
    #expect(run.summary.exitStatus == 0)
  }

  // MARK: oidc-provider-mock

  static let code = """
    shop:
        oauth2:
          grant: authorization_code
          issuer: ${vars.base}
          client_id: smoke
          client_secret: whatever
          redirect_uri: http://127.0.0.1:4711/callback
          scope: openid email
          authorize:
            steps:
              page: { get: "${env.GARLAND_AUTHORIZE_URL}" }
              allow: { submit: { from: page, form: "//form[.//input]", fields: { sub: SUBJECT } } }
    """

  @Test func `an authorization code from the mock OAuth provider is exchanged for an access token and a valid ID token`() async throws {
    let provider = try OAuthProvider.sharedMock()
    let run = try await Self.run(
      provider, Self.code.replacing("SUBJECT", with: "carol@example.com"),
      """
      who:
          get: /userinfo
          auth: shop
          expect: { json: { $.sub: "${auth.shop.claims.sub}", $.email: carol@example.com }, that: ["${auth.shop.claims.iss == vars.base}"] }
      """)
    Self.expectPassed(run)
    #expect(try run.result("who").exchanges.compactMap(\.label) == ["discovery", "authorize: page", "authorize: allow", "token", "keys"])
  }

  @Test func `an expired token is refreshed without a new login, unless the refresh token is revoked`() async throws {
    let provider = try OAuthProvider.sharedMock()
    let ahead = Ahead()
    let run = try await Self.run(
      // The steps use no ID token, since its times are measured by the provider's clock.
      provider, Self.code.replacing("SUBJECT", with: "dave@example.com").replacing("scope: openid email", with: "scope: email"),
      """
      first: { get: /userinfo, auth: shop }
        later: { get: /jwks, after: first }
        second: { get: /userinfo, auth: shop, after: later }
        revoke: { post: /users/dave@example.com/revoke-tokens, after: second }
        much_later: { get: /jwks, after: revoke }
        third: { get: /userinfo, auth: shop, after: much_later }
      """
    ) {
      $0.values.now = { SystemSources.now() + ahead.seconds }
    } react: { _, event in
      if case .stepEnded(let result) = event, ["later", "much_later"].contains(result.step.id) { ahead.go(3590) }
    }
    Self.expectPassed(run)
    #expect(try run.result("second").exchanges.compactMap(\.label) == ["token"], "refreshed ahead of its end, without the pages")
    // The refresh token no longer works, so the whole login is repeated.
    #expect(
      try run.result("third").exchanges.compactMap(\.label) == ["token", "authorize: page", "authorize: allow", "token"])
  }

  @Test func `if access is denied on the page of an OAuth provider, the step that needs the token fails`() async throws {
    let provider = try OAuthProvider.sharedMock()
    let auth = Self.code.replacing("form: \"//form[.//input]\", fields: { sub: SUBJECT }", with: "form: \"//form[2]\", button: deny")
    let run = try await Self.run(provider, auth, "who: { get: /userinfo, auth: shop }")
    // The provider does not return `state`, so an attacker could have sent the response.
    #expect(
      try run.result("who").failures.first?.message
        == "could not get a token: the redirect from the authorization endpoint is not valid: it has no state")
  }

  // MARK: Authlib

  static let grants: [(String, String, String)] = [
    (
      "client_secret_basic", "grant: client_credentials, client_id: basic, client_secret: s3cr3t, scope: read", "client: basic, scope: read"
    ),
    (
      "client_secret_post",
      "grant: client_credentials, client_id: post, client_secret: \"s3cr3t & more: ü\", client_auth: client_secret_post", "client: post"
    ),
    (
      "client_secret_jwt",
      "grant: client_credentials, client_id: hmac, client_secret: a-secret-of-more-than-32-bytes-for-HMAC, client_auth: client_secret_jwt",
      "client: hmac"
    ),
    ("private_key_jwt", "grant: client_credentials, client_id: signer, client_key: signer.pem", "client: signer"),
    (
      "password", "grant: password, client_id: basic, client_secret: s3cr3t, username: bob, password: builder & son, scope: [read, write]",
      "user: bob, scope: read write"
    ),
    ("password of a public client", "grant: password, client_id: public, username: alice, password: wonderland", "user: alice"),
    (
      "jwt_bearer", "grant: jwt_bearer, client_id: signer, client_key: signer.pem, assertion: { subject: alice }, scope: read",
      "user: alice, client: signer"
    ),
  ]

  @Test(arguments: grants)
  func `Garland gets a token from an Authlib OAuth provider with each tested grant and client authentication method`(
    name: String, options: String, expected: String
  ) async throws {
    let provider = try OAuthProvider.sharedAuthlib()
    let expectations = expected.split(separator: ", ").map { "$.\($0)" }.joined(separator: ", ")
    for place in ["token_url: /token", "issuer: \"${vars.base}\""] {
      let run = try await Self.run(
        provider, "shop: { oauth2: { \(place), \(options) } }", "me: { get: /me, auth: shop, expect: { json: { \(expectations) } } }")
      Self.expectPassed(run)
    }
  }

  @Test func `if the OAuth provider returns a new refresh token, the next refresh uses the new refresh token`() async throws {
    let provider = try OAuthProvider.sharedAuthlib()
    // The test uses a separate user, so that the tokens of other tests do not expire.
    let run = try await Self.run(
      provider,
      "shop: { oauth2: { token_url: /token, grant: password, client_id: basic, client_secret: s3cr3t, username: carol, password: christmas } }",
      """
      first: { get: /me, auth: shop }
        expire: { post: "/expire?user=carol", after: first }
        second: { get: /me, auth: shop, after: expire }
        again: { post: "/expire?user=carol", after: second }
        third: { get: /me, auth: shop, after: again }
      """)
    Self.expectPassed(run)
    func grants(_ id: String) throws -> [String] {
      try run.result(id).exchanges.filter { $0.label == "token" }.map { exchange in
        let body = String(decoding: exchange.requestBody?.bytes ?? [], as: UTF8.self)
        return String(body.split(separator: "grant_type=").last?.prefix { $0 != "&" } ?? "")
      }
    }
    #expect(try grants("first") == ["password"])
    // Each refresh token can be used once, so the second refresh must use the new token.
    #expect(try grants("second") == ["refresh_token"])
    #expect(try grants("third") == ["refresh_token"])
  }

  @Test func `with the grant 'refresh_token', a refresh token from a secret is exchanged for an access token`() async throws {
    let provider = try OAuthProvider.sharedAuthlib()
    let run = try await Self.run(
      provider,
      "shop: { oauth2: { token_url: /token, grant: refresh_token, client_id: basic, client_secret: s3cr3t, refresh_token: \"${secrets.REFRESH}\" } }",
      "me: { get: /me, auth: shop, expect: { json: { $.user: alice } } }"
    ) { configuration in
      let form = "grant_type=password&username=alice&password=wonderland"
      let answer = try? ChildProcess.runBlocking("/usr/bin/curl", ["-s", "-u", "basic:s3cr3t", "-d", form, "\(provider.url)/token"])
      let token = answer.flatMap { try? JSONValue(parsing: $0.outputBytes) }?["refresh_token"]?.stringValue
      configuration.environment["REFRESH"] = token ?? "none"
    }
    Self.expectPassed(run)
  }

  @Test func `a token exchange gives a token with the requested subject, actor and scope`() async throws {
    let provider = try OAuthProvider.sharedAuthlib()
    let run = try await Self.run(
      provider,
      """
      alice: { oauth2: { token_url: /token, grant: password, client_id: public, username: alice, password: wonderland, scope: read write } }
        bob: { oauth2: { token_url: /token, grant: password, client_id: public, username: bob, password: builder & son } }
        less: { oauth2: { token_url: /token, grant: token_exchange, client_id: basic, client_secret: s3cr3t, subject: alice, actor: bob, scope: read } }
      """,
      "me: { get: /me, auth: less, expect: { json: { $.user: alice, $.actor: bob, $.scope: read, $.client: basic } } }")
    Self.expectPassed(run)
  }

  static let refusals: [(String, String)] = [
    ("grant: client_credentials, client_id: basic, client_secret: wrong", "`invalid_client`"),
    ("grant: client_credentials, client_id: nobody, client_secret: x", "The client does not exist on this server"),
    (
      "grant: client_credentials, client_id: hmac, client_secret: another-secret-of-more-than-32-bytes, client_auth: client_secret_jwt",
      "invalid_client"
    ),
    ("grant: password, client_id: public, username: alice, password: wrong", "invalid_"),
    ("grant: refresh_token, client_id: public, refresh_token: x", "invalid_grant"),
    (
      "grant: jwt_bearer, client_id: signer, client_key: signer.pem, assertion: { subject: alice, audience: \"https://other.example\" }",
      "invalid_grant"
    ),
    ("grant: jwt_bearer, client_id: signer, client_key: signer.pem, assertion: { subject: nobody }", "Invalid 'sub' value in assertion"),
    ("grant: token_exchange, client_id: public, subject_token: x", "subject_token is not known"),
  ]

  @Test(arguments: refusals) func `when Authlib refuses a token request, the step's message contains the error from Authlib`(
    options: String, words: String
  ) async throws {
    let run = try await Self.run(
      try OAuthProvider.sharedAuthlib(), "shop: { oauth2: { token_url: /token, \(options) } }", "me: { get: /me, auth: shop }")
    let message = try #require(try run.result("me").failures.first?.message)
    #expect(
      message.hasPrefix("could not get a token: the token endpoint refused the request with `") && message.contains(words), "\(message)")
  }

  // MARK: Certificates (RFC 8705)

  static let certificates: [(String, String, String?)] = [
    ("certified", "client", nil), ("self-signed", "selfsigned", nil),
    ("certified", "selfsigned", "invalid_client"), ("self-signed", "client", "invalid_client"),
    ("certified", "", "needs a `client_certificate`"),
    ("certified", "stranger", "the server does not trust the issuer of the client certificate (TLS alert \"unknown ca\")"),
  ]

  @Test(arguments: certificates)
  func `an OAuth provider requires the client certificate of the client`(client: String, certificate: String, problem: String?)
    async throws
  {
    let (provider, certificates) = try OAuthProvider.sharedCertified()
    let folder = try Self.folder()
    func copy(_ from: String, _ name: String) throws {
      try folder.write(name, Array(try Data(contentsOf: URL(filePath: from))))
    }
    try copy(certificates.authority, "ca.pem")
    let method = client == "certified" ? "tls_client_auth" : "self_signed_tls_client_auth"
    var options = "grant: client_credentials, client_id: \(client), client_auth: \(method)"
    switch certificate {
    case "": break
    case "stranger":
      // The certificate is from an issuer that the provider does not know.
      let result = try await ChildProcess.run(
        "/usr/bin/openssl",
        ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=client"]
          + ["-keyout", "\(folder.path)/client.key", "-out", "\(folder.path)/client.pem"])
      try #require(result.status == 0, "\(result.error)")
    default:
      try copy("\(certificates.folder)/\(certificate).pem", "client.pem")
      try copy("\(certificates.folder)/\(certificate).key", "client.key")
    }
    if !certificate.isEmpty { options += ", client_certificate: client.pem, client_key: client.key" }
    let run = try await Self.run(
      provider, "shop: { oauth2: { token_url: /token, \(options) } }",
      "me: { get: /me, auth: shop, expect: { json: { $.client: \(client) } } }", folder: folder, defaults: ", tls: { ca: ca.pem }")
    if let problem {
      let message = try #require(try run.result("me").failures.first?.message)
      // The TLS alert may be lost when the connection is closed.
      let isLost =
        certificate == "stranger" && message.contains("the server closed the connection right after the handshake; it may require")
      #expect(message.contains(problem) || isLost, "\(message)")
    } else {
      Self.expectPassed(run)
    }
  }
}
