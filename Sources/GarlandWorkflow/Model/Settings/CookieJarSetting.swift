/// `cookies:` as a scalar: which jar the requests use.
public enum CookieJarSetting: Sendable, Hashable {
  /// One jar for the document, the default.
  case shared
  /// No jar: cookies of responses are dropped.
  case none
  /// A jar that starts from a Netscape cookie file and is written back to it, relative to the document.
  case file(String)
}
