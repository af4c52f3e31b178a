/// Creates the token request for each grant. The functions do not send the request.
enum OAuthTokenRequest {
  /// Creates a request with `fields`, which depend on the grant, and with the fields that are the same for all grants.
  static func make(
    _ grantType: String, _ fields: [(String, String)], endpoint: String, _ configuration: OAuthConfiguration,
    _ environment: AuthEnvironment, sendsScope: Bool = true
  ) throws(OAuthError) -> OAuthFormRequest {
    var request = OAuthFormRequest(url: endpoint, fields: [("grant_type", grantType)] + fields)
    if sendsScope, !configuration.scope.isEmpty { request.fields.append(("scope", configuration.scope.joined(separator: " "))) }
    if sendsScope {
      for audience in configuration.audience { request.fields.append(("audience", audience)) }
      for resource in configuration.resource { request.fields.append(("resource", resource)) }
    }
    for (name, value) in configuration.extra { request.fields.append((name, value)) }
    try configuration.authentication.apply(to: &request, clientID: configuration.clientID, tokenEndpoint: endpoint, environment)
    try configuration.checkExtra(in: request.fields)
    return request
  }

  /// Creates a request for new tokens with a refresh token (RFC 6749 section 6). It contains no scope, so the provider grants the same
  /// scope as before.
  static func refresh(
    _ token: String, endpoint: String, _ configuration: OAuthConfiguration, _ environment: AuthEnvironment
  ) throws(OAuthError) -> OAuthFormRequest {
    try make("refresh_token", [("refresh_token", token)], endpoint: endpoint, configuration, environment, sendsScope: false)
  }
}
