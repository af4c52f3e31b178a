/// A request as a step describes it, with the defaults merged into it.
///
/// A value; behind it is one reference, and what few requests have takes no room in the others, since a document may have a hundred thousand of them.
public struct RequestTemplate: Sendable {
  /// What few requests have.
  private struct Rare: Sendable {
    var submit: SubmitTemplate?
    var reach: ReachTemplate?
    var listen: ListenTemplate?
    var params: ParametersTemplate?
    var query: ParametersTemplate?
    var cookies: [CookieTemplate] = []
    var auth: AuthTemplate?
    var body: BodyTemplate?
    var download: DownloadTemplate?
  }

  private final class RareBox: Sendable {
    let values: Rare

    init(_ values: Rare) { self.values = values }
  }

  /// `@unchecked Sendable`: it is changed only while one single value refers to it, which makes a copy of its own otherwise.
  private final class Storage: @unchecked Sendable {
    var method: Located<String>
    var url: URLTemplate
    var baseURL: URLTemplate?
    var headers: [HeaderTemplate] = []
    var transport = SharedTransportSettings.none
    var rare: RareBox?

    init(method: Located<String>, url: URLTemplate) {
      self.method = method
      self.url = url
    }

    init(_ other: Storage) {
      method = other.method
      url = other.url
      baseURL = other.baseURL
      headers = other.headers
      transport = other.transport
      rare = other.rare
    }
  }

  private var storage: Storage

  private mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage) }
  }

  private mutating func changeRare(_ change: (inout Rare) -> Void) {
    var values = storage.rare?.values ?? Rare()
    change(&values)
    makeUnique()
    storage.rare = RareBox(values)
  }

  /// The method: a token, in upper case for the nine of RFC 9110.
  public var method: Located<String> { storage.method }
  /// `submit:`: the form whose method, URL and body these are; then `method` and `url` only say so in words.
  public internal(set) var submit: SubmitTemplate? {
    get { storage.rare?.values.submit }
    set { if newValue != nil || storage.rare != nil { changeRare { $0.submit = newValue } } }
  }
  /// `reach:`: that nothing is sent, and `url` is only looked for; then `method` only says so in words.
  public internal(set) var reach: ReachTemplate? {
    get { storage.rare?.values.reach }
    set { if newValue != nil || storage.rare != nil { changeRare { $0.reach = newValue } } }
  }
  /// `listen:`: that nothing is sent, and a request is waited for at the path that `url` is; then `method` only says so in words.
  public internal(set) var listen: ListenTemplate? {
    get { storage.rare?.values.listen }
    set { if newValue != nil || storage.rare != nil { changeRare { $0.listen = newValue } } }
  }
  /// Whether a request goes out, and not only a host is looked for or a request waited for.
  public var isSent: Bool {
    guard let rare = storage.rare?.values else { return true }
    return rare.reach == nil && rare.listen == nil
  }
  /// The URL as the step gives it, absolute or relative.
  public var url: URLTemplate { storage.url }
  /// `base_url`: what a relative URL is appended to, and whose origin the default credentials belong to.
  public internal(set) var baseURL: URLTemplate? {
    get { storage.baseURL }
    set {
      makeUnique()
      storage.baseURL = newValue
    }
  }
  /// `params:`.
  public internal(set) var params: ParametersTemplate? {
    get { storage.rare?.values.params }
    set { if newValue != nil || storage.rare != nil { changeRare { $0.params = newValue } } }
  }
  /// `query:`.
  public internal(set) var query: ParametersTemplate? {
    get { storage.rare?.values.query }
    set { if newValue != nil || storage.rare != nil { changeRare { $0.query = newValue } } }
  }
  /// `headers:`, in order, defaults first, each name once.
  public internal(set) var headers: [HeaderTemplate] {
    get { storage.headers }
    set {
      makeUnique()
      storage.headers = newValue
    }
  }
  /// `cookies:` as a mapping, in order, defaults first.
  public internal(set) var cookies: [CookieTemplate] {
    get { storage.rare?.values.cookies ?? [] }
    set { if !newValue.isEmpty || storage.rare != nil { changeRare { $0.cookies = newValue } } }
  }
  /// How the request proves who sends it; nil if nothing is said.
  public internal(set) var auth: AuthTemplate? {
    get { storage.rare?.values.auth }
    set { if newValue != nil || storage.rare != nil { changeRare { $0.auth = newValue } } }
  }
  /// The body; nil if there is none, or only that of `params`.
  public internal(set) var body: BodyTemplate? {
    get { storage.rare?.values.body }
    set { if newValue != nil || storage.rare != nil { changeRare { $0.body = newValue } } }
  }
  /// `download:`.
  public internal(set) var download: DownloadTemplate? {
    get { storage.rare?.values.download }
    set { if newValue != nil || storage.rare != nil { changeRare { $0.download = newValue } } }
  }
  /// How it travels.
  public var transport: TransportSettings { storage.transport.settings }
  /// Whether anything is said of how it travels.
  package var hasTransport: Bool { storage.transport !== SharedTransportSettings.none }
  /// Whether it is no more than a method, a URL and header fields.
  package var isPlain: Bool { storage.rare == nil }
  var sharedTransport: SharedTransportSettings {
    get { storage.transport }
    set {
      makeUnique()
      storage.transport = newValue
    }
  }

  init(method: Located<String>, url: URLTemplate) { storage = Storage(method: method, url: url) }
}
