public import GarlandJSON

/// The tokens that a provider has issued for one grant.
public struct TokenSet: Sendable, Hashable, CustomStringConvertible {
  /// The access token, which is sent with requests. It is secret.
  public var accessToken: String
  /// The refresh token, with which a new access token is obtained; nil if the provider issued none. It is secret.
  public var refreshToken: String?
  /// The ID token, a signed JWT about the user; nil if the provider issued none. It is secret.
  public var idToken: String?
  /// The scope of the access token.
  public var scope: [String] = []
  /// The announced expiry of the access token, in seconds since 1970; nil if the provider announced no expiry.
  public var expiresAt: Double?
  /// The time when the tokens arrived, in seconds since 1970.
  public var obtainedAt: Double
  /// The claims of the ID token after validation; nil without a validated ID token.
  public var claims: JSONObject?

  /// Creates a token set that contains only an access token.
  public init(accessToken: String, obtainedAt: Double) {
    self.accessToken = accessToken
    self.obtainedAt = obtainedAt
  }

  /// Whether the access token has expired or expires soon: within `skew` seconds or a tenth of its
  /// lifetime, whichever is shorter.
  public func isStale(at now: Double, skew: Double) -> Bool {
    guard let expiresAt else { return false }
    return now >= expiresAt - min(skew, max(0, (expiresAt - obtainedAt) / 10))
  }

  /// A description without the tokens themselves.
  public var description: String { "tokens (scope \(scope.joined(separator: " ")))" }

  /// The tokens as JSON, for a cache.
  package var json: JSONValue {
    var object: JSONObject = [
      "access_token": .string(accessToken), "scope": .string(scope.joined(separator: " ")), "obtained_at": Self.number(obtainedAt),
    ]
    if let refreshToken { object["refresh_token"] = .string(refreshToken) }
    if let idToken { object["id_token"] = .string(idToken) }
    if let expiresAt { object["expires_at"] = Self.number(expiresAt) }
    if let claims { object["claims"] = .object(claims) }
    return .object(object)
  }

  /// Reads cached tokens. Returns nil if the JSON does not contain tokens.
  package init?(_ value: JSONValue) {
    guard let access = value["access_token"]?.stringValue, let obtained = value["obtained_at"]?.doubleValue else { return nil }
    self.init(accessToken: access, obtainedAt: obtained)
    refreshToken = value["refresh_token"]?.stringValue
    idToken = value["id_token"]?.stringValue
    scope = value["scope"]?.stringValue?.split(separator: " ").map { String($0) } ?? []
    expiresAt = value["expires_at"]?.doubleValue
    claims = value["claims"]?.objectValue
  }

  private static func number(_ value: Double) -> JSONValue { JSONNumber(value).map { .number($0) } ?? .null }
}
