import GarlandCrypto

/// The provider, the client, the grant and the scope with which a client gets its tokens.
///
/// ```swift
/// var configuration = OAuthConfiguration(grant: .clientCredentials, clientID: "service")
/// configuration.endpoints.token = "https://id.example.com/oauth/token"
/// configuration.authentication = .basic(secret: secret)
/// let manager = TokenManager(configuration, transport: SessionTransport(session))
/// let books = try await session.request("https://api.example.com/books", interceptor: manager).json
/// ```
public struct OAuthConfiguration: Sendable {
  /// The endpoints of the provider. A nil endpoint comes from the metadata of the
  /// ``OAuthConfiguration/issuer``.
  public struct Endpoints: Sendable, Hashable {
    /// The token endpoint.
    public var token: String?
    /// The authorization endpoint, to which users are sent.
    public var authorization: String?
    /// The device authorization endpoint (RFC 8628).
    public var deviceAuthorization: String?
    /// The URL of the keys for ID tokens.
    public var keys: String?

    /// Creates endpoints; nil endpoints are looked up in the metadata.
    public init(token: String? = nil, authorization: String? = nil, deviceAuthorization: String? = nil, keys: String? = nil) {
      self.token = token
      self.authorization = authorization
      self.deviceAuthorization = deviceAuthorization
      self.keys = keys
    }
  }

  /// The grant.
  public var grant: OAuthGrant
  /// The provider's name, an `https` URL. Its metadata are looked up, and its ID tokens are
  /// validated. Without an issuer the endpoints are required, and ID tokens are not validated.
  public var issuer: String?
  /// The endpoints.
  public var endpoints = Endpoints()
  /// The client's name; nil if the provider needs none.
  public var clientID: String?
  /// The client authentication. Defaults to none: a public client.
  public var authentication = OAuthClientAuthentication.none
  /// The scope of the token; empty asks for the provider's default.
  public var scope: [String] = []
  /// The audience of the token (RFC 8693 section 2.1; many providers accept it with every grant).
  public var audience: [String] = []
  /// The resources of the token as absolute URIs (RFC 8707).
  public var resource: [String] = []
  /// Further parameters of the token request, and of the authorization request of a code.
  public var extra: [(name: String, value: String)] = []
  /// How many seconds before its end a token counts as expired; never more than a tenth of its
  /// lifetime. Defaults to 30.
  public var expirySkew = 30.0
  /// The allowed difference to the provider's clock in seconds when ID tokens are validated.
  /// Defaults to 60.
  public var clockSkew = 60.0
  /// The time limit for a user to allow a device. Nil, the default, uses the lifetime of the code.
  public var devicePatience: Duration?

  /// Creates a configuration with defaults for everything else.
  public init(grant: OAuthGrant, clientID: String? = nil) {
    self.grant = grant
    self.clientID = clientID
  }

  /// Throws if a parameter of ``extra`` is sent already: no parameter may be repeated (RFC 6749
  /// section 3.1), since the receiver could not tell which one counts.
  func checkExtra(in fields: [(String, String)]) throws(OAuthError) {
    for (name, _) in extra where fields.count(where: { $0.0 == name }) > 1 {
      throw .configuration("`extra` has \(PlainText.of(name)), which is sent already")
    }
  }

  /// The user who logs in, if the grant does not name one: distinguishes the tokens of several
  /// users. Not a secret.
  public var user: String?

  /// The text that distinguishes the tokens from others: provider, client, user, scope and target,
  /// one per line. It contains no secrets, and only a digest of the values of ``extra``, which may
  /// be secret.
  public var identity: String {
    let further = extra.map { OAuthFormRequest.encode([($0.name, $0.value)]) }.sorted().joined(separator: "&")
    var digest = ""
    if !further.isEmpty, let found = try? Digest(of: further.utf8, using: .sha256) { digest = "further \(found.hex.prefix(16))" }
    let who: String = user ?? grant.user ?? ""
    let lines: [String] = [
      issuer ?? "", endpoints.token ?? "", clientID ?? "", who, grant.name, scope.sorted().joined(separator: " "),
      audience.joined(separator: " "), resource.joined(separator: " "), digest,
    ]
    return lines.map { $0.replacing("\\", with: "\\\\").replacing("\n", with: "\\n") }.joined(separator: "\n")
  }
}
