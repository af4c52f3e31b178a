import GarlandDiagnostics

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

  /// Passes each setting that is a single value to a visitor, together with the same setting of the defaults.
  ///
  /// This is the only list of these settings: decoding, merging, references and `garland export` go through it.
  mutating func visit(_ visitor: inout some TransportVisitor, over defaults: TransportSettings = TransportSettings()) {
    visitor.visit("timeout", &timeout, defaults.timeout)
    visitor.visit("deadline", &deadline, defaults.deadline)
    visitor.visit("redirect", &followRedirects, defaults.followRedirects)
    visitor.visit("proxy", &proxy, defaults.proxy)
    visitor.visit("http", &httpVersion, defaults.httpVersion)
    visitor.visit("compress", &compression, defaults.compression)
    visitor.visit("unix_socket", &unixSocket, defaults.unixSocket)
    visitor.visit("interface", &interface, defaults.interface)
    visitor.visit("rate_limit", &rateLimit, defaults.rateLimit)
    visitor.visit("cookies", &cookieJar, defaults.cookieJar)
    visitor.visit("max_body", &maxBody, defaults.maxBody)
    visitor.visit("redirect.max", &maxRedirects, defaults.maxRedirects)
    visitor.visit("cache", &cache.isEnabled, defaults.cache.isEnabled)
    visitor.visit("cache.dir", &cache.directory, defaults.cache.directory)
    visitor.visit("cache.policy", &cache.policy, defaults.cache.policy)
    visitor.visit("wait_for_connectivity", &waitForConnectivity, defaults.waitForConnectivity)
    visitor.visit("trace", &traces, defaults.traces)
    visitor.visit("tls.min", &tls.minVersion, defaults.tls.minVersion)
    visitor.visit("tls.verify", &tls.verify, defaults.tls.verify)
  }

  /// The keys of the settings that are single values and are set, with their places.
  package var written: [(key: String, range: SourceRange)] {
    var listing = TransportListing()
    var settings = self
    settings.visit(&listing)
    return listing.settings.map { ($0.key, $0.range) }
  }

  /// Whether all requests with these settings use the transport in the same way. False if a setting is an expression, or if its value is
  /// created anew for each request.
  fileprivate var isFixed: Bool {
    guard tls.pins.isEmpty, resolve.isEmpty, connectTo.isEmpty, tls.password.map({ $0.constant != nil }) ?? true,
      [tls.ca, tls.cert, tls.key].allSatisfy({ $0.map { $0.resolved != nil } ?? true })
    else { return false }
    var listing = TransportListing()
    var settings = self
    settings.visit(&listing)
    return listing.settings.allSatisfy { $0.isConstant && !Self.perRequest.contains($0.key) }
  }

  /// The settings whose value is created anew for each request.
  private static let perRequest: Set<String> = ["compress", "wait_for_connectivity", "trace", "cookies", "cache", "unix_socket"]
}

/// Reads or changes transport settings, each together with the same setting of the defaults.
protocol TransportVisitor {
  /// - Parameters:
  ///   - key: the key in a step; within a mapping with its name, such as `redirect.max`.
  ///   - setting: the setting; nil if it is unset.
  ///   - inherited: the setting of the defaults.
  mutating func visit<Value: SettingValue>(_ key: String, _ setting: inout Setting<Value>?, _ inherited: Setting<Value>?)
}

/// The settings that are set.
private struct TransportListing: TransportVisitor {
  private(set) var settings: [(key: String, range: SourceRange, isConstant: Bool)] = []

  mutating func visit<Value: SettingValue>(_ key: String, _ setting: inout Setting<Value>?, _ inherited: Setting<Value>?) {
    if let setting { settings.append((key, setting.range, setting.constant != nil)) }
  }
}

/// Transport settings that several steps share. Most steps have only the transport settings of `defaults:`.
final class SharedTransportSettings: Sendable {
  let settings: TransportSettings
  /// Whether all requests with these settings use the transport in the same way.
  let isFixed: Bool

  init(_ settings: TransportSettings) {
    self.settings = settings
    isFixed = settings.isFixed
  }

  /// Transport settings without any value.
  static let none = SharedTransportSettings(TransportSettings())
}
