import GarlandAuth
import GarlandCrypto
import GarlandJSON
import GarlandNetworking
import TestSupport
import Testing

/// Tests the failures of each flow and their messages. Golden files contain the results.
@Suite(.timeLimit(.minutes(15))) struct FlowErrorTests {
  /// A failure, described by the settings of the provider and of the client, and by changes of the requests on
  /// the way.
  struct Scenario: Sendable {
    let title: String
    var control = ""
    var times = 1
    var change: @Sendable (String) -> String = { $0 }
    /// The error of the client's clock, in seconds.
    var skew = 0.0
    let configuration: @Sendable (Provider) async throws -> OAuthConfiguration

    init(
      _ title: String, control: String = "", times: Int = 1, skew: Double = 0, change: @escaping @Sendable (String) -> String = { $0 },
      _ configuration: @escaping @Sendable (Provider) async throws -> OAuthConfiguration
    ) {
      self.title = title
      self.control = control
      self.times = times
      self.skew = skew
      self.change = change
      self.configuration = configuration
    }
  }

  static func message(_ scenario: Scenario) async throws -> String {
    var message = ""
    try await withProvider { provider in
      if !scenario.control.isEmpty { try await provider.control(scenario.control) }
      let configuration = try await scenario.configuration(provider)
      var environment = provider.environment
      environment.now = { AuthEnvironment.systemTime() + provider.clock.ahead + scenario.skew }
      let transport = TamperingTransport(
        inner: SessionTransport(provider.session), times: scenario.times, change: scenario.change)
      do throws(OAuthError) {
        let tokens = try await TokenManager(configuration, transport: transport, environment: environment).token()
        message = "accepted: \(tokens)"
      } catch {
        message = "\(error)"
      }
      for secret in provider.secrets.all { message = message.replacing(secret, with: "SECRET") }
      message = message.replacing(provider.url, with: "http://PROVIDER").replacing(#/\b\d{2,} s\b/#, with: "N s")
        .replacing(#/"[A-Za-z0-9_\-]{22}"/#, with: "\"RANDOM\"")
    }
    return message
  }

  static func text(_ scenarios: [Scenario]) async throws -> String {
    // Each scenario has its own provider, so that they run concurrently.
    let messages = try await withThrowingTaskGroup(of: (Int, String).self) { group in
      for (index, scenario) in scenarios.enumerated() { group.addTask { (index, try await message(scenario)) } }
      return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
    }
    return scenarios.enumerated().map { "\($0.element.title):\n    \(messages[$0.offset] ?? "")\n" }.joined()
  }

  // MARK: Errors of all flows

  static func client(_ id: String, _ way: OAuthClientAuthentication) -> @Sendable (Provider) async throws -> OAuthConfiguration {
    { provider in
      var configuration = provider.configuration(.clientCredentials, client: id, secret: nil)
      configuration.authentication = way
      return configuration
    }
  }

  static func service(_ grant: OAuthGrant = .clientCredentials, _ change: @escaping @Sendable (inout OAuthConfiguration) -> Void = { _ in })
    -> @Sendable (Provider) async throws -> OAuthConfiguration
  {
    { provider in
      var configuration = provider.configuration(grant)
      change(&configuration)
      return configuration
    }
  }

  static func otherKey() async throws -> JSONWebKey {
    let result = try await ChildProcess.run(
      "/usr/bin/openssl", ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:prime256v1"])
    return JSONWebKey(.privateKey(try PrivateKey(pem: result.output)))
  }

  @Test func `for each way in which an OAuth client fails to authenticate, the error message matches the golden file`() async throws {
    let other = try await Self.otherKey()
    let own = try Provider.signerKey()
    let text = try await Self.text([
      Scenario("client_secret_basic, wrong secret", Self.client("service", .basic(secret: "wrong"))),
      Scenario("client_secret_post, wrong secret", Self.client("service", .post(secret: "wrong"))),
      Scenario(
        "client_secret_jwt, wrong secret",
        Self.client("hmac", .secretJWT(secret: "another-secret-of-more-than-32-bytes", algorithm: .hs256))),
      Scenario("private_key_jwt, wrong key", Self.client("signer", .privateKeyJWT(key: other, algorithm: .es256))),
      Scenario(
        "private_key_jwt, our clock an hour behind", skew: -3600, Self.client("signer", .privateKeyJWT(key: own, algorithm: .es256))),
      Scenario("private_key_jwt, our clock an hour ahead", skew: 3600, Self.client("signer", .privateKeyJWT(key: own, algorithm: .es256))),
      Scenario("private_key_jwt, sent twice", times: 2, Self.client("signer", .privateKeyJWT(key: own, algorithm: .es256))),
      Scenario("a client that nobody knows", Self.client("stranger", .basic(secret: "x"))),
      Scenario("a client that authenticates otherwise", Self.client("signer", .basic(secret: "x"))),
      Scenario("a client without a secret", Self.client("smoke", .none)),
      Scenario("a key that fits no algorithm", Self.client("signer", .privateKeyJWT(key: own, algorithm: .rs256))),
    ])
    expectGolden(text, "clients.txt")
  }

  @Test func `each OAuth grant that is refused gives the error message in the golden file`() async throws {
    let own = try Provider.signerKey()
    let other = try await Self.otherKey()
    func bearer(_ subject: String, key: JSONWebKey, audience: String? = nil) -> OAuthGrant {
      .jwtBearer(.signed(SignedAssertion(issuer: "signer", subject: subject, audience: audience, key: key, algorithm: .es256)))
    }
    func exchange(_ change: @escaping @Sendable (inout OAuthConfiguration) -> Void, after query: String = "")
      -> @Sendable (Provider)
      async throws -> OAuthConfiguration
    {
      { provider in
        let first = try await provider.manager(provider.configuration(.password(user: "alice", password: "wonderland"))).token()
        if !query.isEmpty { _ = try await provider.ask("POST", query) }
        var configuration = provider.configuration(.tokenExchange(TokenExchange(subjectToken: first.accessToken)))
        change(&configuration)
        return configuration
      }
    }
    let text = try await Self.text([
      Scenario("client_credentials, wrong audience", Self.service { $0.audience = ["moon"] }),
      Scenario("client_credentials, wrong resource", Self.service { $0.resource = ["moon#1"] }),
      Scenario("client_credentials, a scope that is not offered", Self.service { $0.scope = ["read", "moon"] }),
      Scenario("password, wrong password", Self.service(.password(user: "alice", password: "x"))),
      Scenario("password, nobody of that name", Self.service(.password(user: "mallory", password: "x"))),
      Scenario("refresh_token, unknown", Self.service(.refreshToken("unknown"))),
      Scenario(
        "refresh_token, used before",
        { provider in
          let first = try await provider.manager(provider.configuration(.password(user: "alice", password: "wonderland"))).token()
          let refresh = try #require(first.refreshToken)
          _ = try await provider.manager(provider.configuration(.refreshToken(refresh))).token()
          return provider.configuration(.refreshToken(refresh))
        }),
      Scenario("jwt_bearer, wrong key", Self.service(bearer("alice", key: other))),
      Scenario("jwt_bearer, wrong audience", Self.service(bearer("alice", key: own, audience: "https://other.example"))),
      Scenario("jwt_bearer, nobody of that name", Self.service(bearer("mallory", key: own))),
      Scenario("jwt_bearer, sent twice", times: 2, Self.service(bearer("alice", key: own))),
      Scenario("jwt_bearer, our clock an hour behind", skew: -3600, Self.service(bearer("alice", key: own))),
      Scenario("jwt_bearer, our clock an hour ahead", skew: 3600, Self.service(bearer("alice", key: own))),
      Scenario("jwt_bearer, no JWT", Self.service(.jwtBearer(.text("none")))),
      Scenario("token_exchange, a token that nobody knows", Self.service(.tokenExchange(TokenExchange(subjectToken: "unknown")))),
      Scenario("token_exchange, an expired token", exchange({ _ in }, after: "/_sandbox/clock?advance=3601")),
      Scenario("token_exchange, a revoked token", exchange({ _ in }, after: "/_sandbox/oauth?revoke=all")),
      Scenario("token_exchange, wrong audience", exchange { $0.audience = ["moon"] }),
      Scenario("token_exchange, more than there was", exchange { $0.scope = ["admin"] }),
    ])
    expectGolden(text, "grants.txt")
  }

  static func code(
    _ change: @escaping @Sendable (inout OAuthConfiguration, inout ScriptedUser) -> Void = { _, _ in }
  ) -> @Sendable (Provider) async throws -> OAuthConfiguration {
    { provider in
      var user = ScriptedUser(provider: provider)
      var configuration = provider.configuration(.clientCredentials, client: "smoke", secret: nil)
      configuration.endpoints.token = nil
      configuration.issuer = provider.url
      configuration.scope = ["openid", "read"]
      change(&configuration, &user)
      configuration.grant = .authorizationCode(user)
      return configuration
    }
  }

  @Test func `each failed authorization code flow gives the error message in the golden file`() async throws {
    let text = try await Self.text([
      Scenario("an expired code", control: "code_lifetime=0", Self.code()),
      Scenario("a replayed code", times: 2, Self.code()),
      Scenario("another code", change: { $0.replacing(#/&code=[^&]*/#, with: "&code=x") }, Self.code()),
      Scenario(
        "a wrong verifier", change: { $0.replacing(#/code_verifier=[^&]*/#, with: "code_verifier=\(String(repeating: "x", count: 43))") },
        Self.code()),
      Scenario("no verifier", change: { $0.replacing(#/&code_verifier=[^&]*/#, with: "") }, Self.code()),
      Scenario("another redirect_uri", change: { $0.replacing("4711", with: "4712") }, Self.code()),
      Scenario(
        "another client", change: { $0.replacing("client_id=smoke", with: "client_id=service&client_secret=service-secret") }, Self.code()),
      Scenario(
        "a wrong secret",
        Self.code { configuration, user in
          configuration.clientID = "web"
          configuration.authentication = .basic(secret: "wrong")
          user.redirect = "https://app.example/callback"
        }),
      Scenario("a wrong state", control: "redirect_fault=state", Self.code()),
      Scenario("no state", control: "redirect_fault=no_state", Self.code()),
      Scenario("from another issuer", control: "redirect_fault=issuer", Self.code()),
      Scenario("the user says no", Self.code { $1.decision = "deny" }),
      Scenario("a redirect_uri that is not registered", Self.code { $1.redirect = "https://elsewhere.example/callback" }),
      Scenario("a scope that is not offered", Self.code { configuration, _ in configuration.scope = ["moon"] }),
      Scenario("a wrong audience", Self.code { configuration, _ in configuration.audience = ["moon"] }),
      Scenario("no client", Self.code { configuration, _ in configuration.clientID = nil }),
    ])
    expectGolden(text, "authorization-codes.txt")
  }

  static func device(
    _ decision: String?, client: String = "smoke", _ change: @escaping @Sendable (inout OAuthConfiguration) -> Void = { _ in }
  ) -> @Sendable (Provider) async throws -> OAuthConfiguration {
    { provider in
      var configuration = provider.configuration(
        .deviceCode { device in
          guard let decision else { return }
          _ = try? await provider.ask(
            "POST", "/oauth/device", form: "user_code=\(device.userCode)&username=alice&password=wonderland&decision=\(decision)")
        }, client: client, secret: nil)
      configuration.endpoints.deviceAuthorization = "\(provider.url)/oauth/device_authorization"
      change(&configuration)
      return configuration
    }
  }

  @Test func `each failed device flow gives the error message in the golden file`() async throws {
    let text = try await Self.text([
      Scenario("the user says no", Self.device("deny")),
      Scenario("nobody comes", control: "device_lifetime=600&device_interval=400", Self.device(nil)),
      Scenario("an expired code", control: "device_lifetime=0&device_interval=0", Self.device("allow")),
      Scenario("a replayed code", times: 2, Self.device("allow")),
      Scenario("another code", change: { $0.replacing(#/device_code=[^&]*/#, with: "device_code=x") }, Self.device("allow")),
      Scenario("a client that may not", Self.device("allow", client: "service") { $0.authentication = .basic(secret: "service-secret") }),
      Scenario("a client that nobody knows", Self.device("allow", client: "stranger")),
    ])
    expectGolden(text, "devices.txt")
  }

  @Test func `each failure of the OAuth provider gives the error message in the golden file`() async throws {
    let down = "http://127.0.0.1:1"
    let text = try await Self.text([
      Scenario("down: token endpoint", Self.service { $0.endpoints.token = "\(down)/token" }),
      Scenario(
        "down: metadata",
        Self.service {
          $0.endpoints.token = nil
          $0.issuer = down
        }),
      Scenario("down: device authorization endpoint", Self.device("allow") { $0.endpoints.deviceAuthorization = "\(down)/device" }),
      Scenario("down: refresh", Self.service(.refreshToken("x")) { $0.endpoints.token = "\(down)/token" }),
      Scenario("down: token endpoint after the code", Self.code { configuration, _ in configuration.endpoints.token = "\(down)/token" }),
      Scenario("down: keys", Self.code { configuration, _ in configuration.endpoints.keys = "\(down)/jwks" }),
      Scenario("being repaired", control: "fault=unavailable", Self.service()),
      Scenario("a page instead of a token", control: "fault=html", Self.service()),
      Scenario("an answer without a token", control: "fault=no_token", Self.service()),
      Scenario("a connection that breaks off", control: "fault=reset", Self.service()),
      Scenario(
        "no metadata",
        Self.service {
          $0.issuer = ($0.endpoints.token ?? "").replacing("/oauth/token", with: "/nobody")
          $0.endpoints.token = nil
        }),
      Scenario(
        "the metadata of another",
        Self.service {
          $0.issuer = ($0.endpoints.token ?? "").replacing("oauth/token", with: "")
          $0.endpoints.token = nil
        }),
      Scenario("no endpoint and no issuer", Self.service { $0.endpoints.token = nil }),
    ])
    expectGolden(text, "providers.txt")
  }

  @Test func `each invalid ID token gives the error message in the golden file`() async throws {
    var scenarios: [Scenario] = []
    for algorithm in ["RS256", "PS256", "ES256", "EdDSA"] {
      for fault in ["signature", "key", "issuer", "audience", "nonce", "expired", "future", "hash", "unsigned"] {
        scenarios.append(Scenario("\(algorithm), \(fault)", control: "id_token_alg=\(algorithm)&id_token_fault=\(fault)", Self.code()))
      }
    }
    scenarios.append(Scenario("our clock 700 s ahead", skew: 700, Self.code()))
    scenarios.append(Scenario("our clock 100 s behind", skew: -100, Self.code()))
    scenarios.append(Scenario("our clock 50 s behind", skew: -50, Self.code()))
    expectGolden(try await Self.text(scenarios), "id-tokens.txt")
  }
}
