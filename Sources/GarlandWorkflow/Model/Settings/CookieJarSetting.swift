/// The cookie jar (the storage for cookies of responses) that requests use, from the key `cookies:` with a scalar.
public enum CookieJarSetting: Sendable, Hashable {
  /// A jar that all requests of the document share. This is the default.
  case shared
  /// No cookie jar. Cookies of responses are discarded.
  case none
  /// A cookie jar that is loaded from a Netscape cookie file and saved to the same file. The path is relative to the document.
  case file(String)
}
