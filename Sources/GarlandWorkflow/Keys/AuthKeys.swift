/// The keys of an entry of `auth`. Each key selects a kind of authentication.
enum AuthKey: String, DocumentKey {
  case basic, bearer, digest, ntlm, negotiate, aws
  case apiKey = "api_key"
  case oauth1, oauth2

  static let table = KeyTable<AuthKey>("an `auth` entry")

  var info: KeyInfo {
    switch self {
    case .basic: KeyInfo(.pattern(":"), "User and password, sent as they are.", "'alice:${secrets.PASSWORD}'")
    case .bearer: KeyInfo(.text, "A token that already exists.", "'${secrets.TOKEN}'")
    case .digest: KeyInfo(.pattern(":"), "User and password, of which only digests are sent.", "'alice:${secrets.PASSWORD}'")
    case .ntlm: KeyInfo(.pattern(":"), "User and password; the user may be `DOMAIN\\user`.", "'CORP\\alice:${secrets.PASSWORD}'")
    case .negotiate: KeyInfo(.yes, "The Kerberos ticket that `kinit` fetched.", "true")
    case .aws:
      KeyInfo(
        .table("aws"), "AWS signatures, version 4.",
        "{ access_key: AKIA…, secret_key: '${secrets.AWS}', region: eu-west-1, service: s3 }")
    case .apiKey:
      KeyInfo(.table("api_key"), "A key in a header, the query or a cookie.", "{ header: X-Api-Key, value: '${secrets.API_KEY}' }")
    case .oauth1: KeyInfo(.table("oauth1"), "OAuth 1.0a signatures.", "{ consumer_key: app, consumer_secret: '${secrets.CONSUMER}' }")
    case .oauth2:
      KeyInfo(
        .table("oauth2"), "An OAuth 2 token: fetched once for a run, refreshed before it expires, masked everywhere.",
        "{ grant: client_credentials, token_url: /oauth/token, client_id: ci, client_secret: '${secrets.CI}' }")
    }
  }
}

/// The keys of the mapping `api_key:` in an entry of `auth`.
enum APIKeyKey: String, DocumentKey {
  case header, query, cookie, value

  static let table = KeyTable<APIKeyKey>("`api_key`")

  var info: KeyInfo {
    switch self {
    case .header: KeyInfo(.name, "The header field with the key.", "X-Api-Key")
    case .query: KeyInfo(.name, "The parameter of the query with the key.", "key")
    case .cookie: KeyInfo(.name, "The cookie with the key.", "key")
    case .value: KeyInfo(.text, "The key; required.", "'${secrets.API_KEY}'")
    }
  }
}

/// The keys of the mapping `aws:` in an entry of `auth`.
enum AWSKey: String, DocumentKey {
  case accessKey = "access_key"
  case secretKey = "secret_key"
  case sessionToken = "session_token"
  case region, service

  static let table = KeyTable<AWSKey>("`aws`")

  var info: KeyInfo {
    switch self {
    case .accessKey: KeyInfo(.text, "The access key's id; required.", "AKIAIOSFODNN7EXAMPLE")
    case .secretKey: KeyInfo(.text, "The secret access key; required.", "'${secrets.AWS_SECRET_ACCESS_KEY}'")
    case .sessionToken: KeyInfo(.text, "The session token of temporary credentials.", "'${secrets.AWS_SESSION_TOKEN}'")
    case .region: KeyInfo(.text, "The region; required.", "eu-central-1")
    case .service: KeyInfo(.text, "The service; required.", "execute-api")
    }
  }
}

/// The keys of the mapping `oauth1:` in an entry of `auth`.
enum OAuth1Key: String, DocumentKey {
  case consumerKey = "consumer_key"
  case consumerSecret = "consumer_secret"
  case token
  case tokenSecret = "token_secret"
  case signatureMethod = "signature_method"
  case key, realm, callback, verifier

  static let table = KeyTable<OAuth1Key>("`oauth1`")

  var info: KeyInfo {
    switch self {
    case .consumerKey: KeyInfo(.text, "The consumer key of the client; required.", "dpf43f3p2l4k3l03")
    case .consumerSecret: KeyInfo(.text, "The client's secret.", "'${secrets.CONSUMER_SECRET}'")
    case .token: KeyInfo(.text, "The user's token.", "'${secrets.OAUTH_TOKEN}'")
    case .tokenSecret: KeyInfo(.text, "The token's secret.", "'${secrets.OAUTH_TOKEN_SECRET}'")
    case .signatureMethod:
      KeyInfo(.oneOf(OAuth1Template.Method.allCases.map(\.rawValue)), "How requests are signed. Default: HMAC-SHA1.", "HMAC-SHA256")
    case .key: KeyInfo(.path, "A PEM file with the client's RSA key, for RSA-SHA1.", "client.pem")
    case .realm: KeyInfo(.text, "The protection space.", "Photos")
    case .callback: KeyInfo(.text, "`oauth_callback`, for the request for temporary credentials.", "oob")
    case .verifier: KeyInfo(.text, "`oauth_verifier`, for the request for a token.", "'${vars.verifier}'")
    }
  }
}

extension OAuth2Key: DocumentKey {
  /// Returns the keys that a grant needs. The mapping `oauth2:` must contain at least one key of each
  /// inner list.
  static func needed(for grant: OAuth2Template.Grant) -> [[OAuth2Key]] {
    let own: [[OAuth2Key]] =
      switch grant {
      case .clientCredentials: [[.clientID]]
      case .password: [[.username], [.password]]
      case .refreshToken: [[.refreshToken]]
      case .authorizationCode: [[.clientID], [.authorizeURL, .issuer]]
      case .deviceCode: [[.clientID], [.deviceURL, .issuer]]
      case .jwtBearer: [[.assertion]]
      case .tokenExchange: [[.subject, .subjectToken]]
      }
    return [[.tokenURL, .issuer]] + own
  }

  static let table = KeyTable<OAuth2Key>("`oauth2`", page: "authentication")

  var info: KeyInfo {
    switch self {
    case .grant:
      KeyInfo(
        .oneOf(OAuth2Template.Grant.allCases.map(\.rawValue)), "The credential that is exchanged for the token; required.",
        "client_credentials")
    case .issuer:
      KeyInfo(.url, "The URL of the provider: its metadata has the endpoints, and its ID tokens are validated.", "https://id.example.com")
    case .tokenURL: KeyInfo(.url, "The token endpoint; needed without an issuer.", "/oauth/token")
    case .authorizeURL: KeyInfo(.url, "The authorization endpoint; needed without an issuer.", "/oauth/authorize")
    case .deviceURL: KeyInfo(.url, "The device authorization endpoint; needed without an issuer.", "/oauth/device_authorization")
    case .keysURL: KeyInfo(.url, "The URL of the keys of ID tokens, in place of the URL in the issuer's metadata.", "/oauth/jwks")
    case .redirectURI:
      KeyInfo(
        .url, "The URL to which the provider redirects the user; never requested. Default: a free port of 127.0.0.1.",
        "https://app.example/callback")
    case .clientID: KeyInfo(.text, "The client's name.", "smoke")
    case .clientSecret: KeyInfo(.text, "The client's secret.", "'${secrets.CLIENT_SECRET}'")
    case .clientAuth:
      KeyInfo(
        .oneOf(OAuth2Template.ClientAuth.allCases.map(\.rawValue)),
        "How the client authenticates. Default: `client_secret_basic` with a secret, `tls_client_auth` with a certificate, `private_key_jwt` with a key, else `none`.",
        "client_secret_post")
    case .clientKey: KeyInfo(.path, "A file with the client's private key, PEM or JWK.", "signer.pem")
    case .clientKeyPassword:
      KeyInfo(.text, "The password of the client's key, or of a PKCS#12 file with its certificate.", "'${secrets.KEY_PASSWORD}'")
    case .clientCertificate: KeyInfo(.path, "A file with the client's certificate: PEM, or PKCS#12 with its key.", "client.pem")
    case .keyID: KeyInfo(.text, "The id of the client's key.", "2026-01")
    case .algorithm: KeyInfo(.text, "How the client's JWTs are signed. Default: by the kind of key; HS256 with a secret.", "ES256")
    case .username: KeyInfo(.text, "The user, for `password`.", "'${vars.user}'")
    case .password: KeyInfo(.text, "The user's password, for `password`.", "'${secrets.PASSWORD}'")
    case .refreshToken: KeyInfo(.text, "The token, for `refresh_token`.", "'${secrets.REFRESH_TOKEN}'")
    case .scope: KeyInfo(.either([.text, .list(.text)]), "The scopes of the token.", "openid read")
    case .audience: KeyInfo(.either([.text, .list(.text)]), "The audience of the token.", "orders")
    case .resource: KeyInfo(.either([.url, .list(.url)]), "The audience as resource URIs (RFC 8707).", "https://api.example.com/")
    case .extra: KeyInfo(.mapping(.anything), "Further parameters for the provider.", "{ prompt: consent }")
    case .assertion:
      KeyInfo(.either([.text, .table("assertion")]), "The JWT, for `jwt_bearer`: as text, or its claims.", "{ subject: alice }")
    case .subject: KeyInfo(.name, "The `auth` whose token is exchanged, for `token_exchange`.", "shop")
    case .actor: KeyInfo(.name, "The `auth` whose token identifies the acting party.", "robot")
    case .subjectToken: KeyInfo(.text, "The token to exchange, if no `auth` has it.", "'${secrets.TOKEN}'")
    case .subjectTokenType: KeyInfo(.text, "Its type. Default: an access token.", "urn:ietf:params:oauth:token-type:jwt")
    case .actorToken: KeyInfo(.text, "The token of the acting party, if no `auth` has it.", "'${secrets.TOKEN}'")
    case .actorTokenType: KeyInfo(.text, "Its type. Default: an access token.", "urn:ietf:params:oauth:token-type:jwt")
    case .authorize:
      KeyInfo(
        .table("authorize"),
        "Steps that log in on the provider's pages, from `${env.GARLAND_AUTHORIZE_URL}` to the redirect. Without them, the user logs in with a browser.",
        "{ steps: { page: { get: '${env.GARLAND_AUTHORIZE_URL}' }, login: { submit: { from: page, fields: { username: alice } } } } }")
    }
  }
}

/// The keys of the mapping `assertion:` in `oauth2:`.
enum AssertionKey: String, DocumentKey {
  case issuer, subject, audience, claims

  static let table = KeyTable<AssertionKey>("`assertion`")

  var info: KeyInfo {
    switch self {
    case .issuer: KeyInfo(.text, "The issuer of the JWT. Default: the client.", "ci")
    case .subject: KeyInfo(.text, "The subject of the JWT; required.", "alice")
    case .audience: KeyInfo(.text, "The audience of the JWT. Default: the token endpoint.", "https://id.example.com")
    case .claims: KeyInfo(.mapping(.anything), "Further claims.", "{ role: tester }")
    }
  }
}

/// The keys of the mapping `authorize:` in `oauth2:`.
enum AuthorizeKey: String, DocumentKey {
  case steps

  static let table = KeyTable<AuthorizeKey>("`authorize`")

  var info: KeyInfo { KeyInfo(.filledMapping(.table("step")), "The steps; required.", "{ page: { get: '${env.GARLAND_AUTHORIZE_URL}' } }") }
}
