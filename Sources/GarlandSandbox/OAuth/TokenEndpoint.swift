import GarlandJSON

/// Handles a request to the token endpoint: checks it, and then issues tokens.
struct TokenEndpoint {
  static let scopes = ["openid", "profile", "email", "offline_access", "read", "write", "admin"]
  static let defaultScope = ["read", "write"]
  private static let longestExpiry = 10 * 365 * 86_400
  private static let repeatable: Set<String> = ["audience", "resource"]

  /// The properties of the tokens to issue, such as their user and scope.
  struct Grant {
    var user: String?
    var scope: [String]
    var audience: [String] = []
    var actor: String?
    var family: Int?
    /// Whether a refresh token is issued in addition to the access token.
    var refreshes: Bool
    var nonce: String?
    var authenticated: Int?
  }

  let form: FormPairs
  let client: OAuthClient?
  let request: SandboxRequest
  private let expiresIn: Int

  init(_ request: SandboxRequest, _ tenant: inout TenantState) throws(OAuthError) {
    guard let form = request.form else { throw OAuthError("invalid_request", "the body has to be application/x-www-form-urlencoded") }
    var seen: Set<String> = []
    for (name, _) in form.pairs where !Self.repeatable.contains(name) && !seen.insert(name).inserted {
      throw OAuthError("invalid_request", "\(name) is repeated")
    }
    self.form = form
    self.request = request
    client = try ClientAuthentication.client(of: request, form, &tenant)
    let expiry = form["expires_in"] ?? request.query["expires_in"] ?? "\(tenant.provider.settings.expiresIn)"
    guard let seconds = Int(expiry), (0...Self.longestExpiry).contains(seconds) else {
      throw OAuthError("invalid_request", "expires_in has to be a number of seconds")
    }
    expiresIn = seconds
  }

  /// Issues the tokens for the grant of the request, and returns the response. The client of the request, if there is one, was already
  /// authenticated when this object was created. Throws if the grant is invalid or not allowed.
  func issue(_ tenant: inout TenantState) throws(OAuthError) -> SandboxResponse {
    guard let type = form["grant_type"] else { throw OAuthError("invalid_request", "grant_type is needed") }
    tenant.provider.count("token \(type)")
    switch type {
    case "password": return try tokens(password(), &tenant)
    case "client_credentials": return try tokens(clientCredentials(), &tenant)
    case "refresh_token": return try refresh(&tenant)
    case "authorization_code": return try redeem(&tenant)
    case GrantType.device: return try poll(&tenant)
    case GrantType.jwtBearer: return try tokens(assertion(&tenant), &tenant)
    case GrantType.tokenExchange:
      return try tokens(exchange(tenant), &tenant, extra: ["issued_token_type": "urn:ietf:params:oauth:token-type:access_token"])
    default: throw OAuthError("unsupported_grant_type", "the grant \(type) is not offered")
    }
  }

  private func password() throws(OAuthError) -> Grant {
    // A grant with a user's password needs no client.
    if client != nil { try allow("password") }
    guard let user = form["username"], let password = form["password"] else {
      throw OAuthError("invalid_request", "username and password are needed")
    }
    guard Users.accepts(user, password) else { throw OAuthError("invalid_grant", "no user has this name and password") }
    return Grant(user: user, scope: try Self.scope(form["scope"], within: Self.scopes), audience: try Self.audience(form), refreshes: true)
  }

  private func clientCredentials() throws(OAuthError) -> Grant {
    guard let client, client.authentication != [.none] else {
      throw OAuthError("unauthorized_client", "only a client with a secret may have a token of its own")
    }
    try allow("client_credentials")
    let scope = try Self.scope(form["scope"], within: ["read", "write", "admin"])
    return Grant(scope: scope, audience: try Self.audience(form), refreshes: false)
  }

  private func refresh(_ tenant: inout TenantState) throws(OAuthError) -> SandboxResponse {
    if client != nil { try allow("refresh_token") }
    guard let token = form["refresh_token"] else { throw OAuthError("invalid_request", "refresh_token is needed") }
    guard let refresh = tenant.tokens.take(token) else {
      throw OAuthError("invalid_grant", "the refresh token is unknown, used or revoked")
    }
    do throws(OAuthError) {
      guard refresh.client == client?.id else { throw OAuthError("invalid_grant", "the refresh token belongs to another client") }
      let scope = form["scope"] == nil ? refresh.scope : try Self.scope(form["scope"], within: refresh.scope)
      var grant = Grant(user: refresh.user, scope: scope, audience: refresh.audience, family: refresh.family, refreshes: true)
      if tenant.provider.settings.rotates { return try tokens(grant, &tenant) }
      grant.refreshes = false
      let answer = try tokens(grant, &tenant)
      tenant.tokens.reuse(token)
      return answer
    } catch {
      tenant.tokens.restore(token)
      throw error
    }
  }

  /// Issues the tokens of a grant (RFC 6749 section 5.1).
  func tokens(_ grant: Grant, _ tenant: inout TenantState, extra: JSONObject = [:]) throws(OAuthError) -> SandboxResponse {
    if let user = grant.user { tenant.provider.count("token \(form["grant_type"] ?? "") for \(user)") }
    let family = grant.family ?? tenant.tokens.newFamily()
    let access = tenant.secret("access")
    var object: JSONObject = [
      "access_token": .string(access), "token_type": "Bearer", "expires_in": JSONValue(expiresIn),
      "scope": .string(grant.scope.joined(separator: " ")),
    ]
    for (name, value) in extra { object[name] = value }
    do throws(Refusal) {
      var token = TokenStore.Access(
        client: client?.id, user: grant.user, scope: grant.scope, expires: tenant.now + .seconds(expiresIn), family: family)
      token.audience = grant.audience
      token.actor = grant.actor
      try tenant.tokens.add(access, token)
      if grant.refreshes, let user = grant.user {
        let refresh = tenant.secret("refresh")
        var token = TokenStore.Refresh(client: client?.id, user: user, scope: grant.scope, family: family)
        token.audience = grant.audience
        try tenant.tokens.add(refresh, token)
        object["refresh_token"] = .string(refresh)
      }
    } catch {
      throw OAuthError("invalid_request", "too many tokens have been issued")
    }
    if grant.scope.contains("openid"), let user = grant.user {
      let token = IDToken(
        issuer: request.origin, user: user, client: client?.id ?? "", nonce: grant.nonce, authenticated: grant.authenticated, access: access
      )
      object["id_token"] = .string(try token.signed(tenant))
    }
    return .json(.object(object), headers: [HeaderField("Cache-Control", "no-store"), HeaderField("Pragma", "no-cache")])
  }

  /// Throws an error if the client is not registered for a grant.
  func allow(_ grant: String) throws(OAuthError) {
    guard let client else { throw OAuthError("invalid_client", "the client has to be named") }
    guard client.grants.contains(grant) else {
      throw OAuthError("unauthorized_client", "the client \(client.id) may not use the grant \(grant)")
    }
  }

  static func scope(_ text: String?, within allowed: [String]) throws(OAuthError) -> [String] {
    guard let text else { return defaultScope }
    let names = text.split(separator: " ").map { String($0) }
    for name in names where !allowed.contains(name) { throw OAuthError("invalid_scope", "the scope \(name) is not offered") }
    return names
  }

  /// Returns the audience that the request demands for the token: the values of the parameters `audience` and `resource`. Throws if the
  /// sandbox does not know a value of `audience`. Also throws if a value of `resource` is not an HTTP URI, or has a fragment (RFC 8707,
  /// section 2).
  static func audience(_ form: FormPairs) throws(OAuthError) -> [String] {
    for name in form.all("audience") where !["books", "orders"].contains(name) {
      throw OAuthError("invalid_target", "the audience \(name) is not known; there are books and orders")
    }
    for uri in form.all("resource") where !(uri.hasPrefix("http://") || uri.hasPrefix("https://")) || uri.contains("#") {
      throw OAuthError("invalid_target", "the resource \(uri) is no absolute URI without a fragment")
    }
    return form.all("audience") + form.all("resource")
  }
}
