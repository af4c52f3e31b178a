import GarlandDiagnostics
import GarlandWorkflow
import TestSupport
import Testing

/// Tests of `auth:` in a document: valid entries, and the diagnostics of invalid entries.
@Suite struct AuthDecodingTests {
  static func document(_ auth: String, step: String = "get: /x\n    auth: shop") -> String {
    let lines = auth.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
    return "garland: 1\nsecrets: [KEY]\ndefaults: { base_url: 'https://api.example.com' }\nauth:\n\(lines)\nsteps:\n  a:\n    \(step)\n"
  }

  static let right = [
    "shop: { basic: 'alice:${secrets.KEY}' }", "shop: { bearer: '${secrets.KEY}' }", "shop: { digest: 'alice:${secrets.KEY}' }",
    "shop: { ntlm: 'alice:${secrets.KEY}' }", "shop: { negotiate: true }",
    "shop: { aws: { access_key: a, secret_key: '${secrets.KEY}', region: r, service: s } }",
    "shop: { api_key: { header: X-Key, value: '${secrets.KEY}' } }", "shop: { api_key: { query: key, value: v } }",
    "shop: { api_key: { cookie: key, value: v } }",
    "shop: { oauth1: { consumer_key: k, consumer_secret: s, signature_method: PLAINTEXT } }",
    "shop: { oauth2: { grant: client_credentials, token_url: /t, client_id: c, client_secret: '${secrets.KEY}', scope: [a, b], extra: { x: 1 } } }",
    "shop: { oauth2: { grant: password, issuer: 'https://id.example', username: u, password: p } }",
    "shop: { oauth2: { grant: refresh_token, token_url: /t, refresh_token: r } }",
    "shop: { oauth2: { grant: device_code, token_url: /t, device_url: /d, client_id: c } }",
    "shop: { oauth2: { grant: jwt_bearer, token_url: /t, assertion: abc } }",
    "shop: { oauth2: { grant: token_exchange, token_url: /t, subject_token: abc } }",
    "base: { oauth2: { grant: password, token_url: /t, username: u, password: p } }\nshop: { oauth2: { grant: token_exchange, token_url: /t, subject: base } }",
  ]

  @Test(arguments: right) func `for each kind of authentication, a valid entry under the workflow key 'auth' is accepted`(auth: String)
    throws
  {
    let (workflow, diagnostics) = Decode.document(Self.document(auth))
    #expect(workflow != nil, "\(diagnostics.all.map(\.message))")
  }

  @Test func `the steps under the key 'authorize' of an auth entry are decoded as a separate workflow`() throws {
    let (workflow, diagnostics) = Decode.document(
      """
      garland: 1
      vars: { user: alice, unused_here: b }
      secrets: [KEY]
      defaults: { base_url: 'https://api.example.com', auth: shop, headers: { Accept: application/json } }
      auth:
        shop:
          oauth2:
            grant: authorization_code
            issuer: https://id.example
            client_id: c
            authorize:
              steps:
                page: { get: "${env.GARLAND_AUTHORIZE_URL}" }
                login: { submit: { from: page, fields: { user: "${vars.user}", password: "${secrets.KEY}" } } }
      steps:
        a: { get: "/x/${vars.unused_here}" }
      """)
    let shop = try #require(workflow?.authentications.first, "\(diagnostics.all.map(\.message))")
    let inner = try #require(shop.oauth2?.authorize)
    #expect(inner.steps.map(\.id) == ["page", "login"])
    #expect(diagnostics.isEmpty, "\(diagnostics.all.map(\.message))")
    #expect(shop.inputs.contains { $0.target == .secret(0) }, "what the steps within use is used")
    #expect(workflow?.environmentVariables.isEmpty == true)
    let targets = workflow?.steps.first?.inputs.map(\.target)
    #expect(targets?.contains(.authentication(0)) == true)
  }

  static let wrong: [(String, String, String)] = [
    ("an auth entry without a kind", "shop: {}", "get: /x"), ("an auth entry that is a text", "shop: abc", "get: /x"),
    ("an auth entry of two kinds", "shop: { basic: 'a:b', bearer: c }", "get: /x"),
    ("an auth entry of an unknown kind", "shop: { oauth: {} }", "get: /x"),
    ("an auth entry with the name none", "none: { bearer: a }", "get: /x"),
    ("an auth entry with an invalid name", "'a b': { bearer: a }", "get: /x"),
    ("an undefined auth entry", "shop: { bearer: a }", "get: /x\n    auth: shp"),
    ("OAuth 2 without a grant", "shop: { oauth2: { token_url: /t } }", "get: /x"),
    ("OAuth 2 with an unknown grant", "shop: { oauth2: { grant: implicit, token_url: /t } }", "get: /x"),
    ("a grant without a token endpoint", "shop: { oauth2: { grant: client_credentials, client_id: a } }", "get: /x"),
    ("the password grant without a user name", "shop: { oauth2: { grant: password, token_url: /t, password: p } }", "get: /x"),
    ("a key of another grant", "shop: { oauth2: { grant: client_credentials, token_url: /t, client_id: a, username: u } }", "get: /x"),
    ("a mistyped key of a grant", "shop: { oauth2: { grant: client_credentials, token_uri: /t, client_id: a } }", "get: /x"),
    (
      "an unknown value of client_auth", "shop: { oauth2: { grant: client_credentials, token_url: /t, client_id: a, client_auth: basic } }",
      "get: /x"
    ),
    (
      "a missing file for client_key", "shop: { oauth2: { grant: client_credentials, token_url: /t, client_id: a, client_key: no.pem } }",
      "get: /x"
    ),
    ("a JWT assertion without a key", "shop: { oauth2: { grant: jwt_bearer, token_url: /t, assertion: { subject: a } } }", "get: /x"),
    (
      "client_key_password without client_key",
      "shop: { oauth2: { grant: client_credentials, token_url: /t, client_id: a, client_key_password: x } }",
      "get: /x"
    ),
    ("an auth entry that uses the response of a step", "shop: { bearer: '${a.json.token}' }", "get: /x"),
    ("an auth entry that uses its own token", "shop: { bearer: '${auth.shop.scope}' }", "get: /x"),
    (
      "two auth entries that use each other",
      "a: { oauth2: { grant: token_exchange, token_url: /t, subject: b } }\nb: { oauth2: { grant: token_exchange, token_url: /t, subject: a } }",
      "get: /x"
    ),
    ("a subject that has no token", "a: { bearer: x }\nb: { oauth2: { grant: token_exchange, token_url: /t, subject: a } }", "get: /x"),
    (
      "an invalid login step",
      "shop: { oauth2: { grant: authorization_code, issuer: 'https://i.example', client_id: c, authorize: { steps: { p: { gte: /x } } } } }",
      "get: /x"
    ),
    (
      "authorize without steps",
      "shop: { oauth2: { grant: authorization_code, issuer: 'https://i.example', client_id: c, authorize: {} } }", "get: /x"
    ),
    ("api_key without a header or query parameter", "shop: { api_key: { value: a } }", "get: /x"),
    ("RSA-SHA1 without a key", "shop: { oauth1: { consumer_key: a, signature_method: RSA-SHA1 } }", "get: /x"),
    (
      "an undefined member of a token", "shop: { oauth2: { grant: refresh_token, token_url: /t, refresh_token: r } }",
      "get: '/${auth.shop.claim}'"
    ),
    (
      "an undefined auth entry in an expression", "shop: { oauth2: { grant: refresh_token, token_url: /t, refresh_token: r } }",
      "get: '/${auth.shp.scope}'"
    ),
    ("a token without a member", "shop: { oauth2: { grant: refresh_token, token_url: /t, refresh_token: r } }", "get: '/${auth.shop}'"),
    ("a member of an auth entry that has no token", "shop: { bearer: a }", "get: '/${auth.shop.scope}'"),
  ]

  @Test func `diagnostics for invalid auth entries match the golden file`() {
    var result = ""
    for (name, auth, step) in Self.wrong {
      let (workflow, diagnostics) = Decode.document(Self.document(auth, step: step))
      #expect(workflow == nil, "\(name)")
      result += "### \(name)\n\n\(DiagnosticRenderer().render(diagnostics).plain)\n\n"
    }
    expectGolden(result, "auth.txt")
  }
}
