/// The transport settings of requests. A setting that is nil is unset.
public struct TransportSettings: Sendable {
  /// `timeout:`: the maximum time without receiving or sending any data.
  public internal(set) var timeout: Setting<Duration>?
  /// `deadline:`: the maximum total time.
  public internal(set) var deadline: Setting<Duration>?
  /// Whether redirects are followed: `redirect.follow:`. Default: true, unless `expect.status` expects a 3xx.
  public internal(set) var followRedirects: Setting<Bool>?
  /// The maximum number of redirects: `redirect.max:`. Default: 20.
  public internal(set) var maxRedirects: Setting<Int>?
  /// The URL of the proxy, or `none`: `proxy:`.
  public internal(set) var proxy: Setting<String>?
  /// The version of HTTP: `http:`.
  public internal(set) var httpVersion: Setting<HTTPVersionSetting>?
  /// `compress:`: how the body is compressed.
  public internal(set) var compression: Setting<CompressionSetting>?
  /// `resolve:`: addresses by `HOST:PORT`, which are used instead of the addresses from DNS.
  public internal(set) var resolve: [HostMapping] = []
  /// `connect_to:`: the targets to connect to instead of `HOST:PORT`.
  public internal(set) var connectTo: [HostMapping] = []
  /// The path of a Unix domain socket to which requests are sent: `unix_socket:`.
  public internal(set) var unixSocket: Setting<String>?
  /// The network interface to use, by its name or address: `interface:`.
  public internal(set) var interface: Setting<String>?
  /// `rate_limit:`: the maximum number of bytes per second in each direction.
  public internal(set) var rateLimit: Setting<ByteSize>?
  /// The cookie jar to use: `cookies:` as a scalar.
  public internal(set) var cookieJar: Setting<CookieJarSetting>?
  /// `max_body:`: the maximum size of a response's body.
  public internal(set) var maxBody: Setting<ByteSize>?
  /// The settings for cached responses: `cache:`.
  public internal(set) var cache = CacheSettings()
  /// `wait_for_connectivity:`: whether to wait for a network connection if this machine has no network.
  public internal(set) var waitForConnectivity: Setting<Bool>?
  /// `trace:` with `true` or `false`: whether each request carries the trace context of the run, with its own span.
  public internal(set) var traces: Setting<Bool>?
  /// The settings for TLS: `tls:`.
  public internal(set) var tls: TLSSettings = TLSSettings()

  init() {}

  /// Whether all requests with these settings use the transport in the same way. False if a setting is an expression, or if its value is
  /// created anew for each request.
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

/// Transport settings that several steps share. Most steps have only the transport settings of `defaults:`.
final class SharedTransportSettings: Sendable {
  let settings: TransportSettings

  init(_ settings: TransportSettings) { self.settings = settings }

  /// Transport settings without any value.
  static let none = SharedTransportSettings(TransportSettings())
}
