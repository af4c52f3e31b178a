import GarlandAuth
import GarlandNetworking
import TestSupport
import Testing

/// Tests every error code of a provider in every flow: the message, and whether the provider is asked again.
/// Golden files contain the results.
@Suite(.timeLimit(.minutes(15))) struct ErrorCodeTests {
  /// The codes of RFC 6749 section 5.2, RFC 8628 section 3.5 and RFC 8707 section 2, and server
  /// errors.
  static let codes: [(code: String, status: Int)] = [
    ("invalid_request", 400), ("invalid_client", 401), ("invalid_grant", 400), ("unauthorized_client", 400),
    ("unsupported_grant_type", 400),
    ("invalid_scope", 400), ("invalid_target", 400), ("access_denied", 403), ("authorization_pending", 400), ("slow_down", 400),
    ("expired_token", 400), ("slow_down", 429), ("server_error", 500), ("temporarily_unavailable", 503), ("made_up", 400),
  ]

  /// The codes of RFC 6749 section 4.1.2.1, OpenID Connect Core section 3.1.2.6 and RFC 8707
  /// section 2.
  static let redirectCodes = [
    "invalid_request", "unauthorized_client", "access_denied", "unsupported_response_type", "invalid_scope", "server_error",
    "temporarily_unavailable", "interaction_required", "login_required", "account_selection_required", "consent_required",
    "invalid_request_uri", "invalid_request_object", "request_not_supported", "request_uri_not_supported", "registration_not_supported",
    "unmet_authentication_requirements", "invalid_target", "made_up",
  ]

  static let flows: [(name: String, endpoint: String, grant: @Sendable () throws -> OAuthGrant)] = [
    ("client_credentials", "/token", { .clientCredentials }), ("password", "/token", { .password(user: "alice", password: "x") }),
    ("refresh_token", "/token", { .refreshToken("refresh-0") }),
    ("authorization_code", "/token", { .authorizationCode(CannedUser(answer: "http://127.0.0.1:4711/callback?state=STATE&code=c-code")) }),
    ("device_code, at its beginning", "/device", { .deviceCode { _ in } }),
    ("device_code, while it waits", "/token", { .deviceCode { _ in } }),
    (
      "jwt_bearer", "/token",
      { .jwtBearer(.signed(SignedAssertion(issuer: "i", subject: "s", key: try Provider.signerKey(), algorithm: .es256))) }
    ), ("token_exchange", "/token", { .tokenExchange(TokenExchange(subjectToken: "subject-0")) }),
  ]

  static func message(_ manager: TokenManager) async -> String {
    do throws(OAuthError) {
      return "a token: \(try await manager.token().accessToken)"
    } catch {
      return "\(error)"
    }
  }

  /// Returns the error message of a first request, and whether a second request is sent to the provider.
  static func outcome(_ endpoint: String, _ grant: OAuthGrant, _ code: String, _ status: Int) async throws -> String {
    let provider = try CannedProvider { path, _, _ in
      if path == endpoint { return .init(#"{"error":"\#(code)","error_description":"a description"}"#, status: status) }
      return .init(#"{"device_code":"d-code","user_code":"U","verification_uri":"http://v","expires_in":60,"interval":20}"#)
    }
    let manager = provider.manager(provider.configuration(grant))
    let first = await message(manager)
    let asked = provider.requests.all.count
    _ = await message(manager)
    return "  \(code) (\(status)): \(first)\n    \(provider.requests.all.count == asked ? "not asked again" : "asked again")\n"
  }

  @Test func `each OAuth error code in a token response gives the error message in the golden file`() async throws {
    var text = ""
    for flow in Self.flows {
      text += "\(flow.name)\n"
      for (code, status) in Self.codes { text += try await Self.outcome(flow.endpoint, try flow.grant(), code, status) }
    }
    expectGolden(text, "error-codes.txt")
  }

  @Test func `each OAuth error code in a redirect gives the error message in the golden file`() async throws {
    var text = ""
    let provider = try CannedProvider { _, _, _ in .init("{}") }
    for code in Self.redirectCodes {
      let user = CannedUser(answer: "http://127.0.0.1:4711/callback?state=STATE&error=\(code)&error_description=a+description")
      text += "\(code): \(await Self.message(provider.manager(provider.configuration(.authorizationCode(user)))))\n"
    }
    expectGolden(text, "redirect-error-codes.txt")
  }

  /// After an invalid refresh token, the client uses the grant once. After any other error of a refresh, it
  /// does not.
  @Test func `only the error for an invalid refresh token makes the client repeat the original grant`() async throws {
    var text = ""
    for (code, status) in Self.codes {
      let provider = try CannedProvider { _, form, before in
        form.contains("grant_type=refresh_token")
          ? .init(#"{"error":"\#(code)","error_description":"a description"}"#, status: status)
          : .init(#"{"access_token":"access-\#(before)","refresh_token":"refresh-1","expires_in":10}"#)
      }
      let manager = provider.manager(provider.configuration(.password(user: "alice", password: "x")))
      _ = await Self.message(manager)
      provider.clock.advance(by: .seconds(20))
      let message = await Self.message(manager)
      let grants = provider.requests.all.map { $0.form.split(separator: "&").first.map(String.init) ?? "" }
      text += "\(code) (\(status)): \(message)\n    \(grants.joined(separator: ", "))\n"
    }
    expectGolden(text, "refresh-error-codes.txt")
  }
}
