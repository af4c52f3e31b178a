/// What expressions can name of an entry of `auth` that has a token: `${auth.shop.claims.sub}`.
public enum AuthMember: String, Sendable, Hashable, CaseIterable {
  /// The token itself: a secret.
  case accessToken = "access_token"
  /// The ID token: a secret.
  case idToken = "id_token"
  /// The claims of the ID token, once it was validated.
  case claims
  /// What the token is good for, as text with spaces.
  case scope
  /// When it ends, in seconds since 1970.
  case expiresAt = "expires_at"

  var kinds: ValueKinds {
    switch self {
    case .accessToken, .idToken, .scope: .text
    case .claims: .mapping
    case .expiresAt: .number
    }
  }
}
