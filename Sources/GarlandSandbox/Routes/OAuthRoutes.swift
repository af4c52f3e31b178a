import GarlandCrypto
import GarlandJSON

/// An OAuth 2 token endpoint (RFC 6749) and a resource that its tokens open.
enum OAuthRoutes {
  static let routes = [
    Route(
      "POST", "/oauth/token",
      "Grants password, client_credentials, refresh_token; clients smoke (public) and service/service-secret; ?expires_in=SECONDS",
      stateful: token),
    Route("GET", "/oauth/protected", "Wants an access token that was issued here and has not expired; ?scope=NAME", stateful: protected),
  ]

  /// RFC 6749 section 5.2: what the token endpoint says no with.
  static let token: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    do throws(OAuthError) {
      return try TokenGrant(request).issue(&tenant)
    } catch {
      throw Refusal(error.response)
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

  /// The token of a request, if it is one that was issued here.
  static func authorize(_ request: SandboxRequest, _ tenant: TenantState, realm: String = "sandbox") throws(Refusal) -> TokenStore.Access {
    guard let token = AuthRoutes.bearerToken(request) else { throw AuthRoutes.unauthorized(realm: realm) }
    switch tenant.tokens.check(token, now: tenant.now) {
    case .valid(let access): return access
    case .expired: throw AuthRoutes.unauthorized("the access token has expired", realm: realm)
    case .unknown: throw AuthRoutes.unauthorized("the access token is not known here", realm: realm)
    }
  }
}
