import GarlandCrypto
import GarlandJSON
import GarlandSandbox
import GarlandText
import Testing

@Suite(.timeLimit(.minutes(15))) struct AuthorizationCodeTests {
  @Test func `if an authorization code is used a second time, the tokens from its first use are revoked`() async throws {
    try await withSandbox { sandbox in
      var browser = try ProviderBrowser(sandbox)
      let back = try browser.walk()
      #expect(back.first("Location")?.hasPrefix("http://127.0.0.1:4711/callback?code=code-") == true)
      let result = ProviderBrowser.result(back)
      #expect(result["state"] == "s t")
      #expect(result["iss"] == sandbox.url)
      let code = try #require(result["code"])
      let tokens = try browser.redeem(code).json
      #expect(tokens["token_type"] == "Bearer")
      #expect(tokens["scope"] == "openid read")
      let bearer = "Authorization: Bearer \(try #require(tokens["access_token"]?.stringValue))"
      #expect(try sandbox.get("/oauth/userinfo", [bearer]).json["sub"] == "alice")

      let token = try JSONWebToken(try #require(tokens["id_token"]?.stringValue))
      let keys = try JSONWebKeySet(try sandbox.get("/oauth/jwks").json)
      try token.signature.verify(with: keys, accepting: [.rs256])
      #expect(token.claims["nonce"] == "n1")
      #expect(token.audience == ["smoke"])
      #expect(token.issuer == sandbox.url)

      // A code can be used only once. A second use revokes the tokens that were issued for it.
      let replayed = try browser.redeem(code)
      #expect(replayed.json["error"] == "invalid_grant")
      #expect(try sandbox.get("/oauth/userinfo", [bearer]).status == 401)
    }
  }

  static let redeemed: [([String: String?], String)] = [
    (["code": "other"], "the code is not known"),
    (["redirect_uri": "http://127.0.0.1:4712/callback"], "redirect_uri is another"),
    (["code_verifier": String(repeating: "a", count: 43)], "code_verifier does not match"),
    (["code_verifier": "short"], "code_verifier does not match"),
    (["code_verifier": nil as String?], "code, redirect_uri and code_verifier are needed"),
    (["client_id": "web", "client_secret": "web-secret"], "the code belongs to another client"),
    (["client_id": "web", "client_secret": "wrong"], "the secret of the client web is wrong"),
    (["client_id": "signer"], "authenticates by private_key_jwt"),
  ]

  @Test(arguments: redeemed) func `an authorization code stays valid if a token request with wrong parameters is refused`(
    changes: [String: String?], words: String
  ) async throws {
    try await withSandbox { sandbox in
      var browser = try ProviderBrowser(sandbox)
      let code = try #require(ProviderBrowser.result(try browser.walk())["code"])
      let refused = try browser.redeem(code, changes).json["error_description"]?.stringValue ?? ""
      #expect(refused.contains(words), "\(refused)")
      #expect(try browser.redeem(code).status == 200, "a refusal uses nothing up")
    }
  }

  @Test func `an authorization code from the sandbox's OAuth provider expires after 60 seconds`() async throws {
    try await withSandbox { sandbox in
      var browser = try ProviderBrowser(sandbox)
      let code = try #require(ProviderBrowser.result(try browser.walk())["code"])
      _ = try sandbox.request("POST", "/_sandbox/clock?advance=61")
      #expect(try browser.redeem(code).json["error_description"] == "the code has expired")
    }
  }

  static let requests: [(String, String?, String)] = [
    ("response_type", "token", "unsupported_response_type"), ("response_type", nil, "invalid_request"),
    ("code_challenge", nil, "invalid_request"), ("code_challenge_method", "plain", "invalid_request"),
    ("code_challenge", "short", "invalid_request"), ("scope", "everything", "invalid_scope"), ("prompt", "none", "login_required"),
    ("audience", "moon", "invalid_target"),
  ]

  @Test(arguments: requests)
  func `the sandbox's OAuth provider answers an invalid authorization request with a redirect that contains the error`(
    name: String, value: String?, error: String
  ) async throws {
    try await withSandbox { sandbox in
      var browser = try ProviderBrowser(sandbox)
      browser.parameters[name] = value
      let result = ProviderBrowser.result(try browser.authorize())
      #expect(result["error"] == error)
      #expect(result["state"] == "s t")
      #expect(result["error_description"]?.isEmpty == false)
    }
  }

  static let untrusted = [
    ("client_id", "nobody"), ("redirect_uri", "http://127.0.0.1:4711/callback/"), ("redirect_uri", "http://127.0.0.1:4711/callback?x=1"),
    ("redirect_uri", "http://localhost:4711/callback"), ("redirect_uri", "https://app.example/callback2"),
    ("redirect_uri", "http://127.0.0.1:4711@evil.example/callback"), ("redirect_uri", "http://127.0.0.1:/callback"),
  ]

  @Test(arguments: untrusted)
  func `for an unknown client or redirect URI, the sandbox's OAuth provider sends an error page instead of a redirect`(
    name: String, value: String
  )
    async throws
  {
    try await withSandbox { sandbox in
      var browser = try ProviderBrowser(sandbox)
      browser.parameters[name] = value
      let response = try browser.authorize()
      #expect(response.status == 400)
      #expect(response.first("Location") == nil)
      #expect(response.first("Content-Type") == "text/html; charset=utf-8")
    }
  }

  @Test func `the sandbox's OAuth provider remembers the login and the consented scopes of a browser session`() async throws {
    try await withSandbox { sandbox in
      var browser = try ProviderBrowser(sandbox)
      _ = try browser.walk()
      browser.parameters["prompt"] = "none"
      #expect(ProviderBrowser.result(try browser.authorize())["code"] != nil)
      #expect(ProviderBrowser.result(try browser.authorize("POST"))["code"] != nil)
      browser.parameters["scope"] = "openid read write"
      #expect(ProviderBrowser.result(try browser.authorize())["error"] == "consent_required")
      browser.parameters["prompt"] = "login"
      #expect(try browser.authorize().first("Location")?.hasPrefix("/oauth/login") == true)
      let counts = try sandbox.get("/_sandbox/oauth").json["counts"]
      #expect(counts?["login"] == 1)
      #expect(counts?["error consent_required"] == 1)
    }
  }

  @Test func `a wrong password, a denied consent or a forged form gives no authorization code`() async throws {
    try await withSandbox { sandbox in
      var browser = try ProviderBrowser(sandbox)
      #expect(ProviderBrowser.result(try browser.walk(decision: "deny"))["error"] == "access_denied")

      var wrong = try ProviderBrowser(sandbox)
      let login = try wrong.walk(password: "x")
      #expect(login.status == 403)
      #expect(login.text.contains("No user has this name and password."))

      // The form belongs to another session.
      var other = try ProviderBrowser(sandbox)
      let target = try #require(try other.authorize().first("Location"))
      let request = try #require(target.split(separator: "=").last)
      other.cookie = browser.cookie
      let forged = try sandbox.request("POST", "/oauth/consent", other.headers, form: "request=\(request)&csrf=x&decision=allow")
      #expect(forged.status == 403)
      #expect(try sandbox.request("POST", "/oauth/consent", form: "request=\(request)&decision=allow").status == 403)
      #expect(try sandbox.get("/oauth/login?request=x").status == 400)
    }
  }

  @Test func `a confidential client must send its secret to redeem an authorization code`() async throws {
    try await withSandbox { sandbox in
      var browser = try ProviderBrowser(sandbox, client: "web", redirect: "https://app.example/callback")
      let code = try #require(ProviderBrowser.result(try browser.walk())["code"])
      #expect(try browser.redeem(code).json["error"] == "invalid_client")
      let basic = "Authorization: Basic \(Base64.encode("web:web-secret".utf8))"
      #expect(try browser.redeem(code, headers: [basic]).status == 200)
    }
  }

  static let faults: [(String, TokenError)] = [
    ("issuer", .wrong(claim: "iss", found: "\"https://other.example\"", expected: "")),
    ("audience", .wrong(claim: "aud", found: "\"other\"", expected: "")),
    ("nonce", .wrong(claim: "nonce", found: "\"another\"", expected: "")),
    ("expired", .expired(secondsAgo: 0)), ("future", .issuedInFuture(bySeconds: 0)), ("unsigned", .algorithmNotAccepted("none")),
    ("key", .wrongSignature),
  ]

  @Test(arguments: faults) func `if a client asks the sandbox for an ID token with a fault, the validation of the token fails`(
    fault: String, error: TokenError
  )
    async throws
  {
    try await withSandbox { sandbox in
      _ = try sandbox.request("POST", "/_sandbox/oauth?id_token_fault=\(fault)")
      var browser = try ProviderBrowser(sandbox)
      let code = try #require(ProviderBrowser.result(try browser.walk())["code"])
      let token = try JSONWebToken(try #require(try browser.redeem(code).json["id_token"]?.stringValue))
      let keys = try JSONWebKeySet(try sandbox.get("/oauth/jwks").json)
      do {
        try token.signature.verify(with: keys, accepting: [.rs256, .es256])
        try token.check(JSONWebToken.Expectations(issuer: sandbox.url, audience: "smoke", nonce: "n1", now: Self.now()))
        Issue.record("nothing is wrong with it")
      } catch let found as TokenError {
        #expect("\(found)".prefix(17) == "\(error)".prefix(17))
      }
    }
  }

  @Test(arguments: ["RS256", "PS256", "ES256", "EdDSA"]) func `an ID token is signed with the requested algorithm`(name: String)
    async throws
  {
    try await withSandbox { sandbox in
      _ = try sandbox.request("POST", "/_sandbox/oauth?id_token_alg=\(name)")
      let answer = try sandbox.request(
        "POST", "/oauth/token", form: "grant_type=password&client_id=smoke&username=bob&password=builder&scope=openid")
      let token = try JSONWebToken(try #require(answer.json["id_token"]?.stringValue))
      let algorithm = try #require(SignatureAlgorithm(rawValue: name))
      try token.signature.verify(with: try JSONWebKeySet(try sandbox.get("/oauth/jwks").json), accepting: [algorithm])
    }
  }

  static func now() -> Double { Double(SandboxOptions().date()) }
}
