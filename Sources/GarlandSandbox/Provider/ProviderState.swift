/// The data that the provider stores while it runs, except for tokens: settings, sessions, authorization codes, devices and event counts.
struct ProviderState: Sendable {
  /// The session of a user who has logged in.
  struct Session: Sendable {
    let user: String
    let since: Int
    /// The clients and scopes to which the user has consented.
    var consents: Set<String> = []
  }

  /// A device that is waiting for a user's approval (RFC 8628).
  struct Device: Sendable {
    enum Decision: Sendable { case pending, denied, allowed(user: String) }

    let client: String
    let scope: [String]
    let userCode: String
    let expires: Duration
    var interval: Int
    var lastPoll: Duration?
    var decision = Decision.pending
  }

  private static let limit = 10_000
  var settings = ProviderSettings()
  /// The number of occurrences of each event: `token`, `token refresh_token`, `error invalid_grant`, `authorize`, …
  private(set) var counts: [String: Int] = [:]
  private(set) var requests: [String: AuthorizationRequest] = [:]
  private(set) var sessions: [String: Session] = [:]
  private(set) var codes: [String: AuthorizationCode] = [:]
  private(set) var devices: [String: Device] = [:]
  private var assertions: Set<String> = []

  mutating func count(_ event: String) { counts[event, default: 0] += 1 }

  mutating func forgetCounts() { counts = [:] }

  mutating func add(_ id: String, _ request: AuthorizationRequest) throws(Refusal) {
    try Self.check(requests.count)
    requests[id] = request
  }

  mutating func finish(request id: String) { requests[id] = nil }

  mutating func add(_ id: String, _ session: Session) throws(Refusal) {
    try Self.check(sessions.count)
    sessions[id] = session
  }

  mutating func consent(_ session: String, to grant: String) { sessions[session]?.consents.insert(grant) }

  mutating func add(_ text: String, _ code: AuthorizationCode) throws(Refusal) {
    try Self.check(codes.count)
    codes[text] = code
  }

  /// Marks an authorization code as used. Also stores the number of the group (`family`) of tokens that were issued for the code, so that
  /// these tokens can be revoked together.
  mutating func use(code: String, family: Int) { codes[code]?.family = family }

  mutating func add(_ code: String, _ device: Device) throws(Refusal) {
    try Self.check(devices.count)
    devices[code] = device
  }

  mutating func update(device code: String, _ change: (inout Device) -> Void) {
    guard var device = devices[code] else { return }
    change(&device)
    devices[code] = device
  }

  mutating func finish(device code: String) { devices[code] = nil }

  /// Records an assertion as used. Returns false if the assertion was used before, or if the maximum number of assertions is already
  /// stored.
  mutating func useUp(assertion: String) -> Bool { assertions.count < Self.limit && assertions.insert(assertion).inserted }

  private static func check(_ count: Int) throws(Refusal) {
    guard count < limit else { throw Refusal(507, "there are more than \(limit) of these") }
  }
}

/// An authorization code: the consent of a user to a client, which the client can exchange for tokens once.
struct AuthorizationCode: Sendable {
  let client: String
  let redirect: String
  let challenge: String
  let user: String
  let authenticated: Int
  let scope: [String]
  let audience: [String]
  let nonce: String?
  let expires: Duration
  /// The number that identifies the token family: the tokens that were issued for this code and that are revoked together. Nil until the
  /// code is used. A code can be used only once.
  var family: Int?
}

/// A request for an authorization code (RFC 6749, section 4.1.1) with PKCE, which OAuth 2.1 requires.
struct AuthorizationRequest: Sendable {
  let client: String
  let redirect: String
  let state: String?
  let scope: [String]
  let audience: [String]
  let challenge: String
  let nonce: String?
  let prompt: String?

  /// The client and the requested scopes as one text. When a user consents, the provider stores this text, so that the provider does not
  /// ask again for the same client and scopes.
  var grant: String { "\(client) \(scope.sorted().joined(separator: " "))" }
}
