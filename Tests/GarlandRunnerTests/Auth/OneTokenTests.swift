import FoundationEssentials
import GarlandAuth
import GarlandJSON
import GarlandResults
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests that a run requests only one token for an identity, counted by the provider.
@Suite("Requesting a token only once", .timeLimit(.minutes(15)))
struct OneTokenTests {
  /// 100 steps need a token that has just expired. `isKnown` is true if the run can conclude this from the promised lifetime, and false if
  /// a server must reject the token first.
  @Test(arguments: [1, 64], [true, false])
  func `if a hundred steps use an expired token, the token is refreshed once`(concurrency: Int, isKnown: Bool) async throws {
    try await withSandbox { sandbox in
      let ahead = Ahead()
      let names = (0..<100).map { "s\($0)" }
      let document =
        TokenRuns.head + "  slow: { post: '/_sandbox/oauth?delay=0.1' }\n  first: { get: /oauth/protected, auth: shop, after: slow }\n"
        + "  expire: { post: '/_sandbox/clock?advance=3601', after: first }\n"
        + names.map { "  \($0): { get: /oauth/protected, auth: shop, after: expire }\n" }.joined()
        + "  count: { get: /_sandbox/oauth, after: [\(names.joined(separator: ", "))] }\n"
      let run = try await TestRun.carryOut(document, sandbox) {
        $0.values.now = { SystemSources.now() + ahead.seconds }
        $0.pace.concurrency = concurrency
        $0.pace.perOrigin = concurrency
      } react: { _, event in
        if isKnown, case .stepEnded(let result) = event, result.step.id == "expire" { ahead.go(3601) }
      }
      #expect(run.summary.exitStatus == 0, "\(run.results.filter { $0.outcome != .passed }.map(\.failures))")
      let counts = try TokenRuns.counts(run)
      #expect(counts["token refresh_token"] == 1)
      #expect(counts["token password"] == 1)
      #expect(counts["token"] == 2)
      let refused = run.results.flatMap(\.exchanges).count { $0.label == "refused token" }
      #expect(isKnown ? refused == 0 : (1...concurrency).contains(refused), "\(refused) were refused")
    }
  }

  static let user = """
    garland: 1
    inputs: { name: { type: string }, password: { type: string } }
    defaults: { base_url: "${env.SANDBOX}", timeout: 60s }
    auth:
      me: { oauth2: { grant: password, token_url: /oauth/token, client_id: smoke, username: "${inputs.name}", password: "${inputs.password}" } }
    steps:
      a: { get: /oauth/protected, auth: me, expect: { json: { $.user: "${inputs.name}" } } }
      b: { get: /oauth/protected, auth: me, expect: { json: { $.user: "${inputs.name}" } } }
      c: { get: /oauth/protected, auth: me, after: [a, b], expect: { json: { $.user: "${inputs.name}" } } }
    outputs: { who: "${auth.me.access_token}" }
    """

  @Test(arguments: [1, 16]) func `in a loop over several users, only one token is requested for each user`(concurrency: Int) async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      try folder.write("user.yaml", Self.user)
      let ahead = Ahead()
      let matrix = """
        call: user.yaml
            matrix: { user: [{ name: alice, password: wonderland }, { name: bob, password: builder }, { name: admin, password: letmein }], round: [1, 2, 3, 4] }
            with: { name: "${item.user.name}", password: "${item.user.password}" }
        """
      let run = try await TestRun.carryOut(
        """
        garland: 1
        defaults: { base_url: "${env.SANDBOX}", timeout: 60s }
        steps:
          slow: { post: '/_sandbox/oauth?delay=0.05' }
          before:
            \(matrix)
            after: slow
          expire: { post: '/_sandbox/clock?advance=3601', after: before }
          after:
            \(matrix)
            after: expire
          count: { get: /_sandbox/oauth, after: after }
        """, sandbox, folder: folder
      ) {
        $0.values.now = { SystemSources.now() + ahead.seconds }
        $0.pace.concurrency = concurrency
      } react: { _, event in
        if case .stepEnded(let result) = event, result.step.id == "expire" { ahead.go(3601) }
      }
      #expect(run.summary.exitStatus == 0, "\(run.results.filter { $0.outcome != .passed }.map { ($0.reason, $0.failures) })")
      let counts = try TokenRuns.counts(run)
      #expect(counts["token password"] == 3)
      #expect(counts["token refresh_token"] == 3)
      #expect(counts["token"] == 6)
      let sent = Set(sandbox.records.filter { $0.target == "/oauth/protected" }.flatMap(\.headers).filter { $0.name == "Authorization" })
      #expect(sent.count == 6)
    }
  }

  @Test func `if the refresh token is revoked, fifty steps with the same auth entry repeat the original grant only once`() async throws {
    try await withSandbox { sandbox in
      let names = (0..<50).map { "s\($0)" }
      let run = try await TestRun.carryOut(
        TokenRuns.head + "  first: { get: /oauth/protected, auth: shop }\n"
          + "  revoke: { post: '/_sandbox/oauth?revoke=all&delay=0.1', after: first }\n"
          + names.map { "  \($0): { get: /oauth/protected, auth: shop, after: revoke }\n" }.joined()
          + "  count: { get: /_sandbox/oauth, after: [\(names.joined(separator: ", "))] }\n", sandbox)
      #expect(run.summary.exitStatus == 0)
      let counts = try TokenRuns.counts(run)
      #expect(counts["token refresh_token"] == 1, "the one that was refused")
      #expect(counts["token password"] == 2)
    }
  }

  static let walker = """
    garland: 1
    inputs: { name: { type: string }, password: { type: string } }
    vars: { greeting: "${inputs.name}", base: "${env.SANDBOX}" }
    defaults: { base_url: "${vars.base}", timeout: 60s }
    auth:
      me: \(SandboxLogin.walking(user: "${vars.greeting}", password: "${inputs.password}"))
    steps:
      a: { get: /oauth/userinfo, auth: me, expect: { json: { $.sub: "${inputs.name}" } } }
      b: { get: /oauth/userinfo, auth: me, expect: { json: { $.sub: "${auth.me.claims.sub}" } } }
    """

  /// Only the provider's pages determine the user, but each user still gets a separate token.
  @Test(arguments: [1, 16], [false, true])
  func `each user who logs in on the pages of the sandbox's OAuth provider gets a separate token`(concurrency: Int, isCached: Bool)
    async throws
  {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      try folder.write("walker.yaml", Self.walker)
      for _ in 0..<(isCached ? 2 : 1) {
        let run = try await TestRun.carryOut(
          """
          garland: 1
          defaults: { base_url: "${env.SANDBOX}", timeout: 60s }
          steps:
            all:
              call: walker.yaml
              matrix: { user: [{ name: alice, password: wonderland }, { name: bob, password: builder }, { name: admin, password: letmein }], round: [1, 2] }
              with: { name: "${item.user.name}", password: "${item.user.password}" }
            count: { get: /_sandbox/oauth, after: all }
          """, sandbox, folder: folder
        ) {
          $0.pace.concurrency = concurrency
          if isCached { $0.tokens = RunTokens(cache: FileTokenCache(directory: "\(folder.path)/tokens")) }
        }
        #expect(run.summary.exitStatus == 0, "\(run.results.filter { $0.outcome != .passed }.map { ($0.reason, $0.failures) })")
        let counts = try TokenRuns.counts(run)
        #expect(counts["token authorization_code"] == 3)
        #expect(counts["login"] == 3)
      }
    }
  }

  /// Entries that differ in any way have separate tokens, since a test may expect the provider to reject one of them.
  @Test func `two entries under 'auth' with different client credentials get separate tokens`() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      try folder.write("signer.pem", Array(try Data(contentsOf: URL(filePath: Repository.path("examples/oauth/signer.pem")))))
      let other = try await ChildProcess.run(
        "/usr/bin/openssl", ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:prime256v1"])
      try folder.write("other.pem", other.output)
      let run = try await TestRun.carryOut(
        """
        garland: 1
        defaults: { base_url: "${env.SANDBOX}", timeout: 60s }
        auth:
          right: { oauth2: { grant: client_credentials, token_url: /oauth/token, client_id: signer, client_key: signer.pem } }
          wrong: { oauth2: { grant: client_credentials, token_url: /oauth/token, client_id: signer, client_key: other.pem } }
          same: { oauth2: { grant: client_credentials, token_url: "${env.SANDBOX}/oauth/token", client_id: signer, client_key: ./signer.pem } }
          basic: { oauth2: { grant: client_credentials, token_url: /oauth/token, client_id: service, client_secret: service-secret } }
          post: { oauth2: { grant: client_credentials, token_url: /oauth/token, client_id: service, client_secret: service-secret, client_auth: client_secret_post } }
        steps:
          right: { get: /oauth/protected, auth: right }
          wrong: { get: /oauth/protected, auth: wrong, after: right }
          same: { get: /oauth/protected, auth: same, after: right }
          basic: { get: /oauth/protected, auth: basic }
          post: { get: /oauth/protected, auth: post, after: basic }
          count: { get: /_sandbox/oauth, after: { right: ended, wrong: ended, same: ended, post: ended } }
        """, sandbox, folder: folder)
      #expect(try run.result("wrong").failures.first?.message.contains("the signature of the token is wrong") == true)
      #expect(run.outcomes.filter { !$0.hasSuffix("passed") } == ["wrong failed"])
      // One token for `right` and `same`, a rejected request for `wrong`, and one token each for the two entries of `service`.
      #expect(try TokenRuns.counts(run)["token"] == 4)
    }
  }
}
