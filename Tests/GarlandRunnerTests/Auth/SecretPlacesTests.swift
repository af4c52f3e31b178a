import GarlandJSON
import GarlandResults
import GarlandSandbox
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of where secrets may be sent and shown, especially undeclared and short secrets.
@Suite("Places of secrets", .timeLimit(.minutes(15)))
struct SecretPlacesTests {
  static func text(_ exchange: Exchange) -> String {
    var text = (exchange.curlCommand ?? "") + "\n"
    for hop in exchange.hops {
      text += hop.url + "\n" + (hop.requestFields + hop.responseFields).map { "\($0.name): \($0.value)\n" }.joined()
    }
    for body in [exchange.requestBody, exchange.responseBody] { text += String(decoding: body?.bytes ?? [], as: UTF8.self) + "\n" }
    return text
  }

  /// Credentials of the defaults are sent only to the origin of `base_url`, even if the URL of another origin has an unusual form.
  @Test func `credentials in the defaults are sent only to the origin of base_url`() async throws {
    try await withSandbox { home in
      try await withSandbox { away in
        let rest = away.url.dropFirst("http".count)
        let run = try await TestRun.carryOut(
          """
          garland: 1
          vars: { away: "\(away.url)", scheme: "ht" }
          secrets: [SECRET_HEADER]
          defaults: { base_url: "${env.SANDBOX}", bearer: "${secrets.SECRET_HEADER}", cookies: { a: "${secrets.SECRET_HEADER}" }, headers: { X-Secret: "${secrets.SECRET_HEADER}" }, timeout: 60s }
          steps:
            home: { get: /anything }
            capitals: { get: "HTTP\(rest)/anything" }
            mixed: { get: "Http\(rest)/anything" }
            plain: { get: "http\(rest)/anything" }
            variable: { get: "${vars.away}/anything" }
          """, home
        ) { $0.secrets = ["SECRET_HEADER": "a-long-secret"] }
        #expect(run.summary.exitStatus == 0, "\(run.results.map { ($0.step.id, $0.failures) })")
        #expect(away.records.count == 4)
        for record in away.records { #expect(!record.headers.contains { $0.value.contains("a-long-secret") }, "\(record.target)") }
        #expect(home.records.count == 1)
        for record in home.records { #expect(record.headers.count { $0.value.contains("a-long-secret") } == 3) }
      }
    }
  }

  @Test func `a password in a URL is masked`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        """
        garland: 1
        defaults: { base_url: "${env.BASE}", timeout: 60s }
        steps:
          failing: { get: /status/500 }
        """, sandbox
      ) { $0.environment["BASE"] = sandbox.url.replacing("http://", with: "http://u:hunter%2F22@") }
      let exchange = try #require(try run.result("failing").exchanges.last)
      let shown = run.redactor.redact(Self.text(exchange))
      #expect(!shown.contains("hunter") && shown.contains("curl"), "\(shown)")
      #expect(run.redactor.redact("hunter/22 hunter%2F22") == "*** ***")
    }
  }

  /// Three letters may occur anywhere by chance, but where a step uses the secret, they are masked.
  @Test func `a secret of three letters is masked only in the places where a step uses the secret`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        """
        garland: 1
        secrets: [PIN]
        vars: { copy: "${secrets.PIN}" }
        defaults: { base_url: "${env.SANDBOX}", timeout: 60s }
        steps:
          url: { get: "/anything/${secrets.PIN}?pin=${secrets.PIN}", headers: { X-Pin: "${secrets.PIN}", X-Other: "x123x" }, expect: { status: 418 } }
          bearer: { get: /anything, bearer: "${vars.copy}", expect: { status: 418 } }
          basic: { get: /anything, basic: "bob:${secrets.PIN}", expect: { status: 418 } }
          body: { post: /anything, json: { pin: "${secrets.PIN}", name: "123abc" }, expect: { status: 418 } }
          other: { get: /anything?n=123, expect: { status: 418 } }
        """, sandbox
      ) { $0.secrets = ["PIN": "123"] }
      func shown(_ id: String) throws -> String {
        var exchange = try #require(try run.result(id).exchanges.last)
        // No step refers to the text of the response.
        exchange.responseBody = nil
        return run.redactor.redact(Self.text(exchange))
      }
      let url = try shown("url")
      #expect(url.contains("/anything/***?pin=***") && url.contains("X-Pin: ***") && url.contains("x123x"), "\(url)")
      #expect(try shown("bearer").contains("Authorization: Bearer ***"))
      let basic = try shown("basic")
      #expect(basic.contains("Authorization: Basic ***") && !basic.contains("Ym9i"), "\(basic)")
      #expect(try shown("body").contains(#""pin":"***","name":"123abc""#))
      #expect(try shown("other").contains("n=123"), "it is not named here")
    }
  }

  /// A token may be anywhere in a response that violates the RFCs, and that response is not the response of the step.
  @Test func `the response of a token endpoint is not reported as the response of the step`() async throws {
    let answers = [
      (200, "application/json", #"{"token":"LEAKME-1","token_type":"Bearer","expires_in":7}"#),
      (200, "application/x-www-form-urlencoded", "access_token=LEAKME-1&refresh_token=LEAKME-2"),
      (200, "application/json", #"{"access_token":"LEAKME-1","refr"#),
      (400, "application/json", #"{"error":"invalid_grant","refresh_token":"LEAKME-1","error_description":"no LEAKME-1"}"#),
      (200, "application/json", #"{"access_token":"LEAKME-1","nested":{"id_token":"LEAKME-2"},"token_type":"mac"}"#),
    ]
    for (status, type, body) in answers {
      let server = try RawServer { connection in
        guard connection.readRequest() != nil else { return }
        connection.send(
          "HTTP/1.1 \(status) X\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
      }
      let run = try await TestRun.carryOut(
        """
        garland: 1
        defaults: { base_url: "\(server.url)", timeout: 60s }
        auth: { shop: { oauth2: { grant: client_credentials, token_url: /token, client_id: c, client_secret: client-secret } } }
        steps:
          me: { get: /me, auth: shop }
        """)
      let result = try run.result("me")
      #expect(result.outcome == .failed)
      #expect(result.exchanges.map(\.label) == ["token"])
      #expect(result.ownExchanges.isEmpty)
      for exchange in result.exchanges {
        let shown = run.redactor.redact(Self.text(exchange) + result.failures.map(\.message).joined())
        #expect(!shown.contains("LEAKME"), "\(shown)")
      }
    }
  }
}
