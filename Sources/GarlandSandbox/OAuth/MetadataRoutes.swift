import GarlandJSON

/// The routes for the provider's metadata (RFC 8414, OpenID Connect Discovery) and its signing
/// keys.
enum MetadataRoutes {
  static let routes = [
    Route("GET", "/.well-known/oauth-authorization-server", "The provider's metadata (RFC 8414)", metadata),
    Route("GET", "/.well-known/openid-configuration", "The same for OpenID Connect", metadata),
    Route("GET", "/oauth/jwks", "The keys that ID tokens are signed with", keys),
  ]

  static let metadata: Route.PureHandler = { request throws(Refusal) in
    let origin = request.origin
    func url(_ path: String) -> JSONValue { .string("\(origin)\(path)") }
    return .json([
      "issuer": .string(origin), "authorization_endpoint": url("/oauth/authorize"), "token_endpoint": url("/oauth/token"),
      "device_authorization_endpoint": url("/oauth/device_authorization"), "introspection_endpoint": url("/oauth/introspect"),
      "revocation_endpoint": url("/oauth/revoke"), "userinfo_endpoint": url("/oauth/userinfo"), "jwks_uri": url("/oauth/jwks"),
      "scopes_supported": JSONValue(TokenEndpoint.scopes), "response_types_supported": ["code"], "response_modes_supported": ["query"],
      "grant_types_supported": JSONValue([
        "authorization_code", "client_credentials", "password", "refresh_token", GrantType.device, GrantType.jwtBearer,
        GrantType.tokenExchange,
      ]),
      "token_endpoint_auth_methods_supported": [
        "none", "client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt", "self_signed_tls_client_auth",
      ],
      "token_endpoint_auth_signing_alg_values_supported": ["HS256", "RS256", "PS256", "ES256", "EdDSA"],
      "code_challenge_methods_supported": ["S256"], "subject_types_supported": ["public"],
      "id_token_signing_alg_values_supported": JSONValue(ProviderKeys.algorithms),
      "claims_supported": ["sub", "preferred_username", "email"], "authorization_response_iss_parameter_supported": true,
    ])
  }

  static let keys: Route.PureHandler = { request throws(Refusal) in
    guard let keys = try? ProviderKeys.published() else { throw Refusal(500, "the keys cannot be made") }
    return .json(keys, headers: [HeaderField("Cache-Control", "max-age=300")])
  }
}
