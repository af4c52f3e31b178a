import GarlandAuth
import GarlandJSON
import GarlandNetworking
import Testing

@Suite(.timeLimit(.minutes(15))) struct GrantTests {
  @Test func `the client credentials grant works with every client authentication method`() async throws {
    try await withProvider { provider in
      var ways: [(String, OAuthClientAuthentication)] = [
        ("service", .basic(secret: "service-secret")), ("service", .post(secret: "service-secret")),
        ("hmac", .secretJWT(secret: "this-secret-has-more-than-32-bytes", algorithm: .hs256)),
      ]
      ways.append(("signer", .privateKeyJWT(key: try Provider.signerKey(), algorithm: .es256)))
      for (client, way) in ways {
        var configuration = provider.configuration(.clientCredentials, client: client, secret: nil)
        configuration.authentication = way
        configuration.scope = ["read"]
        configuration.audience = ["orders"]
        configuration.resource = ["https://api.example/a?b=c&d"]
        let manager = provider.manager(configuration)
        let tokens = try await manager.token()
        #expect(tokens.scope == ["read"])
        #expect(tokens.refreshToken == nil)
        let looked = try await provider.ask(
          "POST", "/oauth/introspect", form: "client_id=service&client_secret=service-secret&token=\(tokens.accessToken)")
        #expect(looked["aud"] == ["orders", "https://api.example/a?b=c&d"])
        #expect(provider.secrets.all.contains(tokens.accessToken))
        #expect(try await manager.token() == tokens, "kept")
      }
    }
  }

  @Test func `the password grant validates ID tokens of each signature algorithm`() async throws {
    try await withProvider { provider in
      var configuration = provider.configuration(.password(user: "alice", password: "wonderland"))
      configuration.endpoints.token = nil
      configuration.issuer = provider.url
      configuration.scope = ["openid", "email"]
      for algorithm in ["RS256", "PS256", "ES256", "EdDSA"] {
        try await provider.control("id_token_alg=\(algorithm)")
        let tokens = try await provider.manager(configuration).token()
        #expect(tokens.claims?["sub"] == "alice")
        #expect(tokens.claims?["email"] == "alice@example.com")
      }
    }
  }

  static let idTokenFaults: [(String, String)] = [
    ("issuer", "the token's claim \"iss\" is \"https://other.example\""), ("audience", "the token's claim \"aud\" is \"other\""),
    ("expired", "the token expired"), ("future", "the clocks differ"), ("unsigned", "the algorithm \"none\", which is not accepted"),
    ("key", "the signature of the token is wrong"), ("hash", "\"at_hash\""),
  ]

  @Test(arguments: idTokenFaults) func `an invalid ID token is refused with an error that names the reason`(fault: String, words: String)
    async throws
  {
    try await withProvider { provider in
      try await provider.control("id_token_fault=\(fault)")
      var configuration = provider.configuration(.password(user: "alice", password: "wonderland"))
      configuration.issuer = provider.url
      configuration.scope = ["openid"]
      do throws(OAuthError) {
        _ = try await provider.manager(configuration).token()
        Issue.record("accepted")
      } catch {
        guard case .idToken = error else {
          Issue.record("\(error)")
          return
        }
        #expect("\(error)".contains(words), "\(error)")
      }
    }
  }

  @Test func `an ID token is accepted if the clocks differ by less than the allowed skew`() async throws {
    try await withProvider { provider in
      var configuration = provider.configuration(.password(user: "alice", password: "wonderland"))
      configuration.issuer = provider.url
      configuration.scope = ["openid"]
      // The provider's tokens are valid for 600 s from now, but the client's clock is wrong.
      configuration.clockSkew = 6000
      provider.clock.advance(by: .seconds(3000))
      let tokens = try await provider.manager(configuration).token()
      #expect(tokens.claims?["sub"] == "alice")
      provider.clock.advance(by: .seconds(6000))
      await #expect(throws: OAuthError.self) { try await provider.manager(configuration).token() }
    }
  }

  @Test func `an authorization code is exchanged for tokens`() async throws {
    try await withProvider { provider in
      var configuration = provider.configuration(.authorizationCode(ScriptedUser(provider: provider)), client: "smoke", secret: nil)
      configuration.endpoints.token = nil
      configuration.issuer = provider.url
      configuration.scope = ["openid", "read"]
      let manager = provider.manager(configuration)
      let tokens = try await manager.token()
      #expect(tokens.claims?["sub"] == "alice")
      #expect(tokens.claims?["nonce"] != nil)
      #expect(tokens.scope == ["openid", "read"])
      #expect(try await provider.ask("GET", "/oauth/protected", bearer: tokens.accessToken)["user"] == "alice")
    }
  }

  static let callbacks: [(String, @Sendable (String) -> String, String)] = [
    ("state", { $0.replacing(#/state=[^&]*/#, with: "state=x") }, "its `state` differs from the `state` that was sent"),
    ("no state", { $0.replacing(#/&state=[^&]*/#, with: "") }, "it has no state"),
    ("issuer", { $0.replacing(#/iss=[^&]*/#, with: "iss=x") }, "it comes from the issuer x"),
    ("no issuer", { $0.replacing(#/&iss=[^&]*/#, with: "") }, "does not name its issuer"),
    ("place", { $0.replacing("/callback", with: "/other") }, "does not lead to"),
    ("twice", { $0 + "&code=x" }, "code is repeated"),
    ("no code", { $0.replacing(#/code=[^&]*&/#, with: "") }, "neither a code nor an error"),
    ("other code", { $0.replacing(#/code=[^&]*/#, with: "code=x") }, "invalid_grant"),
  ]

  @Test(arguments: callbacks) func `an OAuth redirect with a changed state, issuer, path or code is refused`(
    name: String, change: @escaping @Sendable (String) -> String, words: String
  ) async throws {
    try await withProvider { provider in
      var user = ScriptedUser(provider: provider)
      user.change = change
      var configuration = provider.configuration(.authorizationCode(user), client: "smoke", secret: nil)
      configuration.endpoints.token = nil
      configuration.issuer = provider.url
      await #expect { try await provider.manager(configuration).token() } throws: { "\($0)".contains(words) }
    }
  }

  @Test func `when the user denies the authorization, the token request fails`() async throws {
    try await withProvider { provider in
      var user = ScriptedUser(provider: provider)
      user.decision = "deny"
      var configuration = provider.configuration(.authorizationCode(user), client: "smoke", secret: nil)
      configuration.endpoints.authorization = "\(provider.url)/oauth/authorize"
      await #expect(
        throws: OAuthError.refused(
          OAuthRefusal(code: "access_denied", details: "the user has denied the request"), .authorization)
      ) { try await provider.manager(configuration).token() }
      user.redirect = "https://elsewhere.example/"
      configuration.grant = .authorizationCode(user)
      await #expect { try await provider.manager(configuration).token() } throws: { "\($0)".contains("answered 400") }
    }
  }

  @Test func `a device code is exchanged for tokens when the user allows access`() async throws {
    try await withProvider { provider in
      let shown = Collected<DeviceAuthorization>()
      var configuration = provider.configuration(
        .deviceCode { device in
          shown.add(device)
          _ = try? await provider.ask(
            "POST", "/oauth/device", form: "user_code=\(device.userCode)&username=alice&password=wonderland&decision=allow")
        }, client: "smoke", secret: nil)
      configuration.endpoints.deviceAuthorization = "\(provider.url)/oauth/device_authorization"
      let tokens = try await provider.manager(configuration).token()
      #expect(try await provider.ask("GET", "/oauth/protected", bearer: tokens.accessToken)["user"] == "alice")
      #expect(shown.all.first?.verificationURI == "\(provider.url)/oauth/device")
      #expect(provider.clock.waits == [.seconds(1)])
    }
  }

  @Test func `the device flow polls at the interval that the OAuth provider states`() async throws {
    try await withProvider { provider in
      try await provider.control("device_lifetime=6000&device_interval=100")
      var configuration = provider.configuration(.deviceCode { _ in }, client: "smoke", secret: nil)
      configuration.endpoints.deviceAuthorization = "\(provider.url)/oauth/device_authorization"
      // On a slow machine the provider may report the expiry first, since its clock keeps running.
      await #expect {
        try await provider.manager(configuration).token()
      } throws: {
        "\($0)" == "no user approved the device before its code expired" || "\($0)".contains("expired_token")
      }
      #expect(provider.clock.waits.count >= 20)
      #expect(provider.clock.waits.allSatisfy { $0 == .seconds(100) })
      #expect(try await provider.count("error slow_down") == 0)
      #expect(try await provider.count("error authorization_pending") >= 20)
    }
  }

  @Test func `after a JWT bearer grant or a token exchange, the new token belongs to the user of the submitted token`() async throws {
    try await withProvider { provider in
      let assertion = SignedAssertion(issuer: "signer", subject: "bob", key: try Provider.signerKey(), algorithm: .es256)
      let first = try await provider.manager(provider.configuration(.jwtBearer(.signed(assertion)))).token()
      #expect(try await provider.ask("GET", "/oauth/protected", bearer: first.accessToken)["user"] == "bob")
      var configuration = provider.configuration(.tokenExchange(TokenExchange(subjectToken: first.accessToken)))
      configuration.audience = ["books"]
      let second = try await provider.manager(configuration).token()
      #expect(try await provider.ask("GET", "/oauth/protected", bearer: second.accessToken)["user"] == "bob")
      #expect(first.accessToken != second.accessToken)
      configuration.audience = ["moon"]
      await #expect { try await provider.manager(configuration).token() } throws: { "\($0)".contains("invalid_target") }
    }
  }

  @Test func `a client secret that the OAuth provider has refused is not sent a second time`() async throws {
    try await withProvider { provider in
      let manager = provider.manager(provider.configuration(.clientCredentials, secret: "wrong"))
      do throws(OAuthError) {
        _ = try await manager.token()
        Issue.record("accepted")
      } catch {
        #expect(
          "\(error)"
            == "the token endpoint refused the request with `invalid_client`: the secret of the client service is wrong"
        )
      }
      // The provider has decided: repeating a wrong secret could lock the account.
      await #expect(throws: OAuthError.self) { try await manager.token() }
      let count = try await provider.count("token")
      #expect(count == 1)
    }
  }

  static let faults: [(String, String)] = [
    ("unavailable", "status 503 without an error code"), ("html", "a body of type text/html that is not a JSON object"),
    ("no_token", "it has no access_token"), ("reset", "the request to the token endpoint failed: "),
  ]

  @Test(arguments: faults) func `after an invalid response of the OAuth provider, the next request for a token contacts the provider again`(
    fault: String, words: String
  ) async throws {
    try await withProvider { provider in
      try await provider.control("fault=\(fault)")
      let manager = provider.manager(provider.configuration(.clientCredentials))
      await #expect { try await manager.token() } throws: { "\($0)".contains(words) }
      try await provider.control("fault=none")
      #expect(try await manager.token().accessToken.isEmpty == false, "it is asked again")
    }
  }

  @Test func `if the token endpoint refuses connections, the error says that the request failed`() async throws {
    try await withProvider { provider in
      var configuration = provider.configuration(.clientCredentials)
      configuration.endpoints.token = "http://127.0.0.1:1/token"
      do throws(OAuthError) {
        _ = try await provider.manager(configuration).token()
        Issue.record("accepted")
      } catch {
        #expect(error.isUnreachable)
        #expect("\(error)" == "the request to the token endpoint failed: connection refused by 127.0.0.1:1")
      }
      configuration.endpoints.token = nil
      await #expect(throws: OAuthError.self) { try await provider.manager(configuration).token() }
      configuration.issuer = provider.url + "/nobody"
      await #expect { try await provider.manager(configuration).token() } throws: { "\($0)".contains("status 404") }
      configuration.issuer = provider.url + "/"
      await #expect { try await provider.manager(configuration).token() } throws: { "\($0)".contains("expected \(provider.url)/") }
    }
  }
}
