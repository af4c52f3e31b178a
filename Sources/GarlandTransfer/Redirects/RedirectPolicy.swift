/// What happens to a response with status 301, 302, 303, 307 or 308 and a `Location`.
public enum RedirectPolicy: Sendable, Hashable {
  /// It is followed, by the rules of ``RedirectState``, up to a number of times.
  case follow(maximum: Int = 20)
  /// It is the response.
  case deliver
}
