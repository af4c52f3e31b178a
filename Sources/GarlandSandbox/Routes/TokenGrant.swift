import GarlandCrypto
import GarlandJSON

/// A request to the token endpoint, checked and then granted.
struct TokenGrant {
  /// The clients that are known, with the secrets of those that have one.
  static let clients: [String: String?] = ["smoke": nil, "service": "service-secret"]
  private static let scopes = ["read", "write", "admin"]
  private static let defaultScope = ["read", "write"]
  private static let longestExpiry = 10 * 365 * 86_400

  private let form: FormPairs
  private let client: String?
  private let expiresIn: Int

  init(_ request: SandboxRequest) throws(OAuthError) {
    guard let form = request.form else { throw OAuthError("invalid_request", "the body has to be application/x-www-form-urlencoded") }
    var seen: Set<String> = []
    for (name, _) in form.pairs where !seen.insert(name).inserted { throw OAuthError("invalid_request", "\(name) is repeated") }
    self.form = form
    client = try Self.authenticate(request, form)
    let expiry = form["expires_in"] ?? request.query["expires_in"] ?? "3600"
    guard let seconds = Int(expiry), (0...Self.longestExpiry).contains(seconds) else {
      throw OAuthError("invalid_request", "expires_in has to be a number of seconds")
    }
    expiresIn = seconds
  }

  func issue(_ tenant: inout TenantState) throws(OAuthError) -> SandboxResponse {
    switch form["grant_type"] {
    case "password"?:
      guard let user = form["username"], let password = form["password"] else {
        throw OAuthError("invalid_request", "username and password are needed")
      }
      guard Users.accepts(user, password) else { throw OAuthError("invalid_grant", "no user has this name and password") }
      return try tokens(user: user, scope: scope(within: Self.scopes), family: nil, refreshes: true, &tenant)
    case "client_credentials"?:
      guard let client, Self.clients[client, default: nil] != nil else {
        throw OAuthError("unauthorized_client", "only a client with a secret may have a token of its own")
      }
      return try tokens(user: nil, scope: scope(within: Self.scopes), family: nil, refreshes: false, &tenant)
    case "refresh_token"?:
      guard let token = form["refresh_token"] else { throw OAuthError("invalid_request", "refresh_token is needed") }
      guard let refresh = tenant.tokens.take(token) else {
        throw OAuthError("invalid_grant", "the refresh token is unknown, used or revoked")
      }
      guard refresh.client == client else {
        tenant.tokens.restore(token)
        throw OAuthError("invalid_grant", "the refresh token belongs to another client")
      }
      let granted: [String]
      do throws(OAuthError) {
        granted = form["scope"] == nil ? refresh.scope : try scope(within: refresh.scope)
      } catch {
        tenant.tokens.restore(token)
        throw error
      }
      return try tokens(user: refresh.user, scope: granted, family: refresh.family, refreshes: true, &tenant)
    case nil: throw OAuthError("invalid_request", "grant_type is needed")
    case let type?: throw OAuthError("unsupported_grant_type", "the grant \(type) is not offered")
    }
  }

  private func tokens(
    user: String?, scope: [String], family: Int?, refreshes: Bool, _ tenant: inout TenantState
  ) throws(OAuthError) -> SandboxResponse {
    let family = family ?? tenant.tokens.newFamily()
    let access = tenant.secret("access")
    var object: JSONObject = [
      "access_token": .string(access), "token_type": "Bearer", "expires_in": JSONValue(expiresIn),
      "scope": .string(scope.joined(separator: " ")),
    ]
    do throws(Refusal) {
      try tenant.tokens.add(
        access, TokenStore.Access(client: client, user: user, scope: scope, expires: tenant.now + .seconds(expiresIn), family: family))
      if refreshes, let user {
        let refresh = tenant.secret("refresh")
        try tenant.tokens.add(refresh, TokenStore.Refresh(client: client, user: user, scope: scope, family: family))
        object["refresh_token"] = .string(refresh)
      }
    } catch {
      throw OAuthError("invalid_request", "too many tokens have been issued")
    }
    return .json(.object(object), headers: [HeaderField("Cache-Control", "no-store"), HeaderField("Pragma", "no-cache")])
  }

  private func scope(within allowed: [String]) throws(OAuthError) -> [String] {
    guard let text = form["scope"] else { return Self.defaultScope }
    let names = text.split(separator: " ").map { String($0) }
    for name in names where !allowed.contains(name) { throw OAuthError("invalid_scope", "the scope \(name) is not offered") }
    return names
  }

  /// RFC 6749 section 2.3: one method only. Nobody has to name a client for a grant that shows a user's password.
  private static func authenticate(_ request: SandboxRequest, _ form: FormPairs) throws(OAuthError) -> String? {
    var id = form["client_id"]
    var secret = form["client_secret"]
    var challenge: String?
    if request.headers.contains("Authorization") {
      guard let (user, password) = AuthRoutes.basicCredentials(request) else {
        throw OAuthError("invalid_client", "the Authorization field is not valid", challenge: "Basic")
      }
      guard secret == nil else { throw OAuthError("invalid_request", "the client authenticates in two ways") }
      // Both are urlencoded before they are joined.
      id = PercentCoding.decode(user, plusIsSpace: true)
      secret = PercentCoding.decode(password, plusIsSpace: true)
      challenge = "Basic"
    }
    guard let id else {
      guard secret == nil else { throw OAuthError("invalid_client", "client_id is needed with a secret") }
      return nil
    }
    guard let expected = clients[id] else { throw OAuthError("invalid_client", "the client \(id) is not known", challenge: challenge) }
    guard constantTimeEqual((expected ?? "").utf8, (secret ?? "").utf8) else {
      throw OAuthError("invalid_client", "the secret of the client \(id) is wrong", challenge: challenge)
    }
    return id
  }
}
