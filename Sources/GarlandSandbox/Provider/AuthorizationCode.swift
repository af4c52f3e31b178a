/// The consent of a user to a client, for which the client can fetch tokens once.
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
