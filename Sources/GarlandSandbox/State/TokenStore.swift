/// Stores access and refresh tokens, with their expiry, and rotates refresh tokens.
struct TokenStore: Sendable {
  struct Access: Sendable {
    let client: String?
    let user: String?
    let scope: [String]
    let expires: Duration
    /// The number that identifies the token's family: all tokens that descend from the same grant. The tokens of a family are revoked
    /// together.
    let family: Int
    /// The audience of the token; empty if the token is for no particular audience.
    var audience: [String] = []
    /// The client or user that acts on behalf of the token's user (RFC 8693, section 4.1); nil if there is none.
    var actor: String?
  }

  struct Refresh: Sendable {
    let client: String?
    let user: String
    let scope: [String]
    let family: Int
    var audience: [String] = []
    var isUsed = false
  }

  enum Validity: Sendable {
    case valid(Access)
    case expired
    case unknown
  }

  static let limit = 10_000
  private var access: [String: Access] = [:]
  private var refresh: [String: Refresh] = [:]
  private var families = 0
  private(set) var issued = 0
  private(set) var refreshed = 0
  /// The number of times that a refresh token was sent again after its use.
  private(set) var reused = 0

  var count: Int { access.count }

  mutating func newFamily() -> Int {
    families += 1
    return families
  }

  mutating func add(_ token: String, _ value: Access) throws(Refusal) {
    guard access.count < Self.limit else { throw Refusal(507, "there are more than \(Self.limit) tokens") }
    access[token] = value
    issued += 1
  }

  mutating func add(_ token: String, _ value: Refresh) throws(Refusal) {
    guard refresh.count < Self.limit else { throw Refusal(507, "there are more than \(Self.limit) refresh tokens") }
    refresh[token] = value
  }

  func check(_ token: String, now: Duration) -> Validity {
    guard let value = access[token] else { return .unknown }
    return value.expires > now ? .valid(value) : .expired
  }

  /// Returns a refresh token and marks it as used. If the token was used before, it may have been stolen, so all tokens of its family are
  /// revoked (RFC 9700, section 4.14.2).
  mutating func take(_ token: String) -> Refresh? {
    guard let value = refresh[token] else { return nil }
    guard !value.isUsed else {
      reused += 1
      revoke(family: value.family)
      return nil
    }
    refresh[token]?.isUsed = true
    refreshed += 1
    return value
  }

  /// Marks a refresh token as unused again. Call this method if the request that contained the token was rejected, but not because of the
  /// token.
  mutating func restore(_ token: String) {
    refresh[token]?.isUsed = false
    refreshed -= 1
  }

  /// Marks a refresh token as unused, so that the client can use it again. Call this method after a successful request if the provider does
  /// not replace a refresh token each time that it is used.
  mutating func reuse(_ token: String) { refresh[token]?.isUsed = false }

  /// Returns the data of a refresh token without marking the token as used; nil if the token is unknown or was already used.
  func refreshToken(_ token: String) -> Refresh? { refresh[token].flatMap { $0.isUsed ? nil : $0 } }

  mutating func revoke(_ token: String) { access[token] = nil }

  mutating func revokeAllAccess() { access = [:] }

  mutating func revokeAllRefresh() { refresh = [:] }

  mutating func revoke(family: Int) {
    access = access.filter { $0.value.family != family }
    refresh = refresh.filter { $0.value.family != family }
  }
}
