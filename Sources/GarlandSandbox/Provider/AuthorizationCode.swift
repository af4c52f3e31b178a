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
  /// The family of the tokens for which the code was redeemed; nil before the code was used. A code can be used only once.
  var family: Int?
}
