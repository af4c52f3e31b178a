public import GarlandJSON

/// The tokens that one grant gave.
public struct TokenSet: Sendable, Hashable, CustomStringConvertible {
  /// What is sent with requests: a secret.
  public var accessToken: String
  /// What another one can be had for: a secret.
  public var refreshToken: String?
  /// Who has logged in, as a signed JWT: a secret.
  public var idToken: String?
  /// What the access token is good for.
  public var scope: [String] = []
  /// When the provider said that it ends, in seconds since 1970; nil when it said nothing.
  public var expiresAt: Double?
  /// When it arrived, in seconds since 1970.
  public var obtainedAt: Double
  /// The claims of the ID token, once it was validated.
  public var claims: JSONObject?

  /// A set with nothing but an access token.
  public init(accessToken: String, obtainedAt: Double) {
    self.accessToken = accessToken
    self.obtainedAt = obtainedAt
  }

  /// Whether the access token has ended, or will within `skew` seconds, or within a tenth of its life if that is less.
  public func isStale(at now: Double, skew: Double) -> Bool {
    guard let expiresAt else { return false }
    return now >= expiresAt - min(skew, max(0, (expiresAt - obtainedAt) / 10))
  }

  /// Never a token.
  public var description: String { "tokens (scope \(scope.joined(separator: " ")))" }

  /// As it is kept between runs.
  var json: JSONValue {
    var object: JSONObject = [
      "access_token": .string(accessToken), "scope": .string(scope.joined(separator: " ")), "obtained_at": Self.number(obtainedAt),
    ]
    if let refreshToken { object["refresh_token"] = .string(refreshToken) }
    if let idToken { object["id_token"] = .string(idToken) }
    if let expiresAt { object["expires_at"] = Self.number(expiresAt) }
    if let claims { object["claims"] = .object(claims) }
    return .object(object)
  }

  /// What was kept; nil when it is something else.
  init?(_ value: JSONValue) {
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
