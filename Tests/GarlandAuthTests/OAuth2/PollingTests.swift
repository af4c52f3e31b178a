import GarlandJSON
import GarlandNetworking
import Testing

@testable import GarlandAuth

@Suite struct PollingTests {
  static func device(_ interval: JSONValue? = 2) throws -> DeviceAuthorization {
    var object: JSONObject = ["device_code": "d", "user_code": "u", "verification_uri": "https://v", "expires_in": 100]
    object["interval"] = interval
    return try DeviceAuthorization(object)
  }

  static func refused(_ code: String) -> OAuthError { .refused(OAuthRefusal(code: code, status: 400), .token) }

  @Test func `the polling interval of the device flow grows after slow_down and after a timeout`() throws {
    var polling = DevicePolling(try Self.device(), now: 0)
    #expect(polling.interval == 2)
    #expect(polling.next(after: Self.refused("authorization_pending"), now: 2) == .wait(.seconds(2)))
    #expect(polling.next(after: Self.refused("slow_down"), now: 4) == .wait(.seconds(7)))
    #expect(polling.next(after: Self.refused("slow_down"), now: 11) == .wait(.seconds(12)))
    let timeout = OAuthError.transport(
      .timeout(.init(limit: .idle, phase: .awaitingResponse, duration: .seconds(1))), .token, isUnreachable: false)
    #expect(polling.next(after: timeout, now: 23) == .wait(.seconds(24)))
    #expect(polling.next(after: Self.refused("access_denied"), now: 47) == .fail(Self.refused("access_denied")))
    guard case .fail(.timeUp) = polling.next(after: Self.refused("authorization_pending"), now: 77) else {
      Issue.record("it asks after the end")
      return
    }
    #expect(try DevicePolling(Self.device(nil), now: 0).interval == 5, "RFC 8628 section 3.2")
    #expect(throws: OAuthError.self) { try DeviceAuthorization(["device_code": "d"]) }
  }

  @Test func `if the time limit of a device login is shorter than the lifetime of the device code, polling ends at the time limit`() throws
  {
    var polling = DevicePolling(try Self.device(5), patience: .seconds(8), now: 0)
    #expect(polling.interval == 5)
    #expect(polling.next(after: Self.refused("authorization_pending"), now: 5) == .wait(.seconds(3)))
    #expect(
      polling.next(after: Self.refused("authorization_pending"), now: 8)
        == .fail(.timeUp("no user approved the device within the time limit")))
    #expect(try DevicePolling(Self.device(5), patience: .seconds(3), now: 0).interval == 3)
    #expect(try DevicePolling(Self.device(5), patience: .seconds(300), now: 0).interval == 5, "its code is good for 100 s")
  }

  @Test func `if an OAuth provider sends no description of an error, the message explains the standard error code`() {
    #expect("\(OAuthRefusal(code: "invalid_scope"))" == "`invalid_scope` (the scope is invalid, unknown, or more than what was granted)")
    #expect("\(OAuthRefusal(code: "invalid_scope", details: "no moon"))" == "`invalid_scope`: no moon")
    #expect("\(OAuthRefusal(code: "odd", details: "x", page: "https://p"))" == "`odd`: x; see https://p")
    #expect("\(OAuthError.configuration("x y"))" == "x y")
  }

  @Test func `the metadata URLs of an issuer are those of OpenID Connect Discovery and RFC 8414`() throws {
    #expect(
      try ProviderMetadata.locations(of: "https://id.example/a/b") == [
        "https://id.example/a/b/.well-known/openid-configuration", "https://id.example/.well-known/oauth-authorization-server/a/b",
      ])
    #expect(throws: OAuthError.self) { try ProviderMetadata.locations(of: "id.example") }
    #expect(throws: OAuthError.self) { try ProviderMetadata.locations(of: "https://id.example/?x") }
  }

  @Test func `the endpoints for clients with certificates are read from mtls_endpoint_aliases in the metadata of the OAuth provider`()
    throws
  {
    let metadata = try ProviderMetadata(
      [
        "issuer": "https://id.example", "token_endpoint": "https://id.example/token", "jwks_uri": "https://id.example/jwks",
        "mtls_endpoint_aliases": ["token_endpoint": "https://mtls.id.example/token"],
      ], issuer: "https://id.example")
    #expect(metadata.endpoints.token == "https://id.example/token")
    #expect(metadata.certificateEndpoints == .init(token: "https://mtls.id.example/token"))
  }

  @Test
  func `an access token is stale in the last 30 s or the last tenth of its lifetime, whichever is shorter`() {
    var tokens = TokenSet(accessToken: "a", obtainedAt: 1000)
    #expect(!tokens.isStale(at: 1e9, skew: 30), "it ends when a server says so")
    tokens.expiresAt = 1600
    #expect(!tokens.isStale(at: 1569, skew: 30))
    #expect(tokens.isStale(at: 1570, skew: 30))
    tokens.expiresAt = 1010
    #expect(!tokens.isStale(at: 1008, skew: 30), "a tenth of its life")
    #expect(tokens.isStale(at: 1009, skew: 30))
    #expect(!"\(tokens)".contains("a\""))
  }
}
