import GarlandCrypto

/// Handles the grants in which a client exchanges a credential for tokens: an authorization code, a device code, an assertion, or another
/// token.
extension TokenEndpoint {
  /// Exchanges an authorization code for tokens (RFC 6749, section 4.1.3; RFC 7636, section 4.6).
  func redeem(_ tenant: inout TenantState) throws(OAuthError) -> SandboxResponse {
    try allow("authorization_code")
    guard let text = form["code"], let redirect = form["redirect_uri"], let verifier = form["code_verifier"] else {
      throw OAuthError("invalid_request", "code, redirect_uri and code_verifier are needed")
    }
    guard let code = tenant.provider.codes[text] else { throw OAuthError("invalid_grant", "the code is not known") }
    if let family = code.family {
      // The code was stolen: its tokens are revoked (RFC 6749 section 4.1.2).
      tenant.tokens.revoke(family: family)
      throw OAuthError("invalid_grant", "the code was used before")
    }
    guard code.client == client?.id else { throw OAuthError("invalid_grant", "the code belongs to another client") }
    guard code.expires > tenant.now else { throw OAuthError("invalid_grant", "the code has expired") }
    guard code.redirect == redirect else { throw OAuthError("invalid_grant", "redirect_uri is another than that of the authorization") }
    guard let proof = ProofKey(verifier: verifier), (try? proof.matches(challenge: code.challenge)) == true else {
      throw OAuthError("invalid_grant", "code_verifier does not match code_challenge")
    }
    let family = tenant.tokens.newFamily()
    tenant.provider.use(code: text, family: family)
    return try tokens(
      Grant(
        user: code.user, scope: code.scope, audience: code.audience, family: family, refreshes: true, nonce: code.nonce,
        authenticated: code.authenticated), &tenant)
  }

  /// Responds to a device that asks whether the user has approved it (RFC 8628, section 3.5).
  func poll(_ tenant: inout TenantState) throws(OAuthError) -> SandboxResponse {
    try allow(GrantType.device)
    guard let code = form["device_code"] else { throw OAuthError("invalid_request", "device_code is needed") }
    guard let device = tenant.provider.devices[code], device.client == client?.id else {
      throw OAuthError("invalid_grant", "the device_code is not known")
    }
    guard device.expires > tenant.now else { throw OAuthError("expired_token", "the device_code has expired") }
    let now = tenant.now
    let isEarly = device.lastPoll.map { now - $0 < .seconds(device.interval) } ?? false
    tenant.provider.update(device: code) { device in
      device.lastPoll = now
      if isEarly { device.interval += 5 }
    }
    if isEarly { throw OAuthError("slow_down", "the device asks too often: 5 seconds more between two questions") }
    switch device.decision {
    case .pending: throw OAuthError("authorization_pending", "no user has approved the device yet")
    case .denied: throw OAuthError("access_denied", "the user does not let the device in")
    case .allowed(let user):
      tenant.provider.finish(device: code)
      return try tokens(Grant(user: user, scope: device.scope, refreshes: true), &tenant)
    }
  }

  /// Returns the grant for an assertion of a trusted issuer (RFC 7523, section 2.1).
  func assertion(_ tenant: inout TenantState) throws(OAuthError) -> Grant {
    try allow(GrantType.jwtBearer)
    guard let text = form["assertion"] else { throw OAuthError("invalid_request", "assertion is needed") }
    let token: JSONWebToken
    do throws(TokenError) {
      token = try JSONWebToken(text)
    } catch {
      throw OAuthError("invalid_grant", "assertion: \(error)")
    }
    guard let issuer = token.issuer, let pem = OAuthClient.named(issuer)?.key, let key = try? PublicKey(pem: pem) else {
      throw OAuthError("invalid_grant", "assertion: its issuer is not trusted")
    }
    if let problem = AssertionCheck(request, tenant).problem(with: token, key: JSONWebKey(.publicKey(key)), &tenant) {
      throw OAuthError("invalid_grant", "assertion: \(problem)")
    }
    guard let user = token.subject, Users.passwords[user] != nil else {
      throw OAuthError("invalid_grant", "assertion: its subject is not known")
    }
    return Grant(
      user: user, scope: try Self.scope(form["scope"], within: Self.scopes), audience: try Self.audience(form), refreshes: false)
  }

  /// Returns the grant for the exchange of a token (RFC 8693).
  func exchange(_ tenant: TenantState) throws(OAuthError) -> Grant {
    try allow(GrantType.tokenExchange)
    let subject = try token("subject", tenant)
    let actor = form["actor_token"] == nil ? nil : try token("actor", tenant)
    if form["actor_token"] == nil, form["actor_token_type"] != nil {
      throw OAuthError("invalid_request", "actor_token_type goes with actor_token")
    }
    let wanted = form["requested_token_type"] ?? Self.accessTokenType
    guard wanted == Self.accessTokenType else { throw OAuthError("invalid_request", "tokens of type \(wanted) are not offered") }
    let scope = form["scope"] == nil ? subject.scope : try Self.scope(form["scope"], within: subject.scope)
    return Grant(
      user: subject.user, scope: scope, audience: try Self.audience(form), actor: actor.map { $0.user ?? $0.client ?? "" },
      family: subject.family, refreshes: false)
  }

  private static let accessTokenType = "urn:ietf:params:oauth:token-type:access_token"

  private func token(_ role: String, _ tenant: TenantState) throws(OAuthError) -> TokenStore.Access {
    guard let text = form["\(role)_token"], let type = form["\(role)_token_type"] else {
      throw OAuthError("invalid_request", "\(role)_token and \(role)_token_type are needed")
    }
    guard type == Self.accessTokenType else { throw OAuthError("invalid_request", "the \(role)_token of type \(type) is not accepted") }
    guard case .valid(let access) = tenant.tokens.check(text, now: tenant.now) else {
      throw OAuthError("invalid_request", "the \(role)_token is not valid")
    }
    return access
  }
}
