/// `cookies:` as a scalar: the cookie jar that the requests use.
public enum CookieJarSetting: Sendable, Hashable {
  /// The default: all requests of the document share one jar.
  case shared
  /// No jar: cookies of responses are dropped.
  case none
  /// A jar that is loaded from a Netscape cookie file, relative to the document, and written back to that file.
  case file(String)
}
