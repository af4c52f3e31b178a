/// The attributes of a cookie in a response that `expect.cookies` can check.
public enum CookieFact: String, Sendable, Hashable, CaseIterable {
  /// The cookie's value.
  case value
  /// `Path`, as the server sent it.
  case path
  /// `Domain`, as the server sent it, but in lower case and without a leading dot.
  case domain
  /// `Expires`, in the format of RFC 3339.
  case expires
  /// `Max-Age`, in seconds.
  case maxAge = "max_age"
  /// `Secure`: whether the cookie is sent only over TLS.
  case secure
  /// `HttpOnly`: whether scripts have no access to the cookie.
  case httpOnly = "http_only"
  /// `SameSite`: `Strict`, `Lax` or `None`.
  case sameSite = "same_site"

  /// All attributes, without the value.
  static var attributes: [CookieFact] { allCases.filter { $0 != .value } }
}
