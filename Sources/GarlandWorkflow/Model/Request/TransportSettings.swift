/// The transport settings of requests; nil settings are unset.
public struct TransportSettings: Sendable {
  /// `timeout:`: the longest time without any data.
  public internal(set) var timeout: Setting<Duration>?
  /// `deadline:`: the longest time in total.
  public internal(set) var deadline: Setting<Duration>?
  /// `redirect.follow:`. Default: true, unless `expect.status` admits a 3xx.
  public internal(set) var followRedirects: Setting<Bool>?
  /// `redirect.max:`. Default: 20.
  public internal(set) var maxRedirects: Setting<Int>?
  /// `proxy:`, a URL, or `none`.
  public internal(set) var proxy: Setting<String>?
  /// `http:`.
  public internal(set) var httpVersion: Setting<HTTPVersionSetting>?
  /// `compress:`: how the body is compressed.
  public internal(set) var compression: Setting<CompressionSetting>?
  /// `resolve:`: addresses in place of those of DNS, by `HOST:PORT`.
  public internal(set) var resolve: [HostMapping] = []
  /// `connect_to:`: where to connect in place of `HOST:PORT`.
  public internal(set) var connectTo: [HostMapping] = []
  /// `unix_socket:`, a path.
  public internal(set) var unixSocket: Setting<String>?
  /// `interface:`, a name or an address.
  public internal(set) var interface: Setting<String>?
  /// `rate_limit:`: bytes a second, each way.
  public internal(set) var rateLimit: Setting<ByteSize>?
  /// `cookies:` as a scalar.
  public internal(set) var cookieJar: Setting<CookieJarSetting>?
  /// `max_body:`: the largest body of a response that is accepted.
  public internal(set) var maxBody: Setting<ByteSize>?
  /// `cache:`.
  public internal(set) var cache = CacheSettings()
  /// `wait_for_connectivity:`: whether to wait for this machine's network, where there is none.
  public internal(set) var waitForConnectivity: Setting<Bool>?
  /// `trace:` with true or false: whether each request names a span of the run's trace.
  public internal(set) var traces: Setting<Bool>?
  /// `tls:`.
  public internal(set) var tls: TLSSettings = TLSSettings()

  init() {}

  /// Whether all requests that say this travel alike, whenever they are sent: nothing in it is an expression, or made anew for each.
  package var isFixed: Bool {
    guard compression == nil, waitForConnectivity == nil, traces == nil, cookieJar == nil, cache.isEnabled == nil, unixSocket == nil,
      tls.pins.isEmpty,
      resolve.isEmpty, connectTo.isEmpty
    else { return false }
    func isConstant(_ setting: Setting<some SettingValue>?) -> Bool { setting.map { $0.constant != nil } ?? true }
    func isKnown(_ file: FileTemplate?) -> Bool { file.map { $0.resolved != nil } ?? true }
    return isConstant(timeout) && isConstant(deadline) && isConstant(followRedirects) && isConstant(maxRedirects) && isConstant(proxy)
      && isConstant(httpVersion) && isConstant(interface) && isConstant(rateLimit) && isConstant(maxBody) && isConstant(tls.verify)
      && isConstant(tls.minVersion) && isKnown(tls.ca) && isKnown(tls.cert) && isKnown(tls.key)
      && (tls.password.map { $0.constant != nil } ?? true)
  }
}

/// Transport settings that steps share: most steps have none but those of the defaults.
final class SharedTransportSettings: Sendable {
  let settings: TransportSettings

  init(_ settings: TransportSettings) { self.settings = settings }

  /// No settings.
  static let none = SharedTransportSettings(TransportSettings())
}
