/// The settings that a step and the defaults share, before they are merged.
struct StepSettings {
  /// Default settings that are empty.
  static var noDefaults: StepSettings {
    var settings = StepSettings()
    settings.isEmpty = true
    return settings
  }

  var baseURL: Shared<URLTemplate>?
  /// Whether the property ``baseURL`` has its value from `defaults:`.
  var isBaseURLDefault = false
  var params: ParametersTemplate?
  var parameterOptions = ParametersTemplate.Overrides()
  var query: ParametersTemplate?
  var headers: [HeaderTemplate] = []
  var cookies: [CookieTemplate] = []
  var auth: AuthTemplate?
  var body: BodyTemplate?
  var transport = SharedTransportSettings.none
  var expectations: [(key: ExpectKey, expectations: [Expectation])] = []
  /// The ``expectations`` as an object that steps with the same text share. Nil if only this step has these expectations, or if
  /// default expectations were merged into them.
  var sharedExpectations: SharedExpectations?
  /// The distance in bytes from the position of the shared expectations to the position of this step's own text.
  var expectationShift = 0
  var allowFailure: Bool?
  var tags: [String]?
  var repetition = Repetition.none
  var uses: [ResourceUse]?
  var exclusive: Bool?
  /// Whether these are defaults without any setting.
  var isEmpty = false
  /// The keys whose value is null, which switches off the default of the key.
  var nulls: KeySet<StepKey> = []
  /// Whether an expectation applies only to a received request.
  var expectsOfRequest = false
  /// Whether an expectation applies to a stream.
  var expectsOfStream = false

  /// Whether the settings affect neither the time when the step runs nor the effect of its failure.
  var saysNothingOfFlow: Bool { allowFailure == nil && uses == nil && exclusive == nil }

  /// Whether the settings contain a part of the request other than its method, URL and header fields.
  var saysWhatIsSent: Bool { params != nil || query != nil || body != nil || auth != nil || !cookies.isEmpty }

  /// Removes the expectations of the defaults.
  mutating func leaveDefaultExpectations() {
    expectations = expectations.map { ($0.key, $0.expectations.filter { !$0.isDefault }) }
    sharedExpectations = nil
  }

  /// Merges these settings over the defaults.
  ///
  /// Mappings merge key by key, with header names compared case-insensitively. `expect` merges by its keys. All other settings replace the
  /// defaults.
  mutating func merge(over defaults: StepSettings) {
    isBaseURLDefault = baseURL == nil
    if defaults.isEmpty { return }
    baseURL = baseURL ?? defaults.baseURL
    allowFailure = allowFailure ?? defaults.allowFailure
    if tags == nil { tags = defaults.tags }
    if uses == nil, !nulls.contains(.uses) { uses = defaults.uses }
    exclusive = exclusive ?? defaults.exclusive
    if auth == nil, defaults.auth != nil { auth = defaults.auth }
    if params != nil || defaults.params != nil || defaults.body != nil { mergeParameters(defaults) }
    if defaults.query != nil, !nulls.contains(.query) { query = StepSettings.merge(query, over: defaults.query) }
    if !defaults.headers.isEmpty, !nulls.contains(.headers) { headers = StepSettings.merge(headers, over: defaults.headers) }
    if !defaults.cookies.isEmpty, !nulls.contains(.cookies) { cookies = StepSettings.merge(cookies, over: defaults.cookies) }
    if transport === SharedTransportSettings.none, nulls.isEmpty {
      transport = defaults.transport
    } else if transport !== SharedTransportSettings.none || defaults.transport !== SharedTransportSettings.none {
      transport = SharedTransportSettings(transport.settings.merged(over: defaults.transport.settings, nulls: nulls))
    }
    if !nulls.contains(.expect), !defaults.expectations.isEmpty {
      let own = expectations
      expectations = defaults.expectations.filter { inherited in !own.contains { $0.key.isSame(as: inherited.key) } } + own
      sharedExpectations = nil
    }
  }

  /// Merges `params`. Parameters that are sent in the body replace a default body.
  private mutating func mergeParameters(_ defaults: StepSettings) {
    let hasBody = body != nil || !nulls.isDisjoint(with: StepKey.bodies)
    parameterOptions = parameterOptions.over(defaults.parameterOptions)
    let options = parameterOptions.options
    let ownParamsAreBody = params != nil && (options.encoding != .url || options.destination == .body)
    if !hasBody, !ownParamsAreBody { body = defaults.body }
    if params == nil, !nulls.contains(.params) { params = defaults.params }
    params?.options = options
  }

  private static func merge(_ own: [HeaderTemplate], over defaults: [HeaderTemplate]) -> [HeaderTemplate] {
    guard !own.isEmpty else { return defaults }
    guard !defaults.isEmpty else { return own }
    var result = defaults
    for header in own {
      let name = header.name.value.lowercased()
      if let position = result.firstIndex(where: { $0.name.value.lowercased() == name }) {
        result[position] = header
      } else {
        result.append(header)
      }
    }
    return result
  }

  private static func merge(_ own: [CookieTemplate], over defaults: [CookieTemplate]) -> [CookieTemplate] {
    var result = defaults
    for cookie in own {
      if let position = result.firstIndex(where: { $0.name.value == cookie.name.value }) {
        result[position] = cookie
      } else {
        result.append(cookie)
      }
    }
    return result
  }

  private static func merge(_ own: ParametersTemplate?, over defaults: ParametersTemplate?) -> ParametersTemplate? {
    guard let own, let defaults else { return own ?? defaults }
    guard var members = defaults.value.members, let added = own.value.members else { return own }
    for member in added {
      let name = member.key.constantText
      if let name, let position = members.firstIndex(where: { $0.key.constantText == name }) {
        members[position] = member
      } else {
        members.append(member)
      }
    }
    return ParametersTemplate(value: .object(members, own.range), options: own.options, range: own.range, isDefault: false)
  }
}

extension ValueTemplate {
  /// The members of an object, which may be a template or a constant; nil for any other value.
  var members: [(key: Template, value: ValueTemplate)]? {
    switch self {
    case .object(let members, _): members
    case .constant(.object(let object), let range):
      object.map { (Template(.constant(.string($0.key)), at: range), .constant($0.value, range)) }
    default: nil
    }
  }
}

extension TransportSettings {
  func merged(over defaults: TransportSettings, nulls: KeySet<StepKey>) -> TransportSettings {
    var result = self
    func pick<Wrapped>(_ own: Setting<Wrapped>?, _ inherited: Setting<Wrapped>?, _ key: StepKey) -> Setting<Wrapped>? {
      own ?? (nulls.contains(key) ? nil : inherited)
    }
    result.timeout = pick(timeout, defaults.timeout, .timeout)
    result.deadline = pick(deadline, defaults.deadline, .deadline)
    result.followRedirects = pick(followRedirects, defaults.followRedirects, .redirect)
    result.maxRedirects = pick(maxRedirects, defaults.maxRedirects, .redirect)
    result.proxy = pick(proxy, defaults.proxy, .proxy)
    result.httpVersion = pick(httpVersion, defaults.httpVersion, .http)
    result.compression = pick(compression, defaults.compression, .compress)
    result.unixSocket = pick(unixSocket, defaults.unixSocket, .unixSocket)
    result.interface = pick(interface, defaults.interface, .interface)
    result.rateLimit = pick(rateLimit, defaults.rateLimit, .rateLimit)
    result.cookieJar = pick(cookieJar, defaults.cookieJar, .cookies)
    result.maxBody = pick(maxBody, defaults.maxBody, .maxBody)
    if !nulls.contains(.cache) { result.cache = cache.merged(over: defaults.cache) }
    result.waitForConnectivity = pick(waitForConnectivity, defaults.waitForConnectivity, .waitForConnectivity)
    result.traces = pick(traces, defaults.traces, .traces)
    if resolve.isEmpty, !nulls.contains(.resolve) { result.resolve = defaults.resolve }
    if connectTo.isEmpty, !nulls.contains(.connectTo) { result.connectTo = defaults.connectTo }
    if !nulls.contains(.tls) {
      func inherited<Value>(_ value: Value?, _ key: TLSKey) -> Value? { tls.nulls.contains(key) ? nil : value }
      result.tls.ca = tls.ca ?? inherited(defaults.tls.ca, .ca)
      result.tls.cert = tls.cert ?? inherited(defaults.tls.cert, .cert)
      // The key belongs to the certificate of the same settings.
      result.tls.key = tls.key ?? (tls.nulls.contains(.cert) ? nil : inherited(defaults.tls.key, .key))
      result.tls.password = tls.password ?? (tls.nulls.contains(.cert) ? nil : inherited(defaults.tls.password, .password))
      result.tls.minVersion = tls.minVersion ?? inherited(defaults.tls.minVersion, .min)
      result.tls.pins = tls.pins.isEmpty ? inherited(defaults.tls.pins, .pins) ?? [] : tls.pins
      result.tls.verify = tls.verify ?? inherited(defaults.tls.verify, .verify)
    }
    return result
  }
}

extension RequestTemplate {
  /// Adds the settings of the base URL, the header fields and the transport.
  mutating func addHead(of settings: StepSettings) {
    sharedBaseURL = settings.baseURL
    if !settings.headers.isEmpty { headers = settings.headers }
    addTransport(of: settings)
  }

  /// Adds the transport settings, if there are any.
  mutating func addTransport(of settings: StepSettings) {
    if settings.transport !== SharedTransportSettings.none { sharedTransport = settings.transport }
  }
}
