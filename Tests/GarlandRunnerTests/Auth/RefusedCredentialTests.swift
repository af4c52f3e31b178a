import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of an unexpected 401 or 403. The failure shows which credentials were sent, and what the server says about them.
@Suite(.timeLimit(.minutes(15))) struct RefusedCredentialTests {
  /// The status and the challenges for each path.
  private static let answers: [(path: String, status: String, challenges: [String])] = [
    ("/none", "401 Unauthorized", []),
    ("/basic", "401 Unauthorized", ["Basic realm=\"shop\", charset=\"UTF-8\""]),
    ("/several", "401 Unauthorized", ["Negotiate, NTLM", "Digest realm=\"a\", nonce=\"n\"", "Bearer"]),
    (
      "/bearer", "401 Unauthorized",
      ["Bearer realm=\"shop\", error=\"invalid_token\", error_description=\"The token s3cr3t-7301 has ended\""]
    ),
    ("/scope", "403 Forbidden", ["Bearer error=\"insufficient_scope\", error_description=\"\u{1B}[31mno\", scope=\"admin books\""]),
    ("/forbidden", "403 Forbidden", []),
    ("/broken", "401 Unauthorized", ["=,\"\"", "Basic"]),
  ]

  private static let document = """
    garland: 1
    secrets: [PW]
    vars: { base: "${env.BASE}" }
    defaults: { base_url: "${vars.base}", timeout: 300s }
    auth:
      shop: { basic: "alice:${secrets.PW}" }
      digest: { digest: "alice:${secrets.PW}" }
      token: { bearer: "${secrets.PW}" }
      header: { api_key: { header: X-Key, value: "${secrets.PW}" } }
      query: { api_key: { query: key, value: "${secrets.PW}" } }
      cookie: { api_key: { cookie: key, value: "${secrets.PW}" } }
      aws: { aws: { access_key: AKID, secret_key: "${secrets.PW}", region: r, service: s } }
      oauth1: { oauth1: { consumer_key: shop, consumer_secret: "${secrets.PW}" } }
    steps:
      nothing: { get: /none }
      nothing_allowed: { get: /forbidden }
      in_json: { post: /none, json: { user: alice, password: "${secrets.PW}", nested: [{ access_token: "${secrets.PW}" }] } }
      in_a_form: { post: /none, form: { user: alice, pin: "${secrets.PW}" } }
      no_credential_in_the_body: { post: /none, json: { title: Dune } }
      basic: { get: /basic, basic: "alice:${secrets.PW}" }
      in_the_url: { get: "http://alice:${secrets.PW}@${env.HOST | raw}/basic" }
      by_hand: { get: /basic, headers: { Authorization: "Basic ${secrets.PW}" } }
      named: { get: /several, auth: shop }
      digest: { get: /none, auth: digest }
      bearer: { get: /bearer, bearer: "${secrets.PW}" }
      scope: { get: /scope, auth: token, expect: { status: 200 } }
      header: { get: /forbidden, auth: header }
      query: { get: /none, auth: query }
      cookie: { get: /none, auth: cookie }
      aws: { get: /forbidden, auth: aws }
      oauth1: { get: /none, auth: oauth1 }
      broken: { get: /broken, bearer: "${secrets.PW}" }
      expected: { get: /basic, expect: { status: 401 } }
    """

  @Test func `the help for an unexpected 401 or 403 names the credentials that were sent and shows what the server asks for`() async throws
  {
    let server = try RawServer { connection in
      while let head = connection.readRequest()?.head {
        let target = head.split(separator: " ").dropFirst().first.map { $0.prefix { $0 != "?" } } ?? ""
        guard let answer = Self.answers.first(where: { $0.path == target }) else { return }
        let fields = answer.challenges.map { "WWW-Authenticate: \($0)\r\n" }.joined()
        connection.send("HTTP/1.1 \(answer.status)\r\n\(fields)Content-Length: 0\r\n\r\n")
      }
    }
    let run = try await TestRun.carryOut(Self.document) {
      $0.environment = ["BASE": server.url, "HOST": String(server.url.trimmingPrefix("http://"))]
      $0.secrets = ["PW": "s3cr3t-7301"]
      $0.pace.isSerial = true
    }
    var text = ""
    for result in run.results {
      text += "\(result.step.id): \(result.outcome)\n"
      for failure in result.failures {
        text += "  \(failure.subject) \(failure.message)\n"
        for help in (failure.help ?? "").split(separator: "\n") { text += "  = \(run.redactor.redact(String(help)))\n" }
      }
    }
    expectGolden(text, "refused-credentials.txt")
    #expect(!text.contains("7301") && !text.contains("\u{1B}"))
  }
}
