/// The attributes of a cookie in a response that `expect.cookies` can check.
public enum CookieFact: String, Sendable, Hashable, CaseIterable {
  /// The cookie's value.
  case value
  /// The attribute `Path`, as the server sent it.
  case path
  /// The attribute `Domain`, in lower case and without a leading dot.
  case domain
  /// The attribute `Expires`, in the format of RFC 3339.
  case expires
  /// The attribute `Max-Age`, in seconds.
  case maxAge = "max_age"
  /// The attribute `Secure`: whether the cookie is sent only over TLS.
  case secure
  /// The attribute `HttpOnly`: whether scripts have no access to the cookie.
  case httpOnly = "http_only"
  /// The attribute `SameSite`: `Strict`, `Lax` or `None`.
  case sameSite = "same_site"

  /// All attributes except the cookie's value.
  static var attributes: [CookieFact] { allCases.filter { $0 != .value } }
}
