import FoundationEssentials
import GarlandCrypto
import GarlandJSON
import GarlandSandbox
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct ProviderTests {
  static let device = "urn:ietf:params:oauth:grant-type:device_code"
  static let exchange = "urn:ietf:params:oauth:grant-type:token-exchange"
  static let bearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
  static let service = "client_id=service&client_secret=service-secret"

  @Test func `each endpoint in the metadata of the sandbox's OAuth provider exists`() async throws {
    try await withSandbox { sandbox in
      let metadata = try sandbox.get("/.well-known/openid-configuration").json
      #expect(metadata == (try sandbox.get("/.well-known/oauth-authorization-server").json))
      #expect(metadata["issuer"]?.stringValue == sandbox.url)
      for (name, value) in metadata.objectValue ?? [:] where name.hasSuffix("_endpoint") || name == "jwks_uri" {
        let path = try #require(value.stringValue).dropFirst(sandbox.url.count)
        #expect(try sandbox.get(String(path)).status != 404, "\(name)")
      }
      let keys = try sandbox.get("/oauth/jwks").json
      #expect(keys["keys"]?.arrayValue?.count == 3)
      #expect(!keys.jsonText().contains("\"d\":"))
    }
  }

  @Test func `a device that polls too fast gets the error 'slow_down', but still gets a token after consent`() async throws {
    try await withSandbox { sandbox in
      let start = try sandbox.request("POST", "/oauth/device_authorization", form: "client_id=smoke&scope=read").json
      let code = try #require(start["device_code"]?.stringValue)
      let user = try #require(start["user_code"]?.stringValue)
      #expect(user.wholeMatch(of: #/[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}/#) != nil)
      func poll() throws -> JSONValue {
        try sandbox.request("POST", "/oauth/token", form: "grant_type=\(Self.device)&client_id=smoke&device_code=\(code)").json
      }
      #expect(try poll()["error"] == "authorization_pending")
      #expect(try poll()["error"] == "slow_down")
      _ = try sandbox.request("POST", "/_sandbox/clock?advance=2")
      #expect(try poll()["error"] == "slow_down", "five seconds more")
      _ = try sandbox.request("POST", "/_sandbox/clock?advance=12")
      #expect(try poll()["error"] == "authorization_pending")
      #expect(try sandbox.get("/oauth/device?user_code=\(user)").text.contains("value=\"\(user)\""))
      let form = "user_code=\(user)&username=alice&password=wonderland&decision="
      #expect(try sandbox.request("POST", "/oauth/device", form: form + "allow").status == 200)
      _ = try sandbox.request("POST", "/_sandbox/clock?advance=20")
      #expect(try poll()["access_token"] != nil)
      #expect(try poll()["error"] == "invalid_grant")
    }
  }

  @Test func `a token request with a denied or expired device code gets an error`() async throws {
    try await withSandbox { sandbox in
      let start = try sandbox.request("POST", "/oauth/device_authorization", form: "client_id=smoke").json
      let (code, user) = (try #require(start["device_code"]?.stringValue), try #require(start["user_code"]?.stringValue))
      let poll = "grant_type=\(Self.device)&client_id=smoke&device_code=\(code)"
      let form = "user_code=\(user)&username=alice&password=wonderland&decision=deny"
      #expect(try sandbox.request("POST", "/oauth/device", form: form).status == 200)
      #expect(try sandbox.request("POST", "/oauth/token", form: poll).json["error"] == "access_denied")
      _ = try sandbox.request("POST", "/_sandbox/clock?advance=601")
      #expect(try sandbox.request("POST", "/oauth/token", form: poll).json["error"] == "expired_token")
      #expect(try sandbox.request("POST", "/oauth/device", form: form).status == 400)
      #expect(try sandbox.request("POST", "/oauth/device_authorization", form: Self.service).json["error"] == "unauthorized_client")
    }
  }

  @Test func `in the sandbox, an OAuth token exchange accepts only a known audience and scope`() async throws {
    try await withSandbox { sandbox in
      let token = try #require(
        try sandbox.request("POST", "/oauth/token", form: "grant_type=password&username=alice&password=wonderland").json["access_token"]?
          .stringValue)
      let type = "urn:ietf:params:oauth:token-type:access_token"
      let form = "grant_type=\(Self.exchange)&\(Self.service)&subject_token=\(token)&subject_token_type=\(type)"
      let answer = try sandbox.request("POST", "/oauth/token", form: form + "&audience=orders&resource=https://api.example/&scope=read")
        .json
      #expect(answer["issued_token_type"]?.stringValue == type)
      #expect(answer["scope"] == "read")
      #expect(answer["refresh_token"] == nil)
      let issued = try #require(answer["access_token"]?.stringValue)
      let looked = try sandbox.request("POST", "/oauth/introspect", form: "\(Self.service)&token=\(issued)").json
      #expect(looked["sub"] == "alice")
      #expect(looked["aud"] == ["orders", "https://api.example/"])
      let acted = try sandbox.request("POST", "/oauth/token", form: form + "&actor_token=\(token)&actor_token_type=\(type)").json
      let actor = try #require(acted["access_token"]?.stringValue)
      #expect(
        try sandbox.request("POST", "/oauth/introspect", form: "\(Self.service)&token=\(actor)").json["act"]?["sub"] == "alice")
      for (extra, error) in [("&audience=moon", "invalid_target"), ("&resource=x", "invalid_target"), ("&scope=admin", "invalid_scope")] {
        #expect(try sandbox.request("POST", "/oauth/token", form: form + extra).json["error"]?.stringValue == error)
      }
      let other = "grant_type=\(Self.exchange)&\(Self.service)&subject_token=x&subject_token_type=\(type)"
      #expect(try sandbox.request("POST", "/oauth/token", form: other).json["error"] == "invalid_request")
      #expect(
        try sandbox.request("POST", "/oauth/token", form: "grant_type=\(Self.exchange)&client_id=smoke").json["error"]
          == "unauthorized_client")
    }
  }

  static func assertion(_ claims: JSONObject, in sandbox: Sandbox, key: PrivateKey? = nil) throws -> String {
    let pem = try String(contentsOfFile: Repository.path("examples/oauth/signer.pem"), encoding: .utf8)
    let now = SandboxOptions().date()
    var all: JSONObject = [
      "iss": "signer", "sub": "signer", "aud": .string("\(sandbox.url)/oauth/token"), "exp": JSONValue(now + 60), "iat": JSONValue(now),
      "jti": .string("\(try SecureRandom.bytes(8))"),
    ]
    for (name, value) in claims { all[name] = value == .null ? nil : value }
    return try JSONWebToken(signing: all, algorithm: .es256, key: JSONWebKey(.privateKey(key ?? PrivateKey(pem: pem)))).compact
  }

  static let assertions: [(JSONObject, String?)] = [
    ([:], nil), (["aud": ["x", "y"]], "its audience is x, y"), (["exp": 1], "expired"),
    (["exp": 99_999_999_999], "lives longer than 10 minutes"),
    (["jti": .null], "no claim \"jti\""), (["sub": "web"], "iss and sub"), (["nbf": 99_999_999_999], "becomes valid only in"),
  ]

  @Test(arguments: assertions) func `a client's signed assertion is accepted only once and only with valid claims`(
    claims: JSONObject, words: String?
  ) async throws {
    try await withSandbox { sandbox in
      let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
      let form = "grant_type=client_credentials&client_assertion_type=\(type)&client_assertion="
      let text = try Self.assertion(claims, in: sandbox)
      let answer = try sandbox.request("POST", "/oauth/token", form: form + text)
      if let words {
        #expect(answer.json["error"] == "invalid_client")
        #expect(answer.json["error_description"]?.stringValue?.contains(words) == true, "\(answer.json)")
      } else {
        #expect(answer.status == 200)
        #expect(
          try sandbox.request("POST", "/oauth/token", form: form + text).json["error_description"] == "client_assertion: it was used before"
        )
        let other = try Self.assertion([:], in: sandbox, key: .generate(.ellipticCurve(.p256)))
        #expect(
          try sandbox.request("POST", "/oauth/token", form: form + other).json["error_description"]
            == "client_assertion: the signature of the token is wrong")
      }
    }
  }

  @Test func `a client that authenticates with signed assertions is refused if it sends its secret`() async throws {
    try await withSandbox { sandbox in
      let now = SandboxOptions().date()
      let key = JSONWebKey(.secret(Array("this-secret-has-more-than-32-bytes".utf8)))
      let token = try JSONWebToken(
        signing: ["iss": "hmac", "sub": "hmac", "aud": .string(sandbox.url), "exp": JSONValue(now + 60), "jti": "1"], algorithm: .hs256,
        key: key)
      let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
      let form = "grant_type=client_credentials&client_assertion_type=\(type)&client_assertion=\(token.compact)"
      #expect(try sandbox.request("POST", "/oauth/token", form: form).status == 200)
      let both = try sandbox.request("POST", "/oauth/token", form: form + "&client_secret=x")
      #expect(both.json["error"] == "invalid_request")
      let secret = "grant_type=client_credentials&client_id=hmac&client_secret=this-secret-has-more-than-32-bytes"
      #expect(try sandbox.request("POST", "/oauth/token", form: secret).json["error"] == "invalid_client")
    }
  }

  @Test func `in the sandbox, a JWT assertion gives an OAuth token only for a known user, issuer and audience`() async throws {
    try await withSandbox { sandbox in
      let form = "grant_type=\(Self.bearer)&\(Self.service)&assertion="
      let good = try sandbox.request("POST", "/oauth/token", form: form + Self.assertion(["sub": "bob"], in: sandbox)).json
      let token = try #require(good["access_token"]?.stringValue)
      #expect(try sandbox.get("/oauth/protected", ["Authorization: Bearer \(token)"]).json["user"] == "bob")
      for claims: JSONObject in [["sub": "nobody"], ["iss": "web"], ["aud": "elsewhere"]] {
        let answer = try sandbox.request("POST", "/oauth/token", form: form + Self.assertion(claims, in: sandbox)).json
        #expect(answer["error"] == "invalid_grant")
      }
    }
  }

  @Test func `an access token is active until it or its refresh token is revoked`() async throws {
    try await withSandbox { sandbox in
      let granted = try sandbox.request(
        "POST", "/oauth/token", form: "grant_type=password&\(Self.service)&username=alice&password=wonderland"
      ).json
      let (access, refresh) = (try #require(granted["access_token"]?.stringValue), try #require(granted["refresh_token"]?.stringValue))
      func look(_ token: String) throws -> JSONValue {
        try sandbox.request("POST", "/oauth/introspect", form: "\(Self.service)&token=\(token)").json
      }
      #expect(try look(access)["active"] == true)
      #expect(try look(refresh)["active"] == true)
      #expect(try look("x") == ["active": false])
      #expect(try sandbox.request("POST", "/oauth/introspect", form: "token=\(access)").json["error"] == "invalid_client")
      let foreign = try sandbox.request("POST", "/oauth/revoke", form: "client_id=smoke&token=\(access)")
      #expect(foreign.json["error"] == "unauthorized_client")
      #expect(try sandbox.request("POST", "/oauth/revoke", form: "\(Self.service)&token=\(refresh)").status == 200)
      #expect(try look(access) == ["active": false], "all its family")
      #expect(try sandbox.request("POST", "/oauth/revoke", form: "\(Self.service)&token=\(refresh)").status == 200)
    }
  }

  @Test func `a test can set token lifetimes and faults of the sandbox's OAuth provider, and can revoke issued tokens`() async throws {
    try await withSandbox { sandbox in
      let form = "grant_type=password&username=alice&password=wonderland"
      func control(_ query: String) throws -> JSONValue { try sandbox.request("POST", "/_sandbox/oauth?\(query)").json }
      _ = try control("expires_in=7&rotate=0")
      let granted = try sandbox.request("POST", "/oauth/token", form: form).json
      #expect(granted["expires_in"] == 7)
      let refresh = "grant_type=refresh_token&refresh_token=\(try #require(granted["refresh_token"]?.stringValue))"
      for _ in 0..<2 {
        let refreshed = try sandbox.request("POST", "/oauth/token", form: refresh)
        #expect(refreshed.status == 200)
        #expect(refreshed.json["refresh_token"] == nil)
      }
      #expect(try control("revoke=refresh")["counts"]?["token refresh_token"] == 2)
      #expect(try sandbox.request("POST", "/oauth/token", form: refresh).json["error"] == "invalid_grant")
      let access = "Authorization: Bearer \(try #require(granted["access_token"]?.stringValue))"
      #expect(try sandbox.get("/oauth/protected", [access]).status == 200)
      _ = try control("revoke=access")
      #expect(try sandbox.get("/oauth/protected", [access]).status == 401)
      _ = try control("fault=unavailable&fault_times=1")
      #expect(try sandbox.request("POST", "/oauth/token", form: form).status == 503)
      #expect(try sandbox.request("POST", "/oauth/token", form: form).status == 200)
      _ = try control("fault=html")
      #expect(try sandbox.request("POST", "/oauth/token", form: form).first("Content-Type") == "text/html")
      #expect(try sandbox.request("POST", "/_sandbox/oauth?fault=x").status == 400)
      #expect(try sandbox.request("POST", "/_sandbox/oauth?colour=x").status == 400)
      #expect(try sandbox.get("/_sandbox/oauth", ["X-Sandbox-Tenant: other"]).json["settings"]?["expires_in"] == 3600)
      #expect(try control("counts=0")["counts"] == [:])
    }
  }
}
