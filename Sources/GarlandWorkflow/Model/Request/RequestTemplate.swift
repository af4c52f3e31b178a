/// A request as a step describes it, with the defaults merged into it.
public struct RequestTemplate: Sendable {
  /// The method: a token, in upper case for the nine of RFC 9110.
  public internal(set) var method: Located<String>
  /// `submit:`: the form whose method, URL and body these are; then `method` and `url` only say so in words.
  public internal(set) var submit: SubmitTemplate?
  /// `reach:`: that nothing is sent, and `url` is only looked for; then `method` only says so in words.
  public internal(set) var reach: ReachTemplate?
  /// The URL as the step gives it, absolute or relative.
  public internal(set) var url: URLTemplate
  /// `base_url`: what a relative URL is appended to, and whose origin the default credentials belong to.
  public internal(set) var baseURL: URLTemplate?
  /// `params:`.
  public internal(set) var params: ParametersTemplate?
  /// `query:`.
  public internal(set) var query: ParametersTemplate?
  /// `headers:`, in order, defaults first, each name once.
  public internal(set) var headers: [HeaderTemplate] = []
  /// `cookies:` as a mapping, in order, defaults first.
  public internal(set) var cookies: [CookieTemplate] = []
  /// How the request proves who sends it; nil if nothing is said.
  public internal(set) var auth: AuthTemplate?
  /// The body; nil if there is none, or only that of `params`.
  public internal(set) var body: BodyTemplate?
  /// `download:`.
  public internal(set) var download: DownloadTemplate?
  /// How it travels.
  public var transport: TransportSettings { sharedTransport.settings }
  var sharedTransport = SharedTransportSettings.none

  init(method: Located<String>, url: URLTemplate) {
    self.method = method
    self.url = url
  }
}
