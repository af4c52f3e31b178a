/// A user's consent for a client, until the client fetches its tokens.
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
  /// The tokens that it was redeemed for: it has no other use.
  var family: Int?
}
