/// The data of an `auth` entry's OAuth 2 token that expressions can use, for example `${auth.shop.claims.sub}`.
public enum AuthMember: String, Sendable, Hashable, CaseIterable {
  /// The access token itself, which is a secret.
  case accessToken = "access_token"
  /// The ID token, which is a secret.
  case idToken = "id_token"
  /// The claims of the ID token. They are available only after the token has been validated.
  case claims
  /// The scopes of the token, as text separated by spaces.
  case scope
  /// The time when the token expires, in seconds since 1970.
  case expiresAt = "expires_at"

  var kinds: ValueKinds {
    switch self {
    case .accessToken, .idToken, .scope: .text
    case .claims: .mapping
    case .expiresAt: .number
    }
  }
}
