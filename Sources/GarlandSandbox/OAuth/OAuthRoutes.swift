import GarlandJSON

/// The routes of an OAuth 2 token endpoint (RFC 6749), and of a resource that requires its tokens.
enum OAuthRoutes {
  static let routes = [
    Route(
      "POST", "/oauth/token",
      "All grants of RFC 6749, 7523, 8628 and 8693; clients smoke (public), service, web, hmac, signer, certified; ?expires_in=SECONDS",
      stateful: token),
    Route("GET", "/oauth/protected", "Wants an access token that was issued here and has not expired; ?scope=NAME", stateful: protected),
  ]

  /// Handles requests to the token endpoint, with the errors of RFC 6749, section 5.2.
  static let token: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    tenant.provider.count("token")
    let pause = Duration.nanoseconds(Int64(tenant.provider.settings.delay * 1e9))
    switch tenant.provider.settings.nextFault() {
    case .none: break
    case .unavailable: throw Refusal(503, "the provider is being repaired")
    case .html: return .text("<!DOCTYPE html><p>Welcome to the guest network", type: "text/html")
    case .noToken: return .json(["token_type": "Bearer"])
    case .reset: return .raw([.reset])
    }
    do throws(OAuthError) {
      var answer = try TokenEndpoint(request, &tenant).issue(&tenant)
      answer.delay = pause
      return answer
    } catch {
      tenant.provider.count("error \(error.code)")
      var answer = error.response
      answer.delay = pause
      throw Refusal(answer)
    }
  }

  static let protected: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    let access = try authorize(request, tenant)
    if let scope = request.query["scope"], !access.scope.contains(scope) {
      throw Refusal(
        403, "the token has no scope \(scope)",
        headers: [HeaderField("WWW-Authenticate", "Bearer realm=\"sandbox\", error=\"insufficient_scope\", scope=\"\(scope)\"")])
    }
    let left = (access.expires - tenant.now).components.seconds
    return .json([
      "authorized": true, "user": JSONValue(access.user), "client": JSONValue(access.client),
      "scope": .string(access.scope.joined(separator: " ")), "expires_in": JSONValue(Int(left)),
    ])
  }

  /// Returns the access token of a request. Throws if the request has no token, or a token that this server did not issue.
  static func authorize(_ request: SandboxRequest, _ tenant: TenantState, realm: String = "sandbox") throws(Refusal) -> TokenStore.Access {
    guard let token = AuthRoutes.bearerToken(request) else { throw AuthRoutes.unauthorized(realm: realm) }
    switch tenant.tokens.check(token, now: tenant.now) {
    case .valid(let access): return access
    case .expired: throw AuthRoutes.unauthorized("the access token has expired", realm: realm)
    case .unknown: throw AuthRoutes.unauthorized("the access token is not known here", realm: realm)
    }
  }
}
