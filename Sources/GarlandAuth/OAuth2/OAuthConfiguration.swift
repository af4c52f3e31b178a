import GarlandCrypto

/// How a client gets its tokens: from whom, as whom, by which grant, for what.
///
/// ```swift
/// var configuration = OAuthConfiguration(grant: .clientCredentials, clientID: "service")
/// configuration.endpoints.token = "https://id.example.com/oauth/token"
/// configuration.authentication = .basic(secret: secret)
/// let manager = TokenManager(configuration, transport: SessionTransport(session))
/// let books = try await session.request("https://api.example.com/books", interceptor: manager).json
/// ```
public struct OAuthConfiguration: Sendable {
  /// Where the provider is asked what. What is nil comes from the metadata of the ``OAuthConfiguration/issuer``.
  public struct Endpoints: Sendable, Hashable {
    /// Where tokens come from.
    public var token: String?
    /// Where users are sent.
    public var authorization: String?
    /// Where devices begin (RFC 8628).
    public var deviceAuthorization: String?
    /// The keys of ID tokens.
    public var keys: String?

    /// Endpoints; what is nil is looked up.
    public init(token: String? = nil, authorization: String? = nil, deviceAuthorization: String? = nil, keys: String? = nil) {
      self.token = token
      self.authorization = authorization
      self.deviceAuthorization = deviceAuthorization
      self.keys = keys
    }
  }

  /// What is shown for the token.
  public var grant: OAuthGrant
  /// The provider's name, an `https` URL: its metadata is looked up, and its ID tokens are validated. Nil needs endpoints, and leaves ID tokens alone.
  public var issuer: String?
  /// The endpoints.
  public var endpoints = Endpoints()
  /// The client's name. Nil where the provider needs none.
  public var clientID: String?
  /// How the client proves who it is. Defaults to not at all: a public client.
  public var authentication = OAuthClientAuthentication.none
  /// What the token is to be good for; empty asks for the provider's default.
  public var scope: [String] = []
  /// Whom the token is to be for (RFC 8693 section 2.1, and what many providers take with every grant).
  public var audience: [String] = []
  /// The same as absolute URIs (RFC 8707).
  public var resource: [String] = []
  /// Further parameters of the token request, and of the authorization request of a code.
  public var extra: [(name: String, value: String)] = []
  /// How long before its end a token counts as expired, in seconds; never more than a tenth of its life. Defaults to 30.
  public var expirySkew = 30.0
  /// How much the provider's clock may differ when ID tokens are validated, in seconds. Defaults to 60.
  public var clockSkew = 60.0
  /// How long somebody has to let a device in. Nil, the default, is as long as its code is good.
  public var devicePatience: Duration?

  /// A configuration; the rest is set afterwards.
  public init(grant: OAuthGrant, clientID: String? = nil) {
    self.grant = grant
    self.clientID = clientID
  }

  /// That nothing of ``extra`` stands there already: no parameter may be repeated (RFC 6749 section 3.1), and which of the two is meant nobody knows.
  func checkExtra(in fields: [(String, String)]) throws(OAuthError) {
    for (name, _) in extra where fields.count(where: { $0.0 == name }) > 1 {
      throw .configuration("`extra` has \(PlainText.of(name)), which is sent already")
    }
  }

  /// Who logs in, where the grant does not say it: tells the tokens of several users from each other. No secret.
  public var user: String?

  /// What distinguishes its tokens from those of others: provider, client, user, scope and target, a line for each. Secrets are left out, and of the
  /// values of ``extra``, which may be secrets, no more is in it than a digest.
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
