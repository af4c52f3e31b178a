import GarlandCrypto

/// The configuration with which a client obtains tokens: the provider, the client, the grant and the scope.
///
/// ```swift
/// var configuration = OAuthConfiguration(grant: .clientCredentials, clientID: "service")
/// configuration.endpoints.token = "https://id.example.com/oauth/token"
/// configuration.authentication = .basic(secret: secret)
/// let manager = TokenManager(configuration, transport: SessionTransport(session))
/// let books = try await session.request("https://api.example.com/books", interceptor: manager).json
/// ```
public struct OAuthConfiguration: Sendable {
  /// The URLs of the provider's endpoints. A URL that is nil is taken from the metadata of the
  /// ``OAuthConfiguration/issuer``.
  public struct Endpoints: Sendable, Hashable {
    /// The URL of the token endpoint.
    public var token: String?
    /// The authorization endpoint, to which users are sent.
    public var authorization: String?
    /// The URL of the device authorization endpoint (RFC 8628). If nil, the URL in the issuer's metadata is used.
    public var deviceAuthorization: String?
    /// The URL of the keys that verify ID tokens.
    public var keys: String?

    /// Creates endpoints. URLs that are nil are taken from the issuer's metadata.
    public init(token: String? = nil, authorization: String? = nil, deviceAuthorization: String? = nil, keys: String? = nil) {
      self.token = token
      self.authorization = authorization
      self.deviceAuthorization = deviceAuthorization
      self.keys = keys
    }
  }

  /// The way in which the client obtains tokens, such as the authorization code grant.
  public var grant: OAuthGrant
  /// The issuer identifier of the provider, an `https` URL. If it is set, the provider's metadata is fetched and ID tokens are validated.
  /// If it is nil, ``endpoints`` are required and ID tokens are not validated.
  public var issuer: String?
  /// The URLs of the provider's endpoints.
  public var endpoints = Endpoints()
  /// The client ID; nil if the provider requires no client ID.
  public var clientID: String?
  /// The method by which the client authenticates. Defaults to none: a public client.
  public var authentication = OAuthClientAuthentication.none
  /// The requested scope; empty for the provider's default.
  public var scope: [String] = []
  /// The requested audience of the token (RFC 8693 section 2.1; many providers accept it with every grant).
  public var audience: [String] = []
  /// The resources for which the token is requested, as absolute URIs (RFC 8707).
  public var resource: [String] = []
  /// Further parameters of the token request. If the grant has an authorization request, that request also contains these parameters.
  public var extra: [(name: String, value: String)] = []
  /// The safety margin in seconds: a token is treated as expired if it expires within this time. The margin is at most a tenth of the
  /// token's lifetime. Defaults to 30.
  public var expirySkew = 30.0
  /// The allowed difference in seconds between this machine's and the provider's clock when ID tokens are
  /// validated. Defaults to 60.
  public var clockSkew = 60.0
  /// The time limit for the user to approve a device (RFC 8628). Defaults to nil: the limit is the lifetime of the device code.
  public var devicePatience: Duration?

  /// Creates a configuration with a grant and defaults for all other properties.
  public init(grant: OAuthGrant, clientID: String? = nil) {
    self.grant = grant
    self.clientID = clientID
  }

  /// Throws if a parameter of ``extra`` is already among `fields`. No parameter may be repeated (RFC 6749 section 3.1), since the receiver
  /// could not know which value to use.
  func checkExtra(in fields: [(String, String)]) throws(OAuthError) {
    for (name, _) in extra where fields.count(where: { $0.0 == name }) > 1 {
      throw .configuration("`extra` must not contain \(PlainText.of(name)), which is sent automatically")
    }
  }

  /// The name of the user who logs in, if the grant does not contain a user name. The name distinguishes the tokens of several users. It is
  /// not secret.
  public var user: String?

  /// A text that identifies the tokens of this configuration: provider, client, user, grant, scope, audience and resources, one per line.
  ///
  /// The text contains no secrets. The parameters in ``extra`` may be secret, so the text contains only their digest.
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
