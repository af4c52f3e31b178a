/// The treatment of a response that has status 301, 302, 303, 307 or 308 and a `Location`.
public enum RedirectPolicy: Sendable, Hashable {
  /// Follows the redirect by the rules of ``RedirectState``, up to this number of times.
  case follow(maximum: Int = 20)
  /// Delivers the redirect as the response.
  case deliver
}
