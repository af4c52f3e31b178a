public import GarlandDiagnostics
import GarlandText

/// The request of a step, with the defaults merged into it.
///
/// The struct stores one reference. Properties that few requests have take no space in other requests, since a document may have a hundred
/// thousand requests.
public struct RequestTemplate: Sendable {
  /// The properties that few requests have. Each property is a reference to a separate object, since most requests use at most one of these
  /// properties, and an unused reference needs only eight bytes.
  private struct Rare: Sendable {
    var method: Shared<Template>?
    var params: Shared<ParametersTemplate>?
    var query: Shared<ParametersTemplate>?
    var cookies: [CookieTemplate] = []
    var auth: Shared<AuthTemplate>?
    var body: Shared<BodyTemplate>?
    var download: Shared<DownloadTemplate>?
    var stream: StreamTemplate?
  }

  /// The properties that most requests have, and a reference to the rare properties.
  private struct Values: Sendable {
    let method: Located<String>
    let url: URLTemplate
    var baseURL: Shared<URLTemplate>?
    var headers: [HeaderTemplate] = []
    var transport = SharedTransportSettings.none
    var rare: Shared<Rare>?
  }

  private var storage: CopyOnWrite<Values>

  private var rare: Shared<Rare>? { storage.value.rare }

  private mutating func changeRare(_ change: (inout Rare) -> Void) {
    var rare = self.rare?.value ?? Rare()
    change(&rare)
    storage.value.rare = Shared(rare)
  }

  /// Sets several properties that few requests have. Setting them together copies the storage only once.
  mutating func take(
    params: ParametersTemplate?, query: ParametersTemplate?, body: BodyTemplate?, cookies: [CookieTemplate], auth: AuthTemplate?
  ) {
    guard params != nil || query != nil || body != nil || !cookies.isEmpty || auth != nil else { return }
    changeRare { rare in
      rare.params = Shared(params)
      rare.query = Shared(query)
      rare.body = Shared(body)
      rare.cookies = cookies
      rare.auth = Shared(auth)
    }
  }

  /// The method of the request as written. The method is a token and case-sensitive (RFC 9110, section 9.1).
  public var method: Located<String> { storage.value.method }
  /// The method as a template with expressions; nil if the method is literal.
  public internal(set) var methodTemplate: Template? {
    get { rare?.value.method?.value }
    set { if newValue != nil || rare?.value.method != nil { changeRare { $0.method = Shared(newValue) } } }
  }
  /// Whether a text is a valid method.
  package static func isMethod(_ name: String) -> Bool { HTTPToken.isToken(name) }
  /// The URL as written in the step, absolute or relative.
  public var url: URLTemplate { storage.value.url }
  /// The base of a relative URL, from the key `base_url`. Default credentials are sent only to its scheme, host and port.
  public var baseURL: URLTemplate? { storage.value.baseURL?.value }
  var sharedBaseURL: Shared<URLTemplate>? {
    get { storage.value.baseURL }
    set { storage.value.baseURL = newValue }
  }
  /// The parameters in the query or the body, from the key `params:`.
  public internal(set) var params: ParametersTemplate? {
    get { rare?.value.params?.value }
    set { if newValue != nil || rare?.value.params != nil { changeRare { $0.params = Shared(newValue) } } }
  }
  /// The parameters in the query, from the key `query:`.
  public internal(set) var query: ParametersTemplate? {
    get { rare?.value.query?.value }
    set { if newValue != nil || rare?.value.query != nil { changeRare { $0.query = Shared(newValue) } } }
  }
  /// The header fields in order, from the key `headers:`. Fields of the defaults come first, and each name occurs once.
  public internal(set) var headers: [HeaderTemplate] {
    get { storage.value.headers }
    set { storage.value.headers = newValue }
  }
  /// The cookies in order, from the key `cookies:` with a mapping. Cookies of the defaults come first.
  public internal(set) var cookies: [CookieTemplate] {
    get { rare?.value.cookies ?? [] }
    set { if !newValue.isEmpty || rare?.value.cookies.isEmpty == false { changeRare { $0.cookies = newValue } } }
  }
  /// The credentials of the request; nil if the request has no credentials.
  public internal(set) var auth: AuthTemplate? {
    get { rare?.value.auth?.value }
    set { if newValue != nil || rare?.value.auth != nil { changeRare { $0.auth = Shared(newValue) } } }
  }
  /// The body; nil if the request has no body, or if only `params` are sent in the body.
  public internal(set) var body: BodyTemplate? {
    get { rare?.value.body?.value }
    set { if newValue != nil || rare?.value.body != nil { changeRare { $0.body = Shared(newValue) } } }
  }
  /// The file to which the response is written, from the key `download:`.
  public internal(set) var download: DownloadTemplate? {
    get { rare?.value.download?.value }
    set { if newValue != nil || rare?.value.download != nil { changeRare { $0.download = Shared(newValue) } } }
  }
  /// The settings for reading the response as a stream, from the key `events:`, `lines:` or `parts:`; nil if the whole body is read.
  public internal(set) var stream: StreamTemplate? {
    get { rare?.value.stream }
    set { if newValue != nil || rare?.value.stream != nil { changeRare { $0.stream = newValue } } }
  }
  /// The transport settings of the request, such as time limits, proxy and TLS.
  public var transport: TransportSettings { _read { yield storage.value.transport.settings } }
  /// Whether the request has transport settings.
  package var hasTransport: Bool { storage.value.transport !== SharedTransportSettings.none }
  /// Whether the transport settings have equal values in all requests that share the settings. If true, the settings are evaluated only
  /// once.
  package var hasFixedTransport: Bool { storage.value.transport.isFixed }
  /// An identifier of the transport settings. Requests that share one settings object have the same identifier.
  package var transportIdentity: ObjectIdentifier { ObjectIdentifier(storage.value.transport) }
  /// Whether the request consists only of a method, a URL, header fields and transport settings.
  package var isPlain: Bool { storage.value.rare == nil }
  var sharedTransport: SharedTransportSettings {
    get { storage.value.transport }
    set { storage.value.transport = newValue }
  }

  init(method: Located<String>, url: URLTemplate) { storage = CopyOnWrite(Values(method: method, url: url)) }
}

extension RequestTemplate {
  /// Returns the URL to which the request is sent. A relative URL of the step is appended to `base_url`. `isSecret` is true if the URL
  /// contains a secret.
  public func evaluateURL(in context: any EvaluationContext) throws(EvaluationError) -> (text: String, isSecret: Bool) {
    let own = try url.evaluate(in: context)
    guard let baseURL, !URLJoining.isAbsolute(own.text) else { return own }
    let base = try baseURL.evaluate(in: context)
    return (URLJoining.join(base.text, own.text), own.isSecret || base.isSecret)
  }
}

/// A cookie that a request sends in addition to the cookies of the cookie jar.
public struct CookieTemplate: Sendable {
  /// The cookie's name as written.
  public let name: Located<String>
  let sharedNameTemplate: Shared<Template>?
  /// The cookie's value. If nil (`null` in the document), the cookie is not sent.
  public let value: Template?
  /// Whether the cookie is inherited from `defaults:`, and not written in the step. A default cookie is sent only to the scheme, host and
  /// port of `base_url`.
  public let isDefault: Bool

  /// The name as a template with expressions; nil if the name is literal.
  public var nameTemplate: Template? { sharedNameTemplate?.value }
}

/// The settings for writing the body of a response to a file, from the key `download:`.
public struct DownloadTemplate: Sendable {
  /// The path to which the body is written, from the key `to:`, relative to the working directory. This is the path of a file or, if
  /// ``usesSuggestedName`` is true, of a folder.
  public let to: Template
  /// Whether the response determines the file name, because of `name: suggested`.
  public let usesSuggestedName: Bool
  /// Whether an existing file is replaced, from the key `replace:`. If false, an existing file is an error. Default: true.
  public let replace: Setting<Bool>?
  /// Whether missing folders are created, from the key `create_dirs:`. Default: true.
  public let createDirs: Setting<Bool>?
  /// Whether an incomplete download is kept and continued later, from the key `resume:`. Default: false.
  public let resume: Setting<Bool>?
  /// The source range of the value of `download` in the document.
  public let range: SourceRange

  /// The advice, in a diagnostic, for a download whose path is an existing folder.
  package static let folderAdvice =
    "to download into a folder under the name that the server suggests, write `download: { to: FOLDER, name: suggested }`"
}

/// A header field of a request.
public struct HeaderTemplate: Sendable {
  /// The field's name as written in the document.
  public let name: Located<String>
  let sharedNameTemplate: Shared<Template>?
  /// The values of the field, one for each time that the field is sent. If empty, the field is not sent, even if Garland would send it by
  /// default.
  public let values: [Template]
  /// Whether the field is inherited from `defaults:`, and not written in the step. A default field with a secret value is sent only to the
  /// scheme, host and port of `base_url`.
  public let isDefault: Bool
  /// Whether the document already shows that the field contains a secret, for example because an expression refers to `secrets.NAME`. If
  /// false, the value of an expression may still turn out to be secret during the run.
  public let usesSecrets: Bool

  /// The name as a template with expressions; nil if the name is literal.
  public var nameTemplate: Template? { sharedNameTemplate?.value }
}
