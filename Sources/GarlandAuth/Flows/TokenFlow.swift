import GarlandCrypto
import GarlandJSON
import GarlandTransfer
import HTTPTypes

/// Obtains tokens for a configuration. Sends as many requests to the provider as the grant needs.
struct TokenFlow: Sendable {
  let configuration: OAuthConfiguration
  let transport: any AuthTransport
  let environment: AuthEnvironment
  let directory: ProviderDirectory

  /// Obtains new tokens with the configured grant.
  func fetch() async throws(OAuthError) -> TokenSet {
    switch configuration.grant {
    case .clientCredentials: return try await ask([])
    case .password(let user, let password): return try await ask([("username", user), ("password", password)])
    case .refreshToken(let token): return try await refresh(TokenSet(refreshing: token))
    case .jwtBearer(let assertion):
      switch assertion {
      case .text(let text): return try await ask([("assertion", text)])
      case .signed(let signed):
        return try await ask([("assertion", try signed.token(endpoint: try await endpoint({ $0.token }, .token), environment))])
      }
    case .tokenExchange(let exchange): return try await ask(exchange.fields)
    case .tokenExchangeOf(let subject, let actor):
      let (token, type) = try await subject.current()
      var exchange = TokenExchange(subjectToken: token, subjectTokenType: type)
      if let actor {
        let acting = try await actor.current()
        exchange.actorToken = acting.token
        exchange.actorTokenType = acting.type
      }
      return try await ask(exchange.fields)
    case .authorizationCode(let agent): return try await redeem(agent)
    case .deviceCode(let show): return try await poll(show)
    }
  }

  /// Obtains new tokens with a refresh token. Values that the provider does not send again are copied from
  /// `old`.
  func refresh(_ old: TokenSet) async throws(OAuthError) -> TokenSet {
    guard let token = old.refreshToken else { throw .configuration("there is no refresh token") }
    let request = try OAuthTokenRequest.refresh(token, endpoint: try await endpoint({ $0.token }, .token), configuration, environment)
    var tokens = try await tokens(for: request, requested: old.scope, nonce: nil)
    if tokens.refreshToken == nil { tokens.refreshToken = token }
    if tokens.idToken == nil {
      tokens.idToken = old.idToken
      tokens.claims = old.claims
    } else if let claims = tokens.claims, let known = old.claims?["sub"], claims["sub"] != known {
      // The new ID token must be for the same user as the old ID token (OpenID Connect Core section 12.2).
      throw .idToken(.wrong(claim: "sub", found: claims["sub"]?.jsonText() ?? "null", expected: known.jsonText()))
    }
    return tokens
  }

  /// Revokes tokens at the provider (RFC 7009), the refresh token first. Revokes nothing and returns false if no issuer is configured, or
  /// if the provider's metadata contains no revocation endpoint.
  func revoke(_ tokens: TokenSet) async throws(OAuthError) -> Bool {
    var byCertificate = false
    if case .certificate = configuration.authentication { byCertificate = true }
    guard let metadata = try await directory.metadata(if: configuration.issuer),
      let url = metadata.revocationEndpoint(byCertificate: byCertificate)
    else { return false }
    let tokenEndpoint = try await endpoint({ $0.token }, .token)
    let all: [(hint: String, token: String?)] = [("refresh_token", tokens.refreshToken), ("access_token", tokens.accessToken)]
    for (hint, token) in all {
      guard let token else { continue }
      var request = OAuthFormRequest(url: url, fields: [("token", token), ("token_type_hint", hint)])
      try configuration.authentication.apply(to: &request, clientID: configuration.clientID, tokenEndpoint: tokenEndpoint, environment)
      let answer = try await directory.send(request.transfer, for: .revocation, .revocation)
      // The response to an unknown token is a success too (RFC 7009 section 2.2).
      if !(200...299).contains(answer.status.code) { _ = try OAuthAnswer.object(answer, of: .revocation, environment) }
    }
    return true
  }

  private func ask(_ fields: [(String, String)]) async throws(OAuthError) -> TokenSet {
    let request = try OAuthTokenRequest.make(
      configuration.grant.name, fields, endpoint: try await endpoint({ $0.token }, .token), configuration, environment)
    return try await tokens(for: request, requested: configuration.scope, nonce: nil)
  }

  private func redeem(_ agent: any AuthorizationAgent) async throws(OAuthError) -> TokenSet {
    let endpoint = try await endpoint({ $0.authorization }, .authorization)
    let tokenEndpoint = try await self.endpoint({ $0.token }, .token)
    let metadata = try await directory.metadata(if: configuration.issuer)
    let request = try AuthorizationRequest(
      endpoint: endpoint, redirectURI: try await agent.redirectURI(), configuration, requiresIssuer: metadata?.namesItself ?? false,
      isShown: agent.showsRequest, environment)
    let redirect = try await agent.authorize(request)
    for secret in AuthorizationRequest.secrets(of: redirect) { environment.registerSecret(secret) }
    let code = try request.code(from: redirect)
    let fields = [("code", code), ("redirect_uri", request.redirectURI), ("code_verifier", request.proof.verifier)]
    let tokenRequest = try OAuthTokenRequest.make(
      configuration.grant.name, fields, endpoint: tokenEndpoint, configuration, environment, sendsScope: false)
    return try await tokens(for: tokenRequest, requested: configuration.scope, nonce: request.nonce)
  }

  private func poll(_ show: @Sendable (DeviceAuthorization) async -> Void) async throws(OAuthError) -> TokenSet {
    let tokenEndpoint = try await endpoint({ $0.token }, .token)
    var start = OAuthFormRequest(url: try await endpoint({ $0.deviceAuthorization }, .device), fields: [])
    if !configuration.scope.isEmpty { start.fields.append(("scope", configuration.scope.joined(separator: " "))) }
    try configuration.authentication.apply(to: &start, clientID: configuration.clientID, tokenEndpoint: tokenEndpoint, environment)
    let answer = try await directory.send(start.transfer, for: .device, .device)
    let device = try DeviceAuthorization(try OAuthAnswer.object(answer, of: .device, environment))
    await show(device)
    var polling = DevicePolling(device, patience: configuration.devicePatience, now: environment.now())
    var pause = Duration.nanoseconds(Int64(polling.interval * 1e9))
    while true {
      do {
        try await environment.sleep(pause)
      } catch {
        throw .cancelled
      }
      do throws(OAuthError) {
        // The request is created anew each time: an assertion can be used once.
        let request = try OAuthTokenRequest.make(
          configuration.grant.name, [("device_code", device.deviceCode)], endpoint: tokenEndpoint, configuration, environment,
          sendsScope: false)
        return try await tokens(for: request, requested: configuration.scope, nonce: nil)
      } catch {
        switch polling.next(after: error, now: environment.now()) {
        case .wait(let duration): pause = duration
        case .fail(let error): throw error
        }
      }
    }
  }

  private func tokens(for request: OAuthFormRequest, requested: [String], nonce: String?) async throws(OAuthError) -> TokenSet {
    let response = try await directory.send(request.transfer, for: .token, .token)
    var tokens = try OAuthAnswer.tokens(response, requested: requested, environment)
    if let text = tokens.idToken, let issuer = configuration.issuer, let clientID = configuration.clientID {
      let validator = IDTokenValidator(
        issuer: issuer, clientID: clientID, nonce: nonce, accessToken: tokens.accessToken, now: environment.now(),
        skew: configuration.clockSkew)
      tokens.claims = try await validate(text, validator)
    } else if nonce != nil, configuration.issuer != nil {
      throw .invalidResponse("it has no id_token although the scope has openid", .token)
    }
    return tokens
  }

  private func validate(_ text: String, _ validator: IDTokenValidator) async throws(OAuthError) -> JSONObject {
    let endpoint = try await endpoint({ $0.keys }, .keys)
    let (known, isNew) = try await directory.keys(at: endpoint)
    do throws(TokenError) {
      return try validator.validate(text, keys: known)
    } catch {
      guard case .noKey = error, !isNew else { throw .idToken(error) }
    }
    // The provider may have changed its keys since they were fetched.
    let fresh = try await directory.newKeys(at: endpoint)
    do throws(TokenError) {
      return try validator.validate(text, keys: fresh)
    } catch {
      throw .idToken(error)
    }
  }

  /// Returns the URL of an endpoint: the configured URL if there is one, otherwise the URL in the issuer's metadata. For a client that
  /// authenticates by certificate, the metadata can contain a separate URL.
  private func endpoint(
    _ url: @Sendable (OAuthConfiguration.Endpoints) -> String?, _ name: OAuthError.Endpoint
  ) async throws(OAuthError) -> String {
    if let url = url(configuration.endpoints) { return url }
    guard let metadata = try await directory.metadata(if: configuration.issuer) else {
      throw .configuration("neither the \(name.rawValue) nor an issuer to look it up is given")
    }
    if case .certificate = configuration.authentication, let url = url(metadata.certificateEndpoints) { return url }
    guard let url = url(metadata.endpoints) else { throw .invalidResponse("it names no \(name.rawValue)", .discovery) }
    return url
  }
}

extension TokenSet {
  /// Creates a token set that contains only a refresh token.
  init(refreshing token: String) {
    self.init(accessToken: "", obtainedAt: 0)
    refreshToken = token
  }
}
