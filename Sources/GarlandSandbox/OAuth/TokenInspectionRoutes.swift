import GarlandJSON

/// The routes for introspection, user information and revocation of tokens.
enum TokenInspectionRoutes {
  static let routes = [
    Route("POST", "/oauth/introspect", "Whether a token is active, and its user (RFC 7662)", stateful: introspect),
    Route("POST", "/oauth/revoke", "Revokes a token of the client's own (RFC 7009)", stateful: revoke),
    Route("GET POST", "/oauth/userinfo", "The claims of the user; needs a token with the scope openid", stateful: userinfo),
  ]

  static let introspect: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    let (_, text) = try token(request, &tenant)
    if case .valid(let access) = tenant.tokens.check(text, now: tenant.now) {
      var object: JSONObject = [
        "active": true, "token_type": "Bearer", "scope": .string(access.scope.joined(separator: " ")),
        "client_id": JSONValue(access.client), "iss": .string(request.origin),
        "exp": JSONValue(tenant.date + Int((access.expires - tenant.now).components.seconds)),
      ]
      if let user = access.user {
        object["sub"] = .string(user)
        object["username"] = .string(user)
      }
      if !access.audience.isEmpty { object["aud"] = JSONValue(access.audience) }
      if let actor = access.actor { object["act"] = ["sub": .string(actor)] }
      return .json(.object(object))
    }
    guard let refresh = tenant.tokens.refreshToken(text) else { return .json(["active": false]) }
    return .json([
      "active": true, "scope": .string(refresh.scope.joined(separator: " ")), "client_id": JSONValue(refresh.client),
      "sub": .string(refresh.user), "iss": .string(request.origin),
    ])
  }

  static let revoke: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    let (client, text) = try token(request, &tenant)
    if case .valid(let access) = tenant.tokens.check(text, now: tenant.now) {
      guard access.client == client.id else {
        throw Refusal(OAuthError("unauthorized_client", "the token belongs to another client").response)
      }
      tenant.tokens.revoke(text)
    } else if let refresh = tenant.tokens.refreshToken(text), refresh.client == client.id {
      tenant.tokens.revoke(family: refresh.family)
    }
    tenant.provider.count("revoke")
    // An unknown token counts as revoked (RFC 7009 section 2.2).
    return SandboxResponse(200)
  }

  static let userinfo: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    let access = try OAuthRoutes.authorize(request, tenant)
    guard access.scope.contains("openid"), let user = access.user else {
      throw Refusal(
        403, "the token has no scope openid",
        headers: [HeaderField("WWW-Authenticate", "Bearer realm=\"sandbox\", error=\"insufficient_scope\", scope=\"openid\"")])
    }
    return .json(["sub": .string(user), "preferred_username": .string(user), "email": .string("\(user)@example.com")])
  }

  private static func token(
    _ request: SandboxRequest, _ tenant: inout TenantState
  ) throws(Refusal) -> (client: OAuthClient, token: String) {
    do throws(OAuthError) {
      guard let form = request.form, let token = form["token"] else { throw OAuthError("invalid_request", "token is needed") }
      guard let client = try ClientAuthentication.client(of: request, form, &tenant) else {
        throw OAuthError("invalid_client", "the client has to authenticate")
      }
      return (client, token)
    } catch {
      tenant.provider.count("error \(error.code)")
      throw Refusal(error.response)
    }
  }
}
