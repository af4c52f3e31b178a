/// The treatment of a response that has status 301, 302, 303, 307 or 308 and a `Location`.
public enum RedirectPolicy: Sendable, Hashable {
  /// Follows redirects by the rules of ``RedirectState``, at most `maximum` in a row.
  case follow(maximum: Int = 20)
  /// Delivers the redirect as the response.
  case deliver
}
