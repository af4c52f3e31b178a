/// The decoded settings of one step or of the defaults, before the settings of the step are merged with the defaults.
struct StepSettings {
  /// The defaults of a document without `defaults:`.
  static var noDefaults: StepSettings {
    var settings = StepSettings()
    settings.isEmpty = true
    return settings
  }

  var baseURL: Shared<URLTemplate>?
  /// Whether the value of ``baseURL`` was inherited from `defaults:`.
  var isBaseURLDefault = false
  var params: ParametersTemplate?
  var parameterOptions = ParametersTemplate.Overrides()
  var query: ParametersTemplate?
  var headers: [HeaderTemplate] = []
  var cookies: [CookieTemplate] = []
  var auth: AuthTemplate?
  var body: BodyTemplate?
  var transport = SharedTransportSettings.none
  var expected = Expected()
  var allowFailure: Bool?
  var tags: [String]?
  var repetition = Repetition.none
  var uses: [ResourceUse]?
  var exclusive: Bool?
  /// Whether these settings are the defaults of a document without `defaults:`. If true, the settings of a step need not be merged with
  /// these defaults.
  var isEmpty = false
  /// The keys with the value null. The default of such a key is not used.
  var nulls: KeySet<StepKey> = []

  /// The expectations of a step, or of the defaults.
  struct Expected {
    var groups: [(key: ExpectKey, expectations: [Expectation])] = []
    /// The expectations as an object that is shared by all steps with the same text under `expect`. Nil if the expectations are not shared,
    /// for example because default expectations were merged into them.
    var shared: SharedExpectations?
    /// The number of bytes to add to the source offsets in ``shared`` to get the offsets of the same text in this step; 0 if the
    /// expectations are not shared.
    var shift = 0
    /// Whether at least one expectation applies only to a received request.
    var concernsRequest = false
    /// Whether at least one expectation applies to a stream.
    var concernsStream = false
  }

  /// Whether the settings contain none of the keys `allow_failure`, `uses` and `exclusive`.
  var saysNothingOfFlow: Bool { allowFailure == nil && uses == nil && exclusive == nil }

  /// Whether the settings contain parameters, a query, a body, cookies or credentials for the request.
  var saysWhatIsSent: Bool { params != nil || query != nil || body != nil || auth != nil || !cookies.isEmpty }

  /// Removes the expectations that were inherited from the defaults.
  mutating func leaveDefaultExpectations() {
    expected.groups = expected.groups.map { ($0.key, $0.expectations.filter { !$0.isDefault }) }
    expected.shared = nil
  }

  /// Adds the defaults to these settings. A value in these settings takes precedence over the default value.
  ///
  /// Mappings merge key by key, with header names compared case-insensitively. In `expect`, a key such as `status` replaces the same key of
  /// the defaults, and the other keys of the defaults are kept. All other settings replace the defaults.
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
    if !nulls.contains(.expect), !defaults.expected.groups.isEmpty {
      let own = expected.groups
      expected.groups = defaults.expected.groups.filter { inherited in !own.contains { $0.key.isSame(as: inherited.key) } } + own
      expected.shared = nil
    }
  }

  /// Merges `params` with the defaults. Parameters that are sent in the body replace a default body.
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
  /// The members of a mapping, whose keys and values may contain expressions; nil if the value is not a mapping.
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
  /// Returns a copy of these settings in which each setting without a value has the value of the defaults.
  ///
  /// - Parameter nulls: the keys with the value null. A setting with such a key gets no default.
  func merged(over defaults: TransportSettings, nulls: KeySet<StepKey>) -> TransportSettings {
    var result = self
    let off = nulls.isEmpty ? [] : Set(nulls.keys.map(\.rawValue))
    var merging = TransportMerging(off: off.union(tls.nulls.map { "tls.\($0.rawValue)" }))
    result.visit(&merging, over: defaults)
    if resolve.isEmpty, !nulls.contains(.resolve) { result.resolve = defaults.resolve }
    if connectTo.isEmpty, !nulls.contains(.connectTo) { result.connectTo = defaults.connectTo }
    if !nulls.contains(.tls) {
      func inherited<Value>(_ value: Value?, _ key: TLSKey) -> Value? { tls.nulls.contains(key) ? nil : value }
      result.tls.ca = tls.ca ?? inherited(defaults.tls.ca, .ca)
      result.tls.cert = tls.cert ?? inherited(defaults.tls.cert, .cert)
      // Settings with their own certificate do not inherit the default key, since it belongs to the default certificate.
      result.tls.key = tls.key ?? (tls.nulls.contains(.cert) ? nil : inherited(defaults.tls.key, .key))
      result.tls.password = tls.password ?? (tls.nulls.contains(.cert) ? nil : inherited(defaults.tls.password, .password))
      result.tls.pins = tls.pins.isEmpty ? inherited(defaults.tls.pins, .pins) ?? [] : tls.pins
    }
    return result
  }
}

/// A visitor of transport settings that sets each unset setting to its value in the defaults.
private struct TransportMerging: TransportVisitor {
  /// The names of the keys whose value is null. Such a key does not inherit a default setting.
  let off: Set<String>

  mutating func visit<Value: SettingValue>(
    _ key: String, _ effect: SettingEffect, _ setting: inout Setting<Value>?, _ inherited: Setting<Value>?
  ) {
    guard setting == nil, inherited != nil else { return }
    if !off.isEmpty, off.contains(key) || off.contains(String(key.prefix { $0 != "." })) { return }
    setting = inherited
  }
}

extension RequestTemplate {
  /// Copies the base URL, the header fields and the transport settings from a step's settings to this request.
  mutating func addHead(of settings: StepSettings) {
    sharedBaseURL = settings.baseURL
    if !settings.headers.isEmpty { headers = settings.headers }
    addTransport(of: settings)
  }

  /// Copies the transport settings from a step's settings to this request, if there are any.
  mutating func addTransport(of settings: StepSettings) {
    if settings.transport !== SharedTransportSettings.none { sharedTransport = settings.transport }
  }
}
