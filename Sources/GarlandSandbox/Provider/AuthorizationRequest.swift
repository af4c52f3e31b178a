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

  /// The client and the scopes to which a user consents, as one text.
  var grant: String { "\(client) \(scope.sorted().joined(separator: " "))" }
}
