import GarlandAuth
import GarlandCrypto
import GarlandJSON
import GarlandNetworking
import TestSupport
import Testing

/// Tests providers that break the RFCs, by mistake or on purpose.
@Suite(.timeLimit(.minutes(15))) struct HostileProviderTests {
  static func message(_ manager: TokenManager) async -> String {
    do throws(OAuthError) {
      return "accepted: \(try await manager.token().accessToken)"
    } catch {
      return "\(error)"
    }
  }

  // MARK: Numbers

  @Test(arguments: ["1e300", "-5", "\"7\"", "null", "99999999999999999999"])
  func `for any polling interval from the OAuth provider, the device flow waits between zero seconds and one day`(interval: String)
    async throws
  {
    let provider = try CannedProvider { path, _, before in
      if path == "/device" {
        return .init(
          #"{"device_code":"device-secret","user_code":"U","verification_uri":"http://v","expires_in":1e300,"interval":\#(interval)}"#)
      }
      // With a day between two polls there is no second one.
      let isPatient = interval.count > 4 || before > 0
      return !isPatient ? .init(#"{"error":"authorization_pending"}"#, status: 400) : .init(#"{"access_token":"access-1"}"#)
    }
    #expect(await Self.message(provider.manager(provider.configuration(.deviceCode { _ in }))) == "accepted: access-1")
    #expect(provider.secrets.all.contains("device-secret"))
    #expect(provider.clock.waits.allSatisfy { $0 >= .zero && $0 <= .seconds(86_400) })
  }

  @Test func `a token response whose expires_in is negative or not a number is refused`() async throws {
    let provider = try CannedProvider { _, _, _ in .init(#"{"access_token":"access-1","token_type":"bearer","expires_in":1e300}"#) }
    #expect(try await provider.manager(provider.configuration(.clientCredentials)).token().expiresAt ?? 0 > 1e299)
    for (text, isGood) in [("\"60\"", true), ("-1", false), ("\"soon\"", false), ("[]", false), ("null", true)] {
      let provider = try CannedProvider { _, _, _ in .init(#"{"access_token":"access-1","expires_in":\#(text)}"#) }
      let message = await Self.message(provider.manager(provider.configuration(.clientCredentials)))
      #expect(
        isGood ? message == "accepted: access-1" : message.contains("its expires_in is not a number of seconds"), "\(text): \(message)")
    }
  }

  // MARK: Output

  @Test func `control characters in the text of an OAuth provider's error are not shown`() async throws {
    let escape = #"\u001b[2J\u0007\r\n\u202e"#
    let provider = try CannedProvider { path, _, _ in
      path == "/device"
        ? .init(
          #"{"device_code":"d","user_code":"U\#(escape)","verification_uri":"http://v/\#(escape)","verification_uri_complete":"http://v/\#(escape)","expires_in":60}"#
        ) : .init(#"{"error":"invalid_client","error_description":"no\#(escape)","error_uri":"http://p/\#(escape)"}"#, status: 400)
    }
    func isPlain(_ text: String) -> Bool { !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E } }
    let shown = Collected<DeviceAuthorization>()
    let message = await Self.message(provider.manager(provider.configuration(.deviceCode { shown.add($0) })))
    #expect(message.contains("invalid_client") && isPlain(message))
    let device = try #require(shown.all.first)
    #expect(isPlain(device.userCode + device.verificationURI + (device.completeURI ?? "")))
    let user = CannedUser(answer: "http://127.0.0.1:4711/callback?state=STATE&error=access_denied&error_description=%1B%5B2J%0A%0D")
    let callback = await Self.message(provider.manager(provider.configuration(.authorizationCode(user))))
    #expect(callback.contains("access_denied") && isPlain(callback))
  }

  /// The error message may show the response, so its secrets must be registered before.
  @Test func `if a response of the OAuth provider is invalid, the tokens in it are still masked as secrets`() async throws {
    let bodies = [
      #"{"refresh_token":"refresh-1","id_token":"id-1"}"#,
      #"{"error":"invalid_grant","access_token":"access-1","refresh_token":"refresh-1"}"#,
      #"{"access_token":"access-1","refresh_token":"refresh-1","token_type":"mac"}"#,
      #"{"access_token":"other","access_token":"access-2","refresh_token":"refresh-1"}"#,
      #"{"access_token":"access-1","refresh_token":"refresh-1","expires_in":"x"}"#,
    ]
    for body in bodies {
      for status in [200, 400] {
        let provider = try CannedProvider { _, _, _ in .init(body, status: status) }
        let message = await Self.message(provider.manager(provider.configuration(.clientCredentials)))
        #expect(!message.contains("accepted"))
        #expect(provider.secrets.all.contains("refresh-1"), "\(body)")
        for token in ["access-1", "access-2", "id-1"] where body.contains(token) {
          #expect(provider.secrets.all.contains(token), "\(body)")
        }
      }
    }
  }

  @Test func `if the redirect at the end of a login is refused, the authorization code in the redirect is masked as a secret`() async throws
  {
    let provider = try CannedProvider { _, _, _ in .init("{}") }
    for answer in ["http://127.0.0.1:4711/callback?code=stolen-code&state=x", "http://127.0.0.1:4711/other?state=STATE&code=stolen-code"] {
      let user = CannedUser(answer: answer)
      let message = await Self.message(provider.manager(provider.configuration(.authorizationCode(user))))
      #expect(message.contains("the redirect from the authorization endpoint is not valid"))
      #expect(provider.secrets.all.contains("stolen-code"))
    }
  }

  /// The base64 in the Authorization field is that of the encoded secret (RFC 6749 section 2.3.1).
  @Test func `the percent-encoded form of an OAuth client secret is registered as a secret for masking`() async throws {
    let provider = try CannedProvider { _, _, _ in .init(#"{"access_token":"access-1"}"#) }
    let configuration = provider.configuration(.clientCredentials) { $0.authentication = .basic(secret: "a b+c/d=ü") }
    #expect(await Self.message(provider.manager(configuration)) == "accepted: access-1")
    #expect(provider.secrets.all.contains("a%20b%2Bc%2Fd%3D%C3%BC"))
  }

  // MARK: Where users are sent, and from where they come

  @Test(arguments: ["file:///etc/passwd", "vscode://x/y", "javascript:alert(1)", "/authorize", "http://id.example/authorize#x", "-x"])
  func `the browser opens an authorization endpoint only if the endpoint is an http or https URL without a fragment`(endpoint: String)
    async throws
  {
    let provider = try CannedProvider { _, _, _ in .init("{}") }
    let opened = Collected<String>()
    let configuration = provider.configuration(.authorizationCode(LoopbackAgent { opened.add($0) })) {
      $0.endpoints.authorization = endpoint
    }
    #expect(await Self.message(provider.manager(configuration)).contains("is not an absolute http or https URL without a fragment"))
    #expect(opened.all.isEmpty)
  }

  /// A mix-up attack (RFC 9207 section 2.4): an issuer in the response is checked even if the metadata did not
  /// announce the parameter.
  @Test func `an authorization response is refused if its issuer is not the configured issuer`() async throws {
    let provider = try CannedProvider { path, _, _ in .init(path == "/token" ? #"{"access_token":"access-1"}"# : #"{"issuer":"PROVIDER"}"#)
    }
    for (answer, words) in [
      ("code=c-code", "accepted: access-1"), ("code=c-code&iss=\(provider.url)", "accepted: access-1"),
      ("code=c-code&iss=https://evil.example", "it comes from the issuer https://evil.example, expected \(provider.url)"),
      ("error=access_denied&iss=https://evil.example", "it comes from the issuer https://evil.example"),
    ] {
      let user = CannedUser(answer: "http://127.0.0.1:4711/callback?state=STATE&\(answer)")
      let configuration = provider.configuration(.authorizationCode(user)) { $0.issuer = provider.url }
      let message = await Self.message(provider.manager(configuration))
      #expect(message.contains(words), "\(answer): \(message)")
    }
  }

  @Test func `an OAuth redirect to a URL other than the redirect_uri is refused`() async throws {
    let provider = try CannedProvider { _, _, _ in .init(#"{"access_token":"access-1"}"#) }
    for (answer, isGood) in [
      ("http://127.0.0.1:4711/callback?tenant=a&state=STATE&code=c-code", true),
      ("http://127.0.0.1:4711/callback?state=STATE&code=c-code", false),
      ("http://127.0.0.1:4711/callback?tenant=b&state=STATE&code=c-code", false),
      ("http://127.0.0.1:4712/callback?tenant=a&state=STATE&code=c-code", false),
      ("http://127.0.0.1:4711/Callback?tenant=a&state=STATE&code=c-code", false),
      ("https://127.0.0.1:4711/callback?tenant=a&state=STATE&code=c-code", false),
    ] {
      let user = CannedUser(redirect: "http://127.0.0.1:4711/callback?tenant=a", answer: answer)
      let message = await Self.message(provider.manager(provider.configuration(.authorizationCode(user))))
      #expect(isGood == (message == "accepted: access-1"), "\(answer): \(message)")
      if !isGood { #expect(message.contains("it does not lead to")) }
    }
  }

  // MARK: Refreshing

  static func signed(_ claims: JSONObject, _ key: JSONWebKey) throws -> String {
    try JSONWebToken(signing: claims, algorithm: .es256, key: key).compact
  }

  /// The rule is that of OpenID Connect Core section 12.2.
  @Test func `a refreshed ID token is refused if its subject differs from that of the first ID token`() async throws {
    let key = JSONWebKey(.privateKey(try PrivateKey.generate(.ellipticCurve(.p256))), keyID: "k1")
    let keys = try JSONWebKeySet([key]).published().jsonText()
    let now = Int(AuthEnvironment.systemTime())
    let provider = try CannedProvider { path, form, before in
      guard path == "/token" else { return .init(keys) }
      let sub = form.contains("refresh_token") && before > 1 ? "mallory" : "alice"
      let claims: JSONObject = [
        "iss": "https://id.example", "sub": .string(sub), "aud": "client", "iat": JSONValue(now), "exp": JSONValue(now + 36_000),
      ]
      return .init(
        #"{"access_token":"access-\#(before)","refresh_token":"refresh-\#(before)","expires_in":10,"id_token":"\#((try? Self.signed(claims, key)) ?? "")"}"#
      )
    }
    let manager = provider.manager(
      provider.configuration(.password(user: "alice", password: "x")) {
        $0.issuer = "https://id.example"
        $0.endpoints.keys = "\(provider.url)/jwks"
      })
    #expect(await Self.message(manager) == "accepted: access-0")
    provider.clock.advance(by: .seconds(20))
    #expect(await Self.message(manager) == "accepted: access-1")
    provider.clock.advance(by: .seconds(20))
    #expect(
      await Self.message(manager) == "the ID token is not valid: the token's claim \"sub\" is \"mallory\", expected \"alice\"")
    #expect(provider.requests.all.count { $0.path == "/jwks" } == 1)
  }

  /// The provider signed this token for another purpose (RFC 9068 section 5).
  @Test(arguments: [("JWT", true), ("at+jwt", false), ("application/at+JWT", false)])
  func `an access token in place of an ID token is refused`(type: String, isGood: Bool) async throws {
    let key = JSONWebKey(.privateKey(try PrivateKey.generate(.ellipticCurve(.p256))), keyID: "k1")
    let keys = try JSONWebKeySet([key]).published().jsonText()
    let now = Int(AuthEnvironment.systemTime())
    let claims: JSONObject = [
      "iss": "https://id.example", "sub": "alice", "aud": "client", "iat": JSONValue(now), "exp": JSONValue(now + 36_000),
    ]
    let token = try JSONWebToken(signing: claims, algorithm: .es256, key: key, type: type).compact
    let provider = try CannedProvider { path, _, _ in
      path == "/token" ? .init(#"{"access_token":"access-1","id_token":"\#(token)"}"#) : .init(keys)
    }
    let manager = provider.manager(
      provider.configuration(.clientCredentials) {
        $0.issuer = "https://id.example"
        $0.endpoints.keys = "\(provider.url)/jwks"
      })
    let message = await Self.message(manager)
    #expect(isGood ? message == "accepted: access-1" : message.contains("it is an access token"), "\(message)")
  }

  /// For an unknown key, the provider's keys are fetched once more, in case the provider has changed them, but
  /// not more often.
  @Test(arguments: [true, false])
  func `if an ID token is signed with an unknown key, the OAuth provider's keys are fetched exactly once more`(
    appears: Bool
  )
    async throws
  {
    let first = JSONWebKey(.privateKey(try PrivateKey.generate(.ellipticCurve(.p256))), keyID: "k1")
    let second = JSONWebKey(.privateKey(try PrivateKey.generate(.ellipticCurve(.p256))), keyID: "k2")
    let old = try JSONWebKeySet([first]).published().jsonText()
    let new = try JSONWebKeySet([first, second]).published().jsonText()
    let now = Int(AuthEnvironment.systemTime())
    let claims: JSONObject = [
      "iss": "https://id.example", "sub": "alice", "aud": "client", "iat": JSONValue(now), "exp": JSONValue(now + 36_000),
    ]
    let provider = try CannedProvider { path, _, before in
      guard path == "/token" else { return .init(appears && before > 0 ? new : old) }
      let token = (try? Self.signed(claims, before == 0 ? first : second)) ?? ""
      return .init(#"{"access_token":"access-\#(before)","expires_in":10,"id_token":"\#(token)"}"#)
    }
    let manager = provider.manager(
      provider.configuration(.password(user: "alice", password: "x")) {
        $0.issuer = "https://id.example"
        $0.endpoints.keys = "\(provider.url)/jwks"
      })
    #expect(await Self.message(manager) == "accepted: access-0")
    provider.clock.advance(by: .seconds(20))
    let message = await Self.message(manager)
    #expect(
      appears ? message == "accepted: access-1" : message.contains("was signed by a key \"k2\" (ES256), which the issuer has not published")
    )
    #expect(provider.requests.all.count { $0.path == "/jwks" } == 2)
  }

  @Test func `an ID token is refused if the JSON Web Key of its signature is meant for another use or algorithm`() async throws {
    let key = JSONWebKey(.privateKey(try PrivateKey.generate(.ellipticCurve(.p256))), keyID: "k1")
    let now = Int(AuthEnvironment.systemTime())
    let claims: JSONObject = [
      "iss": "https://id.example", "sub": "alice", "aud": "client", "iat": JSONValue(now), "exp": JSONValue(now + 36_000),
    ]
    let token = try Self.signed(claims, key)
    for (change, isGood) in [
      (["use": "sig"], true), (["use": "enc"], false), (["alg": "ES256"], true), (["alg": "ES384"], false), (["kid": "other"], false),
      (["key_ops": ["verify"]], true), (["key_ops": ["encrypt", "wrapKey"]], false),
    ] as [(JSONObject, Bool)] {
      var object = try #require(key.publicKey).json()
      for (name, value) in change { object[name] = value }
      let set = JSONValue.object(["keys": .array([.object(object)])]).jsonText()
      let provider = try CannedProvider { path, _, _ in
        path == "/token" ? .init(#"{"access_token":"access-1","id_token":"\#(token)"}"#) : .init(set)
      }
      let message = await Self.message(
        provider.manager(
          provider.configuration(.password(user: "alice", password: "x")) {
            $0.issuer = "https://id.example"
            $0.endpoints.keys = "\(provider.url)/jwks"
          }))
      #expect(isGood == (message == "accepted: access-1"), "\(change): \(message)")
    }
  }

  /// Waiting requests do not contact a provider again that has refused the client.
  @Test func `a token refresh that the OAuth provider refuses permanently is not retried`() async throws {
    let provider = try CannedProvider { _, form, _ in
      form.contains("grant_type=refresh_token")
        ? .init(#"{"error":"invalid_client"}"#, status: 401)
        : .init(#"{"access_token":"access-1","refresh_token":"refresh-1","expires_in":10}"#)
    }
    let manager = provider.manager(provider.configuration(.password(user: "alice", password: "x")))
    #expect(await Self.message(manager) == "accepted: access-1")
    provider.clock.advance(by: .seconds(20))
    for _ in 0..<3 { #expect(await Self.message(manager).contains("invalid_client")) }
    #expect(provider.requests.all.count == 2)
  }

  /// The audience of an assertion is the token endpoint, also at the device authorization endpoint.
  @Test func `the audience of a client assertion in the device flow is the token endpoint`() async throws {
    let provider = try CannedProvider { path, _, _ in
      path == "/device"
        ? .init(#"{"device_code":"d-code","user_code":"U","verification_uri":"http://v","expires_in":60,"interval":0}"#)
        : .init(#"{"access_token":"access-1"}"#)
    }
    let configuration = provider.configuration(.deviceCode { _ in }) {
      $0.authentication = .secretJWT(secret: "this-secret-has-more-than-32-bytes", algorithm: .hs256)
    }
    #expect(await Self.message(provider.manager(configuration)) == "accepted: access-1")
    for request in provider.requests.all {
      let text = try #require(request.form.split(separator: "client_assertion=").last?.prefix { $0 != "&" })
      #expect(try JSONWebToken(text).audience == ["\(provider.url)/token"])
    }
  }

  /// RFC 7009: the refresh token is revoked first, and both requests authenticate the client.
  /// Missing endpoints and refusals are reported.
  @Test func `the error for a failed token revocation says that the revocation endpoint refused the request`() async throws {
    for (status, answer) in [(200, ""), (503, #"{"error":"temporarily_unavailable"}"#), (400, #"{"error":"unsupported_token_type"}"#)] {
      let provider = try CannedProvider { path, _, _ in
        switch path {
        case "/token": .init(#"{"access_token":"access-1","refresh_token":"refresh-1"}"#)
        case "/revoke": .init(answer, status: status)
        default: .init(#"{"issuer":"PROVIDER","token_endpoint":"PROVIDER/token","revocation_endpoint":"PROVIDER/revoke"}"#)
        }
      }
      let configuration = provider.configuration(.password(user: "alice", password: "x")) {
        $0.issuer = provider.url
        $0.authentication = .post(secret: "client-secret")
      }
      let manager = provider.manager(configuration)
      let tokens = try await manager.token()
      do throws(OAuthError) {
        #expect(try await manager.revoke(tokens))
        #expect(status == 200)
      } catch {
        #expect(status != 200 && "\(error)".contains("the revocation endpoint refused the request with `"), "\(error)")
      }
      let forms = provider.requests.all.filter { $0.path == "/revoke" }.map(\.form)
      #expect(forms.first == "token=refresh-1&token_type_hint=refresh_token&client_id=client&client_secret=client-secret")
      #expect(forms.count == (status == 200 ? 2 : 1))
    }
    // The provider has no revocation endpoint.
    let provider = try CannedProvider { _, _, _ in .init(#"{"access_token":"access-1"}"#) }
    let manager = provider.manager(provider.configuration(.clientCredentials))
    #expect(try await !manager.revoke(try await manager.token()))
  }
}
