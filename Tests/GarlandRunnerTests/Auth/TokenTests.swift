import GarlandAuth
import GarlandJSON
import GarlandResults
import GarlandSandbox
import Synchronization
import TestSupport
import Testing

@testable import GarlandRunner

@Suite("Tokens", .timeLimit(.minutes(15)))
struct TokenTests {
  static func steps(_ count: Int, _ prefix: String, after: String? = nil) -> String {
    (0..<count).map { "  \(prefix)\($0): { get: /oauth/protected, auth: shop\(after.map { ", after: \($0)" } ?? "") }" }.joined(
      separator: "\n")
  }

  /// Returns a last step for a document, which reads the provider's counts.
  static func count(after: [String]) -> String {
    "\n  count: { get: /_sandbox/oauth, after: [\(after.joined(separator: ", "))] }"
  }

  @Test(arguments: [1, 64]) func `if a hundred steps use the same entry under 'auth', one token is requested`(concurrency: Int) async throws
  {
    try await withSandbox { sandbox in
      let document =
        TokenRuns.head + Self.steps(100, "a")
        + "\n  revoke: { post: '/_sandbox/oauth?revoke=access', after: [\((0..<100).map { "a\($0)" }.joined(separator: ", "))] }\n"
        + Self.steps(100, "b", after: "revoke") + Self.count(after: (0..<100).map { "b\($0)" })
      let run = try await TestRun.carryOut(document, sandbox) {
        $0.pace.concurrency = concurrency
        $0.pace.perOrigin = concurrency
      }
      #expect(run.summary.exitStatus == 0)
      let counts = try TokenRuns.counts(run)
      #expect(counts["token password"] == 1)
      #expect(counts["token refresh_token"] == 1)
      let labels = run.results.flatMap(\.exchanges).compactMap(\.label)
      #expect(labels.count { $0 == "token" } == 2)
      // Only requests that were in progress with the old token were sent once more.
      #expect(labels.count { $0 == "refused token" } <= concurrency)
    }
  }

  @Test func `a token is refreshed before it expires`() async throws {
    try await withSandbox { sandbox in
      let ahead = Mutex(0.0)
      let document =
        TokenRuns.head + Self.steps(1, "a") + "\n  old: { post: '/_sandbox/clock?advance=3580', after: a0 }\n"
        + Self.steps(20, "b", after: "old")
        + Self.count(after: (0..<20).map { "b\($0)" })
      let run = try await TestRun.carryOut(document, sandbox) { configuration in
        configuration.values.now = { SystemSources.now() + ahead.withLock { $0 } }
      } react: { _, event in
        if case .stepEnded(let result) = event, result.step.id == "old" { ahead.withLock { $0 = 3580 } }
      }
      #expect(run.summary.exitStatus == 0)
      #expect(try TokenRuns.counts(run)["token refresh_token"] == 1)
      #expect(!run.results.flatMap(\.exchanges).contains { $0.label == "refused token" })
    }
  }

  @Test func `expressions can use the members of an OAuth token, such as its scope`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        """
        garland: 1
        vars: { base: "${env.SANDBOX}" }
        defaults: { base_url: "${vars.base}" }
        auth:
          shop:
            oauth2: { grant: password, issuer: "${vars.base}", client_id: smoke, username: alice, password: wonderland, scope: openid read }
          plain: { oauth2: { grant: password, token_url: /oauth/token, username: bob, password: builder } }
        steps:
          values:
            post: /anything
            json: { sub: "${auth.shop.claims.sub}", scope: "${auth.shop.scope}", end: "${auth.shop.expires_at}", t: "${auth.shop.access_token}" }
            expect: { json: { $.json.sub: alice, $.json.scope: openid read, $.json.end: { gt: 1700000000 }, $.json.t: { starts_with: access- } } }
          condition: { get: "/anything/${auth.shop.claims.sub}", when: "${auth.shop.claims.sub == 'alice'}" }
          never: { get: /oauth/protected, auth: plain, when: "${1 == 2}" }
          nothing: { get: "/anything/${auth.plain.claims.sub ?? 'unknown'}" }
          undefined: { get: "/anything/${auth.plain.claims.sub}" }
        """, sandbox)
      #expect(
        run.outcomes == ["values passed", "condition passed", "never skipped", "nothing passed", "undefined failed"],
        "\(run.results.map(\.failures))")
      #expect(try run.result("undefined").failures.first?.message.contains("an ID token is validated only") == true)
      #expect(try run.result("nothing").exchanges.last?.hops.last?.url.hasSuffix("/anything/unknown") == true)
    }
  }

  @Test func `every secret member of a token response is masked in all reports`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        """
        garland: 1
        vars: { base: "${env.SANDBOX}" }
        defaults: { base_url: "${vars.base}" }
        auth:
          shop: \(SandboxLogin.walking())
          ci: { oauth2: { grant: client_credentials, token_url: /oauth/token, client_id: service, client_secret: service-secret, client_auth: client_secret_post } }
        steps:
          a: { post: /anything, auth: shop, json: { t: "${auth.shop.access_token}", i: "${auth.shop.id_token}" }, expect: { status: 201 } }
          b: { get: /anything, auth: ci, expect: { status: 201 } }
        """, sandbox)
      #expect(run.outcomes == ["a failed", "b failed"], "\(run.results.map(\.failures))")
      var text = ""
      for event in run.observer.all { dump(event, to: &text) }
      for result in run.results {
        for exchange in result.exchanges {
          text += String(decoding: exchange.requestBody?.bytes ?? [], as: UTF8.self)
          text += String(decoding: exchange.responseBody?.bytes ?? [], as: UTF8.self)
        }
      }
      #expect(text.contains("access-"), "the test looks at the right places")
      let redacted = run.redactor.redact(text)
      for secret in ["access-", "refresh-", "code-", "service-secret"] {
        #expect(!redacted.contains(secret), "\(secret)")
      }
      #expect(!redacted.contains(#/eyJ[A-Za-z0-9_-]{20,}/#), "no JWT")
      #expect(!redacted.contains(#/code_verifier=[A-Za-z0-9]/#))
      let command = try #require(try run.result("a").exchanges.last?.curlCommand)
      #expect(command.contains("${SHOP_TOKEN}"), "\(command)")
      #expect(try run.result("a").exchanges.compactMap(\.label).contains("authorize: login"))
    }
  }

  static let refusals: [(String, String)] = [
    (
      "grant: client_credentials, client_id: service, client_secret: wrong",
      "`invalid_client`: the secret of the client service is wrong"
    ),
    ("grant: password, username: alice, password: wrong", "invalid_grant"),
    ("grant: client_credentials, client_id: service, client_secret: service-secret, audience: moon", "invalid_target"),
    ("grant: client_credentials, client_id: service, client_secret: service-secret, scope: moon", "invalid_scope"),
  ]

  @Test(arguments: refusals)
  func `if an OAuth provider issues no token, the steps that need the token fail with the provider's error message`(
    options: String, words: String
  )
    async throws
  {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        """
        garland: 1
        defaults: { base_url: "${env.SANDBOX}" }
        auth: { shop: { oauth2: { token_url: /oauth/token, \(options) } } }
        steps:
          a: { get: /oauth/protected, auth: shop }
          b: { get: /oauth/protected, auth: shop, after: { a: ended } }
          count: { get: /_sandbox/oauth, after: { b: ended } }
        """, sandbox)
      #expect(run.outcomes == ["a failed", "b failed", "count passed"])
      #expect(run.summary.exitStatus == 1)
      let failure = try #require(try run.result("b").failures.first)
      #expect(failure.subject == "auth.shop")
      #expect(
        failure.message.contains("could not get a token: the token endpoint refused the request with `") && failure.message.contains(words),
        "\(failure.message)")
      #expect(try TokenRuns.counts(run)["token"] == 1, "it is not asked again")
      #expect(try run.result("a").exchanges.map(\.label) == ["token"])
    }
  }

  @Test func `if no server listens at an OAuth token endpoint, a step that needs a token is reported as unreachable`() async throws {
    let run = try await TestRun.carryOut(
      """
      garland: 1
      auth: { shop: { oauth2: { grant: client_credentials, token_url: "http://127.0.0.1:1/token", client_id: a } } }
      steps: { a: { get: "http://127.0.0.1:1/", auth: shop } }
      """)
    #expect(run.outcomes == ["a unreachable"])
    #expect(run.summary.exitStatus == 3)
    #expect(
      try run.result("a").failures.first?.message
        == "could not get a token: the request to the token endpoint failed: connection refused by 127.0.0.1:1")
  }

  static let ways: [(String, String)] = [
    (
      "login: { submit: { from: page, fields: { username: alice, password: wrong } } }",
      "the step `login` of `authorize` of `shop` did not pass: status"
    ),
    ("login: { submit: { from: page, fields: { username: alice, password: wonderland } } }", "ended before the provider redirected to"),
    (
      "login: { submit: { from: page, fields: { username: alice, password: wonderland } } }\n"
        + "          consent: { submit: { from: login, button: Deny } }",
      "the authorization endpoint refused the request with `access_denied`"
    ),
  ]

  /// Returns a document whose step needs a token of a login. `steps` are those after the first page.
  private static func login(steps: String) -> String {
    """
    garland: 1
    vars: { base: "${env.SANDBOX}" }
    defaults: { base_url: "${vars.base}" }
    auth:
      shop:
        oauth2:
          grant: authorization_code
          issuer: "${vars.base}"
          client_id: smoke
          redirect_uri: http://127.0.0.1:4711/callback
          authorize:
            steps:
              page: { get: "${env.GARLAND_AUTHORIZE_URL}" }
              \(steps)
    steps: { a: { get: /oauth/protected, auth: shop } }
    """
  }

  @Test(arguments: ways)
  func `if the steps under 'authorize' do not reach the redirect URI, the step that needs the token fails`(steps: String, words: String)
    async throws
  {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(Self.login(steps: steps), sandbox)
      let failure = try #require(try run.result("a").failures.first)
      #expect(failure.message.contains(words), "\(failure.message)")
    }
  }

  @Test func `if a step under 'authorize' can't submit a form, the failure shows the position of that step and suggests a correction`()
    async throws
  {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        Self.login(steps: "login: { submit: { from: page, fields: { usrname: alice, password: wonderland } } }"), sandbox)
      let failure = try #require(try run.result("a").failures.first)
      #expect(failure.subject == "auth.shop" && failure.message.contains("did not pass: submit: "), "\(failure.message)")
      #expect(failure.help?.contains("username") == true, "\(failure.help ?? "")")
      #expect(failure.range?.start.line == 14, "\(String(describing: failure.range))")
    }
  }

  @Test func `an authorization code grant without login steps fails if no browser is available`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        """
        garland: 1
        auth: { shop: { oauth2: { grant: authorization_code, issuer: "${env.SANDBOX}", client_id: smoke } } }
        steps: { a: { get: "${env.SANDBOX}/oauth/protected", auth: shop } }
        """, sandbox)
      let message = try run.result("a").failures.first?.message
      #expect(message?.contains("no browser is available here to log in for the `auth` entry `shop`") == true)
    }
  }

  @Test func `a second run uses the cached token of the first`() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      let document = TokenRuns.head + Self.steps(10, "a") + Self.count(after: ["a0"])
      for _ in 0..<2 {
        let run = try await TestRun.carryOut(document, sandbox) {
          $0.tokens = RunTokens(cache: FileTokenCache(directory: "\(folder.path)/tokens"))
        }
        #expect(run.summary.exitStatus == 0)
        #expect(try TokenRuns.counts(run)["token"] == 1)
      }
    }
  }

  @Test func `the token for an auth entry in the document's defaults is not sent to another origin`() async throws {
    try await withSandbox { sandbox in
      try await withSandbox { other in
        let run = try await TestRun.carryOut(
          """
          garland: 1
          defaults: { base_url: "${env.SANDBOX}", auth: shop }
          auth: { shop: { oauth2: { grant: password, token_url: /oauth/token, username: alice, password: wonderland } } }
          steps:
            home: { get: /oauth/protected }
            away: { get: "\(other.url)/anything", expect: { json: { $.headers.Authorization: { exists: false } } } }
            none: { get: /oauth/protected, auth: none, expect: { status: 401 } }
          """, sandbox)
        #expect(run.outcomes == ["home passed", "away passed", "none passed"], "\(run.results.map(\.failures))")
      }
    }
  }
}
