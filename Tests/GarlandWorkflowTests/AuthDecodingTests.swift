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

  @Test(arguments: right) func `each valid auth entry decodes without an error`(auth: String) throws {
    let (workflow, diagnostics) = Decode.document(Self.document(auth))
    #expect(workflow != nil, "\(diagnostics.all.map(\.message))")
  }

  @Test func `the steps under the key authorize form a separate workflow`() throws {
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
    ("no kind", "shop: {}", "get: /x"), ("a text", "shop: abc", "get: /x"), ("two kinds", "shop: { basic: 'a:b', bearer: c }", "get: /x"),
    ("unknown kind", "shop: { oauth: {} }", "get: /x"), ("called none", "none: { bearer: a }", "get: /x"),
    ("bad name", "'a b': { bearer: a }", "get: /x"), ("there is none", "shop: { bearer: a }", "get: /x\n    auth: shp"),
    ("without a grant", "shop: { oauth2: { token_url: /t } }", "get: /x"),
    ("unknown grant", "shop: { oauth2: { grant: implicit, token_url: /t } }", "get: /x"),
    ("nowhere to ask", "shop: { oauth2: { grant: client_credentials, client_id: a } }", "get: /x"),
    ("without a user", "shop: { oauth2: { grant: password, token_url: /t, password: p } }", "get: /x"),
    ("of another grant", "shop: { oauth2: { grant: client_credentials, token_url: /t, client_id: a, username: u } }", "get: /x"),
    ("unknown key", "shop: { oauth2: { grant: client_credentials, token_uri: /t, client_id: a } }", "get: /x"),
    ("unknown client_auth", "shop: { oauth2: { grant: client_credentials, token_url: /t, client_id: a, client_auth: basic } }", "get: /x"),
    (
      "a key that is not there", "shop: { oauth2: { grant: client_credentials, token_url: /t, client_id: a, client_key: no.pem } }",
      "get: /x"
    ),
    ("an assertion without a key", "shop: { oauth2: { grant: jwt_bearer, token_url: /t, assertion: { subject: a } } }", "get: /x"),
    (
      "the password of no key", "shop: { oauth2: { grant: client_credentials, token_url: /t, client_id: a, client_key_password: x } }",
      "get: /x"
    ),
    ("of a step", "shop: { bearer: '${a.json.token}' }", "get: /x"), ("of a token", "shop: { bearer: '${auth.shop.scope}' }", "get: /x"),
    (
      "in a circle",
      "a: { oauth2: { grant: token_exchange, token_url: /t, subject: b } }\nb: { oauth2: { grant: token_exchange, token_url: /t, subject: a } }",
      "get: /x"
    ),
    ("subject without a token", "a: { bearer: x }\nb: { oauth2: { grant: token_exchange, token_url: /t, subject: a } }", "get: /x"),
    (
      "steps that are wrong",
      "shop: { oauth2: { grant: authorization_code, issuer: 'https://i.example', client_id: c, authorize: { steps: { p: { gte: /x } } } } }",
      "get: /x"
    ),
    (
      "no steps", "shop: { oauth2: { grant: authorization_code, issuer: 'https://i.example', client_id: c, authorize: {} } }", "get: /x"
    ),
    ("api_key without a place", "shop: { api_key: { value: a } }", "get: /x"),
    ("RSA without a key", "shop: { oauth1: { consumer_key: a, signature_method: RSA-SHA1 } }", "get: /x"),
    ("no such member", "shop: { oauth2: { grant: refresh_token, token_url: /t, refresh_token: r } }", "get: '/${auth.shop.claim}'"),
    ("no such auth", "shop: { oauth2: { grant: refresh_token, token_url: /t, refresh_token: r } }", "get: '/${auth.shp.scope}'"),
    ("without a member", "shop: { oauth2: { grant: refresh_token, token_url: /t, refresh_token: r } }", "get: '/${auth.shop}'"),
    ("not a token", "shop: { bearer: a }", "get: '/${auth.shop.scope}'"),
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
