import GarlandCrypto
import GarlandJSON
import GarlandSandbox
import GarlandText
import Testing

@Suite struct AuthTests {
  @Test func `the basic-auth routes of the sandbox accept only the user and the password in the path of the request`() async throws {
    try await withSandbox { sandbox in
      func field(_ text: String) -> String { "Authorization: Basic \(Base64.encode(text.utf8))" }
      #expect(try sandbox.get("/basic-auth/bob/b%3Ax", [field("bob:b:x")]).json["user"] == "bob")
      let denied = try sandbox.get("/basic-auth/bob/x")
      #expect(denied.status == 401)
      #expect(denied.first("WWW-Authenticate") == "Basic realm=\"sandbox\", charset=\"UTF-8\"")
      for wrong in [field("bob:y"), field("eve:x"), field("bob"), "Authorization: Basic !!!", "Authorization: Bearer x"] {
        #expect(try sandbox.get("/basic-auth/bob/x", [wrong]).status == 401)
      }
      #expect(try sandbox.get("/hidden-basic-auth/bob/x").status == 404)
      #expect(try sandbox.get("/hidden-basic-auth/bob/x", [field("bob:x")]).status == 200)
    }
  }

  @Test func `digest authentication accepts only the right user, password and URI`() async throws {
    try await withSandbox { sandbox in
      let challenge = try sandbox.get("/digest-auth/bob/x").first("WWW-Authenticate")
      #expect(challenge == "Digest realm=\"sandbox\", qop=\"auth\", algorithm=SHA-256, nonce=\"c2FuZGJveA\", charset=UTF-8")
      func hash(_ text: String) throws -> String { try Digest(of: text.utf8, using: .sha256).hex }
      func field(_ user: String, _ password: String, uri: String = "/digest-auth/bob/x?a=b") throws -> String {
        let answer = try hash("\(hash("\(user):sandbox:\(password)")):c2FuZGJveA:00000001:own:auth:\(hash("GET:\(uri)"))")
        return "Authorization: Digest username=\"\(user)\", realm=\"sandbox\", nonce=\"c2FuZGJveA\", uri=\"\(uri)\", algorithm=SHA-256, "
          + "qop=auth,nc=00000001, cnonce=\"o\\wn\", response=\"\(answer)\""
      }
      #expect(try sandbox.get("/digest-auth/bob/x?a=b", [field("bob", "x")]).json["user"] == "bob")
      for wrong in [
        try field("bob", "y"), try field("eve", "x"), try field("bob", "x", uri: "/digest-auth/bob/x"), "Authorization: Digest",
        "Authorization: Digest ,=,\"\\", "Authorization: Basic Ym9iOng=",
      ] {
        #expect(try sandbox.get("/digest-auth/bob/x?a=b", [wrong]).status == 401, "\(wrong)")
      }
    }
  }

  @Test func `a bearer route of the sandbox accepts only its own token`() async throws {
    try await withSandbox { sandbox in
      #expect(try sandbox.get("/bearer", ["Authorization: bearer abc"]).json["token"] == "abc")
      #expect(try sandbox.get("/bearer").first("WWW-Authenticate") == "Bearer realm=\"sandbox\"")
      #expect(try sandbox.get("/bearer/abc", ["Authorization: Bearer abc"]).status == 200)
      let wrong = try sandbox.get("/bearer/abc", ["Authorization: Bearer xyz"])
      #expect(wrong.status == 401)
      #expect(wrong.first("WWW-Authenticate")?.contains("error=\"invalid_token\"") == true)
    }
  }

  @Test func `the sandbox refuses an access token for a scope or tenant for which the token was not issued`() async throws {
    try await withSandbox { sandbox in
      let response = try sandbox.request(
        "POST", "/oauth/token", form: "grant_type=password&client_id=smoke&username=alice&password=wonderland&scope=read")
      #expect(response.status == 200)
      #expect(response.first("Cache-Control") == "no-store")
      #expect(response.json["token_type"] == "Bearer")
      #expect(response.json["expires_in"] == 3_600)
      #expect(response.json["scope"] == "read")
      let token = try #require(response.json["access_token"]?.stringValue)
      let resource = try sandbox.get("/oauth/protected?scope=read", ["Authorization: Bearer \(token)"])
      #expect(resource.json["user"] == "alice")
      #expect(resource.json["client"] == "smoke")
      let insufficient = try sandbox.get("/oauth/protected?scope=write", ["Authorization: Bearer \(token)"])
      #expect(insufficient.status == 403)
      #expect(insufficient.first("WWW-Authenticate")?.contains("insufficient_scope") == true)
      #expect(try sandbox.get("/oauth/protected").status == 401)
      #expect(try sandbox.get("/oauth/protected", ["Authorization: Bearer nonsense"]).status == 401)
      let elsewhere = try sandbox.get("/oauth/protected", ["Authorization: Bearer \(token)", "X-Sandbox-Tenant: other"])
      #expect(elsewhere.status == 401, "tenants share nothing")
    }
  }

  static let refused: [(String, String, Int)] = [
    ("", "invalid_request", 400), ("grant_type=password", "invalid_request", 400),
    ("grant_type=password&username=alice&password=no", "invalid_grant", 400),
    ("grant_type=password&username=alice&password=no&username=b", "invalid_request", 400),
    ("grant_type=magic", "unsupported_grant_type", 400), ("grant_type=client_credentials", "unauthorized_client", 400),
    ("grant_type=client_credentials&client_id=smoke", "unauthorized_client", 400),
    ("grant_type=client_credentials&client_id=nobody", "invalid_client", 401),
    ("grant_type=client_credentials&client_id=service&client_secret=wrong", "invalid_client", 401),
    ("grant_type=client_credentials&client_id=service&client_secret=service-secret&scope=all", "invalid_scope", 400),
    ("grant_type=refresh_token", "invalid_request", 400), ("grant_type=refresh_token&refresh_token=x", "invalid_grant", 400),
    ("grant_type=password&username=alice&password=wonderland&expires_in=soon", "invalid_request", 400),
  ]

  @Test(arguments: refused) func `the sandbox's OAuth token endpoint answers an invalid request with the OAuth error code for the mistake`(
    form: String, code: String, status: Int
  ) async throws {
    try await withSandbox { sandbox in
      let response = try sandbox.request("POST", "/oauth/token", form: form)
      #expect(response.status == status)
      #expect(response.json["error"]?.stringValue == code)
      #expect(response.json["error_description"]?.stringValue?.isEmpty == false)
    }
  }

  @Test func `the sandbox's token endpoint accepts client credentials in a header or in the form, but not in both`() async throws {
    try await withSandbox { sandbox in
      let basic = "Authorization: Basic \(Base64.encode("service:service-secret".utf8))"
      let response = try sandbox.request("POST", "/oauth/token?expires_in=5", [basic], form: "grant_type=client_credentials")
      #expect(response.json["expires_in"] == 5)
      #expect(response.json["refresh_token"] == nil)
      let posted = try sandbox.request(
        "POST", "/oauth/token", form: "grant_type=client_credentials&client_id=service&client_secret=service-secret")
      #expect(posted.status == 200)
      let twice = try sandbox.request("POST", "/oauth/token", [basic], form: "grant_type=client_credentials&client_secret=service-secret")
      #expect(twice.json["error"] == "invalid_request")
      let wrong = try sandbox.request(
        "POST", "/oauth/token", ["Authorization: Basic \(Base64.encode("service:x".utf8))"], form: "grant_type=client_credentials")
      #expect(wrong.status == 401)
      #expect(wrong.first("WWW-Authenticate") == "Basic realm=\"sandbox\"")
      #expect(try sandbox.request("POST", "/oauth/token", json: "{}").json["error"] == "invalid_request")
    }
  }

  @Test func `if a refresh token is used twice, all tokens that come from the same login are revoked`() async throws {
    try await withSandbox { sandbox in
      let first = try sandbox.request(
        "POST", "/oauth/token", form: "grant_type=password&username=bob&password=builder&expires_in=60"
      ).json
      let access = "Authorization: Bearer \(try #require(first["access_token"]?.stringValue))"
      let refresh = try #require(first["refresh_token"]?.stringValue)
      #expect(try sandbox.get("/oauth/protected", [access]).status == 200)
      #expect(try sandbox.request("POST", "/_sandbox/clock?advance=61").status == 204)
      let expired = try sandbox.get("/oauth/protected", [access])
      #expect(expired.status == 401)
      #expect(expired.first("WWW-Authenticate")?.contains("has expired") == true)

      let wider = try sandbox.request("POST", "/oauth/token", form: "grant_type=refresh_token&refresh_token=\(refresh)&scope=admin")
      #expect(wider.json["error"] == "invalid_scope")
      let otherClient = try sandbox.request(
        "POST", "/oauth/token", form: "grant_type=refresh_token&refresh_token=\(refresh)&client_id=smoke")
      #expect(otherClient.json["error"] == "invalid_grant")
      let second = try sandbox.request("POST", "/oauth/token", form: "grant_type=refresh_token&refresh_token=\(refresh)").json
      let secondAccess = "Authorization: Bearer \(try #require(second["access_token"]?.stringValue))"
      #expect(second["refresh_token"]?.stringValue != refresh)
      #expect(try sandbox.get("/oauth/protected", [secondAccess]).json["user"] == "bob")
      #expect(try sandbox.get("/_sandbox/state").json["tenant"]?["tokens"]?["refreshed"] == 1)

      let replayed = try sandbox.request("POST", "/oauth/token", form: "grant_type=refresh_token&refresh_token=\(refresh)")
      #expect(replayed.json["error"] == "invalid_grant")
      #expect(try sandbox.get("/oauth/protected", [secondAccess]).status == 401, "a replay revokes the family")
    }
  }
}
