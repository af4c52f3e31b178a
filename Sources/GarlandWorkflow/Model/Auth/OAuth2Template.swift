/// The settings that determine how an OAuth 2 token is obtained, from the key `oauth2:` of an `auth` entry.
public struct OAuth2Template: Sendable {
  /// The OAuth 2 grants: the ways to obtain a token, by their names in documents.
  public enum Grant: String, Sendable, Hashable, CaseIterable {
    /// A token that the client requests for itself, without a user (RFC 6749, section 4.4).
    case clientCredentials = "client_credentials"
    /// A token that the client requests with the name and the password of a user (RFC 6749, section 4.3).
    case password
    /// A new token in exchange for a refresh token that was obtained outside of the run (RFC 6749, section 6).
    case refreshToken = "refresh_token"
    /// A login in a browser or by `authorize` steps, always with PKCE (RFC 6749, section 4.1; RFC 7636).
    case authorizationCode = "authorization_code"
    /// A login on another device, on which a person enters a code (RFC 8628).
    case deviceCode = "device_code"
    /// A token that the client requests with a signed assertion about a user (RFC 7523).
    case jwtBearer = "jwt_bearer"
    /// A token in exchange for another token (RFC 8693).
    case tokenExchange = "token_exchange"
  }

  /// The methods by which the client proves its identity to the token endpoint, by their names in RFC 7591.
  public enum ClientAuth: String, Sendable, Hashable, CaseIterable {
    /// No authentication; only the client ID is sent.
    case none
    /// The client sends its secret by basic authentication.
    case basic = "client_secret_basic"
    /// The client sends its secret in the body.
    case post = "client_secret_post"
    /// The client sends a JWT that it has signed with its secret (RFC 7523).
    case secretJWT = "client_secret_jwt"
    /// The client sends a JWT that it has signed with its private key (RFC 7523).
    case privateKeyJWT = "private_key_jwt"
    /// The client presents a certificate from a certificate authority that the provider trusts (RFC 8705).
    case certificate = "tls_client_auth"
    /// The client presents a self-signed certificate that is registered with the provider (RFC 8705).
    case selfSignedCertificate = "self_signed_tls_client_auth"
  }

  /// The contents of a JWT that the client signs for the grant `jwt_bearer`.
  public struct Assertion: Sendable {
    /// The issuer of the JWT, from the key `issuer:`. Default: the client ID.
    public let issuer: Template?
    /// The user or service that the JWT is about, from the key `subject:`.
    public let subject: Template
    /// The audience of the JWT, from the key `audience:`. Default: the token endpoint.
    public let audience: Template?
    /// The additional claims of the JWT, from the key `claims:`.
    public let claims: ValueTemplate?
  }

  /// The way to obtain the token, from the key `grant:`.
  public let grant: Grant
  /// The method by which the client authenticates, from the key `client_auth:`. If nil, the client authenticates by the client secret, key
  /// or certificate that is set.
  public let clientAuth: ClientAuth?
  /// The settings of `oauth2:` whose values are texts, by key.
  let texts: [OAuth2Key: Template]
  /// The values of `scope:`, `audience:`, `resource:` and `extra:`, by key.
  let values: [OAuth2Key: ValueTemplate]
  /// The file with the client's private key in PEM or JWK format, from the key `client_key:`.
  public let clientKey: FileTemplate?
  /// The file with the client's certificate, from the key `client_certificate:`. It is a PEM file, whose private key is in `client_key`, or
  /// a PKCS#12 file with both.
  public let clientCertificate: FileTemplate?
  /// The assertion that Garland creates and signs, if the value of the key `assertion:` is a mapping.
  public let assertion: Assertion?
  /// The index of another entry of `auth`, from the key `subject:`. The token of that entry is exchanged for a new token.
  public let subject: Int?
  /// The index of another entry of `auth`, whose token identifies the party that acts for the subject (RFC 8693), from the key `actor:`.
  public let actor: Int?
  /// The steps that log in on the provider's pages in place of a person, from the key `authorize:`. They form a separate workflow.
  public let authorize: Workflow?
  /// The base URL to which relative URLs of endpoints are appended.
  let baseURL: URLTemplate?

  /// The URL of the issuer, from the key `issuer:`.
  public var issuer: Template? { texts[.issuer] }
  /// The URL of the token endpoint, from the key `token_url:`.
  public var tokenURL: Template? { texts[.tokenURL] }
  /// The URL of the authorization endpoint, from the key `authorize_url:`.
  public var authorizeURL: Template? { texts[.authorizeURL] }
  /// The URL of the device authorization endpoint, from the key `device_url:`.
  public var deviceURL: Template? { texts[.deviceURL] }
  /// The URL of the provider's public keys, with which ID tokens are verified, from the key `jwks_url:`.
  public var keysURL: Template? { texts[.keysURL] }
  /// The URI to which the provider redirects after a login, from the key `redirect_uri:`.
  public var redirectURI: Template? { texts[.redirectURI] }
  /// The identifier of the client, from the key `client_id:`.
  public var clientID: Template? { texts[.clientID] }
  /// The secret of the client, from the key `client_secret:`.
  public var clientSecret: Template? { texts[.clientSecret] }
  /// The password of the private key or of the PKCS#12 file, from the key `client_key_password:`.
  public var clientKeyPassword: Template? { texts[.clientKeyPassword] }
  /// The identifier of the client's key, from the key `key_id:`.
  public var keyID: Template? { texts[.keyID] }
  /// The signature algorithm of client assertions, from the key `algorithm:`.
  public var algorithm: Template? { texts[.algorithm] }
  /// The name of the user, from the key `username:`.
  public var username: Template? { texts[.username] }
  /// The password of the user, from the key `password:`.
  public var password: Template? { texts[.password] }
  /// The refresh token, from the key `refresh_token:`.
  public var refreshToken: Template? { texts[.refreshToken] }
  /// The complete assertion, if the value of the key `assertion:` is a text.
  public var assertionText: Template? { texts[.assertion] }
  /// The token to exchange, from the key `subject_token:`.
  public var subjectToken: Template? { texts[.subjectToken] }
  /// The type of the token to exchange, from the key `subject_token_type:`.
  public var subjectTokenType: Template? { texts[.subjectTokenType] }
  /// The token of the party that acts for the subject (RFC 8693), from the key `actor_token:`.
  public var actorToken: Template? { texts[.actorToken] }
  /// The type of the acting party's token, from the key `actor_token_type:`.
  public var actorTokenType: Template? { texts[.actorTokenType] }
  /// The requested scopes, from the key `scope:`: a text with spaces or a list.
  public var scope: ValueTemplate? { values[.scope] }
  /// The audience of the token, from the key `audience:`: a text or a list.
  public var audience: ValueTemplate? { values[.audience] }
  /// The resource for which the token is valid, from the key `resource:`: a text or a list.
  public var resource: ValueTemplate? { values[.resource] }
  /// Further parameters of the token request, from the key `extra:`.
  public var extra: ValueTemplate? { values[.extra] }
}

extension OAuth2Template {
  /// Returns the URL of an endpoint. A relative URL is appended to the `base_url` of the defaults.
  ///
  /// - Parameters:
  ///   - url: the template of the endpoint; if nil, the result is nil.
  ///   - context: the context for evaluating the template's expressions.
  public func endpoint(_ url: Template?, in context: any EvaluationContext) throws(EvaluationError) -> String? {
    guard let url else { return nil }
    let text = try url.evaluateText(in: context).text
    guard !URLJoining.isAbsolute(text), let baseURL else { return text }
    return URLJoining.join(try baseURL.evaluate(in: context).text, text)
  }
}

/// The keys of the mapping `oauth2:` in an entry of `auth`.
enum OAuth2Key: String, CaseIterable, Hashable, Sendable {
  case grant, issuer
  case tokenURL = "token_url"
  case authorizeURL = "authorize_url"
  case deviceURL = "device_url"
  case keysURL = "jwks_url"
  case redirectURI = "redirect_uri"
  case clientID = "client_id"
  case clientSecret = "client_secret"
  case clientAuth = "client_auth"
  case clientKey = "client_key"
  case clientKeyPassword = "client_key_password"
  case clientCertificate = "client_certificate"
  case keyID = "key_id"
  case algorithm, username, password
  case refreshToken = "refresh_token"
  case scope, audience, resource, extra, assertion, subject, actor
  case subjectToken = "subject_token"
  case subjectTokenType = "subject_token_type"
  case actorToken = "actor_token"
  case actorTokenType = "actor_token_type"
  case authorize
}
