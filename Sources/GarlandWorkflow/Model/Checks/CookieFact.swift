/// The attributes of a cookie in a response that `expect.cookies` can check.
public enum CookieFact: String, Sendable, Hashable, CaseIterable {
  /// Its value.
  case value
  /// `Path`, as the server says it.
  case path
  /// `Domain`, as the server says it, in lower case and without a dot in front.
  case domain
  /// `Expires`, as RFC 3339.
  case expires
  /// `Max-Age`, in seconds.
  case maxAge = "max_age"
  /// Whether the cookie is sent over TLS only.
  case secure
  /// Whether scripts must not see it.
  case httpOnly = "http_only"
  /// `SameSite`: `Strict`, `Lax` or `None`.
  case sameSite = "same_site"

  /// All facts but the value.
  static var attributes: [CookieFact] { allCases.filter { $0 != .value } }
}
