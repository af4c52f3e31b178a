/// The request of a step, with the defaults merged into it.
///
/// The value consists of a single reference. Properties that few requests have take no space in the others, since a document may have a
/// hundred thousand requests.
public struct RequestTemplate: Sendable {
  /// The properties that few requests have. Each is behind a pointer, since a request with one of them mostly has no other.
  private final class Rare: Sendable {
    let method: Shared<Template>?
    let submit: Shared<SubmitTemplate>?
    let reach: Shared<ReachTemplate>?
    let listen: Shared<ListenTemplate>?
    let params: Shared<ParametersTemplate>?
    let query: Shared<ParametersTemplate>?
    let cookies: [CookieTemplate]
    let auth: Shared<AuthTemplate>?
    let body: Shared<BodyTemplate>?
    let download: Shared<DownloadTemplate>?
    let stream: StreamTemplate?

    /// Creates the properties that most of these requests have; the others are nil.
    init(
      params: ParametersTemplate?, query: ParametersTemplate?, cookies: [CookieTemplate], auth: AuthTemplate?, body: BodyTemplate?
    ) {
      method = nil
      submit = nil
      reach = nil
      listen = nil
      self.params = Shared(params)
      self.query = Shared(query)
      self.cookies = cookies
      self.auth = Shared(auth)
      self.body = Shared(body)
      download = nil
      stream = nil
    }

    init(_ draft: RareDraft) {
      method = draft.method
      submit = draft.submit
      reach = draft.reach
      listen = draft.listen
      params = draft.params
      query = draft.query
      cookies = draft.cookies
      auth = draft.auth
      body = draft.body
      download = draft.download
      stream = draft.stream
    }
  }

  /// A mutable copy of ``Rare``, while it is being changed.
  private struct RareDraft {
    var method: Shared<Template>?
    var submit: Shared<SubmitTemplate>?
    var reach: Shared<ReachTemplate>?
    var listen: Shared<ListenTemplate>?
    var params: Shared<ParametersTemplate>?
    var query: Shared<ParametersTemplate>?
    var cookies: [CookieTemplate] = []
    var auth: Shared<AuthTemplate>?
    var body: Shared<BodyTemplate>?
    var download: Shared<DownloadTemplate>?
    var stream: StreamTemplate?

    init(_ rare: Rare?) {
      guard let rare else { return }
      method = rare.method
      submit = rare.submit
      reach = rare.reach
      listen = rare.listen
      params = rare.params
      query = rare.query
      cookies = rare.cookies
      auth = rare.auth
      body = rare.body
      download = rare.download
      stream = rare.stream
    }
  }

  /// The storage of a request, which is copied on write.
  ///
  /// `@unchecked Sendable`: it is changed only while a single value refers to it, and the compiler ensures exclusive access to that value.
  /// If several values refer to it, it is copied first.
  private final class Storage: @unchecked Sendable {
    var method: Located<String>
    var url: URLTemplate
    var baseURL: Shared<URLTemplate>?
    var headers: [HeaderTemplate] = []
    var transport = SharedTransportSettings.none
    var rare: Rare?

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

  private mutating func changeRare(_ change: (inout RareDraft) -> Void) {
    var draft = RareDraft(storage.rare)
    change(&draft)
    makeUnique()
    storage.rare = Rare(draft)
  }

  /// Sets several properties that few requests have, all at once.
  mutating func take(
    params: ParametersTemplate?, query: ParametersTemplate?, body: BodyTemplate?, cookies: [CookieTemplate], auth: AuthTemplate?
  ) {
    guard params != nil || query != nil || body != nil || !cookies.isEmpty || auth != nil else { return }
    if storage.rare == nil {
      makeUnique()
      storage.rare = Rare(params: params, query: query, cookies: cookies, auth: auth, body: body)
      return
    }
    changeRare { draft in
      draft.params = Shared(params)
      draft.query = Shared(query)
      draft.body = Shared(body)
      draft.cookies = cookies
      draft.auth = Shared(auth)
    }
  }

  /// The method: a token, as written. Methods are case-sensitive (RFC 9110, section 9.1).
  public var method: Located<String> { storage.method }
  /// The template of the method; nil if the method is literal.
  public internal(set) var methodTemplate: Template? {
    get { storage.rare?.method?.value }
    set { if newValue != nil || storage.rare?.method != nil { changeRare { $0.method = Shared(newValue) } } }
  }
  /// Whether a text is a valid method.
  package static func isMethod(_ name: String) -> Bool { MediaTypePattern.isToken(name) }
  /// `submit:`: the form that determines method, URL and body. `method` and `url` are then only descriptions in words.
  public internal(set) var submit: SubmitTemplate? {
    get { storage.rare?.submit?.value }
    set { if newValue != nil || storage.rare?.submit != nil { changeRare { $0.submit = Shared(newValue) } } }
  }
  /// `reach:`: the request is not sent; the step only waits until the host of `url` is reachable. `method` is then only a description.
  public internal(set) var reach: ReachTemplate? {
    get { storage.rare?.reach?.value }
    set { if newValue != nil || storage.rare?.reach != nil { changeRare { $0.reach = Shared(newValue) } } }
  }
  /// `listen:`: the request is not sent; the step waits for a request at the path in `url`. `method` is then only a description.
  public internal(set) var listen: ListenTemplate? {
    get { storage.rare?.listen?.value }
    set { if newValue != nil || storage.rare?.listen != nil { changeRare { $0.listen = Shared(newValue) } } }
  }
  /// Whether the request is sent; false for `reach` and `listen`.
  public var isSent: Bool {
    guard let rare = storage.rare else { return true }
    return rare.reach == nil && rare.listen == nil
  }
  /// The URL as written in the step, absolute or relative.
  public var url: URLTemplate { storage.url }
  /// `base_url`: the base of a relative URL, and the only origin that receives the default credentials.
  public var baseURL: URLTemplate? { storage.baseURL?.value }
  var sharedBaseURL: Shared<URLTemplate>? {
    get { storage.baseURL }
    set {
      makeUnique()
      storage.baseURL = newValue
    }
  }
  /// `params:`.
  public internal(set) var params: ParametersTemplate? {
    get { storage.rare?.params?.value }
    set { if newValue != nil || storage.rare?.params != nil { changeRare { $0.params = Shared(newValue) } } }
  }
  /// `query:`.
  public internal(set) var query: ParametersTemplate? {
    get { storage.rare?.query?.value }
    set { if newValue != nil || storage.rare?.query != nil { changeRare { $0.query = Shared(newValue) } } }
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
    get { storage.rare?.cookies ?? [] }
    set { if !newValue.isEmpty || storage.rare?.cookies.isEmpty == false { changeRare { $0.cookies = newValue } } }
  }
  /// The credentials of the request; nil if there are none.
  public internal(set) var auth: AuthTemplate? {
    get { storage.rare?.auth?.value }
    set { if newValue != nil || storage.rare?.auth != nil { changeRare { $0.auth = Shared(newValue) } } }
  }
  /// The body; nil if there is none, or if only `params` are sent in the body.
  public internal(set) var body: BodyTemplate? {
    get { storage.rare?.body?.value }
    set { if newValue != nil || storage.rare?.body != nil { changeRare { $0.body = Shared(newValue) } } }
  }
  /// `download:`.
  public internal(set) var download: DownloadTemplate? {
    get { storage.rare?.download?.value }
    set { if newValue != nil || storage.rare?.download != nil { changeRare { $0.download = Shared(newValue) } } }
  }
  /// `events:` or `lines:`; nil if the whole body is read.
  public internal(set) var stream: StreamTemplate? {
    get { storage.rare?.stream }
    set { if newValue != nil || storage.rare?.stream != nil { changeRare { $0.stream = newValue } } }
  }
  /// The transport settings.
  public var transport: TransportSettings { _read { yield storage.transport.settings } }
  /// Whether the request has transport settings.
  package var hasTransport: Bool { storage.transport !== SharedTransportSettings.none }
  /// An identifier of the transport settings. Requests whose settings have the same text share one object.
  package var transportIdentity: ObjectIdentifier { ObjectIdentifier(storage.transport) }
  /// Whether the request has only a method, a URL and header fields.
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

extension RequestTemplate {
  /// Returns the URL to which the request is sent: the step's URL, appended to `base_url` if it is relative.
  public func evaluateURL(in context: any EvaluationContext) throws(EvaluationError) -> (text: String, isSecret: Bool) {
    let own = try url.evaluate(in: context)
    guard let baseURL, !URLJoining.isAbsolute(own.text) else { return own }
    let base = try baseURL.evaluate(in: context)
    return (URLJoining.join(base.text, own.text), own.isSecret || base.isSecret)
  }

  /// Whether the document itself contains the scheme of a URL that is not HTTP. A scheme from an expression does not count: its value may
  /// come from a server, which must not get access to this machine's files.
  package func writes(_ scheme: OtherScheme) -> Bool {
    guard submit == nil, isSent, case .literal(let start)? = url.pieces.first else { return false }
    return OtherScheme(of: start) == scheme
  }
}
