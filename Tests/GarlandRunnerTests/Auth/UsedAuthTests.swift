import GarlandJSON
import GarlandResults
import GarlandWorkflow
import TestSupport
import Testing

@testable import GarlandRunner

/// `auth: shop.api`: the entry `api` of the document that is used as `shop`.
@Suite("Auth entries of used documents", .timeLimit(.minutes(15)))
struct UsedAuthTests {
  static let shared = """
    garland: 1
    vars: { user: alice }
    secrets: [SHOP_PASSWORD, SHOP_KEY]
    defaults: { base_url: "${env.SANDBOX}" }
    auth:
      api:
        oauth2:
          grant: password
          issuer: ${env.SANDBOX}
          client_id: smoke
          username: ${vars.user}
          password: ${secrets.SHOP_PASSWORD}
          scope: openid read
      key: { api_key: { header: X-Shop-Key, value: "${secrets.SHOP_KEY}" } }
      signed: { oauth1: { consumer_key: app, signature_method: RSA-SHA1, key: keys/client.pem } }
    """

  static func folder() async throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("shared/auth.yaml", shared)
    try folder.write("shared/keys/.keep", "")
    let result = try await ChildProcess.run(
      "/usr/bin/openssl",
      ["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", "\(folder.path)/shared/keys/client.pem"])
    try #require(result.status == 0)
    return folder
  }

  static let secrets = ["SHOP_PASSWORD": "wonderland", "SHOP_KEY": "k3y-of-the-shop"]

  @Test func `if a document uses an auth entry of another document, the entry gets its variables from that other document`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        """
        garland: 1
        use: { shop: ./shared/auth.yaml }
        vars: { user: nobody }
        defaults: { base_url: "${env.SANDBOX}", auth: shop.api }
        auth:
          less: { oauth2: { grant: token_exchange, token_url: /oauth/token, client_id: service, client_secret: service-secret, subject: shop.api, scope: read } }
        steps:
          me: { get: /oauth/protected, expect: { json: { $.user: alice } } }
          who: { get: /oauth/userinfo, expect: { json: { $.sub: "${auth.shop.api.claims.sub}" }, that: ["${auth.shop.api.scope == 'openid read'}"] } }
          later: { get: "/anything?${auth.shop.api.expires_at > 0}", when: "${auth.shop.api.claims.sub == 'alice'}", auth: none }
          keyed: { get: /anything, auth: shop.key, expect: { json: { "$.header['x-shop-key']": k3y-of-the-shop } } }
          signed: { get: /anything, auth: shop.signed, expect: { json: { $.header.authorization: { contains: RSA-SHA1 } } } }
          exchanged: { get: /oauth/protected, auth: less, expect: { json: { $.scope: read, $.user: alice } } }
          count: { get: /_sandbox/oauth, auth: none, after: [me, who, later, exchanged] }
          keyed_wrong: { get: /anything, auth: shop.key, expect: { status: 418 } }
          me_wrong: { get: /anything, expect: { status: 418 } }
        """, sandbox, folder: try await Self.folder()
      ) { $0.secrets = Self.secrets }
      #expect(
        run.outcomes == [
          "me passed", "who passed", "later passed", "keyed passed", "signed passed", "exchanged passed", "count passed",
          "keyed_wrong failed", "me_wrong failed",
        ], "\(run.results.map { ($0.reason, $0.failures) })")
      #expect(try TokenRuns.counts(run)["token password"] == 1)
      let command = try #require(try run.result("keyed_wrong").exchanges.last?.curlCommand)
      #expect(command.contains("${SHOP_KEY}") && !command.contains("k3y-of-the-shop"), "\(command)")
      let bearer = try #require(try run.result("me_wrong").exchanges.last?.curlCommand)
      #expect(bearer.contains("${SHOP_API_TOKEN}"), "\(bearer)")
    }
  }

  @Test func `documents that use the same auth entry share its token`() async throws {
    try await withSandbox { sandbox in
      let folder = try await Self.folder()
      try folder.write(
        "other.yaml",
        """
        garland: 1
        use: { api: ./shared/auth.yaml }
        inputs: { n: { type: number } }
        defaults: { base_url: "${env.SANDBOX}" }
        steps: { a: { get: "/oauth/protected?n=${inputs.n}", auth: api.api } }
        """)
      let run = try await TestRun.carryOut(
        """
        garland: 1
        use: { shop: ./shared/auth.yaml }
        defaults: { base_url: "${env.SANDBOX}" }
        steps:
          own: { get: /oauth/protected, auth: shop.api }
          others: { call: other.yaml, for_each: [1, 2, 3], with: { n: "${item}" } }
          count: { get: /_sandbox/oauth, after: [own, others] }
        """, sandbox, folder: folder
      ) { $0.secrets = Self.secrets }
      #expect(run.summary.exitStatus == 0, "\(run.results.map { ($0.reason, $0.failures) })")
      #expect(try TokenRuns.counts(run)["token"] == 1)
    }
  }

  @Test func `if a step uses an auth entry of another document, a missing secret of the entry is reported before any request`() async throws
  {
    let folder = try await Self.folder()
    let prepared = try TestRun.prepare(
      """
      garland: 1
      use: { shop: ./shared/auth.yaml }
      steps: { me: { get: "http://127.0.0.1:1/", auth: shop.key } }
      """, folder: folder)
    #expect(prepared.run == nil)
    #expect(prepared.diagnostics.all.map(\.message) == ["the secret `SHOP_KEY` is not set"])
    #expect(prepared.diagnostics.all.first?.range?.file.name.hasSuffix("shared/auth.yaml") == true)
  }

  static let mistakes: [(String, String, String)] = [
    ("auth: shop.apo", "there is no `auth` entry `shop.apo`", "did you mean `shop.api`?"),
    ("auth: shop", "there is no `auth` entry `shop`", "shop.api"),
    ("when: \"${auth.shop.key.scope}\"", "the `auth` entry `shop.key` has no token, and so no members: its kind is not `oauth2`", ""),
    ("when: \"${auth.shop.api.scop}\"", "`auth.shop.api` has no member `scop`", "did you mean `scope`?"),
    ("when: \"${auth.shop.api}\"", "`auth.shop.api` can't be used as a value", "claims"),
  ]

  @Test(arguments: mistakes)
  func `if a reference to an auth entry of a document under 'use' is invalid, the error explains the mistake`(
    key: String, message: String, help: String
  ) async throws {
    let folder = try await Self.folder()
    let document = """
      garland: 1
      use: { shop: ./shared/auth.yaml }
      steps: { me: { get: "http://127.0.0.1:1/", \(key) } }
      """
    let options = WorkflowDecoder.Options(files: FileAccess(SystemFiles(), roots: [folder.path]))
    let (workflow, found) = WorkflowDecoder.decode(name: "a.yaml", bytes: Array(document.utf8), directory: folder.path, options: options)
    #expect(workflow == nil)
    #expect(found.all.map(\.message) == [message])
    #expect(found.all.first?.helps.first?.message.contains(help) ?? help.isEmpty, "\(found.all.first?.helps.map(\.message) ?? [])")
  }

  @Test func `in a generated curl command, secrets of an 'auth' entry from another document become shell variables`() async throws {
    let folder = try await Self.folder()
    let plan = try TestRun.plan(
      """
      garland: 1
      use: { shop: ./shared/auth.yaml }
      steps:
        key: { get: "http://127.0.0.1:1/", auth: shop.key }
        token: { get: "http://127.0.0.1:1/", auth: shop.api }
      """, folder: folder)
    let configuration = TestRun.configuration(nil, folder: folder)
    let key = try StepCommand(of: plan.steps[0], in: plan, configuration)
    #expect(key.text.contains("X-Shop-Key: ${SHOP_KEY}"), "\(key.text)")
    #expect(key.notes == ["set SHOP_KEY to the secret `SHOP_KEY`"])
    let token = try StepCommand(of: plan.steps[1], in: plan, configuration)
    #expect(token.text.contains("Bearer ${SHOP_API_TOKEN}"), "\(token.text)")
    #expect(token.notes == ["set SHOP_API_TOKEN to a token of the `auth` entry `shop.api`"])
  }
}
