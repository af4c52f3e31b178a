import GarlandDiagnostics

/// The settings for connections and transfers, such as time limits, proxy and TLS. A setting that is nil is unset.
public struct TransportSettings: Sendable {
  /// The maximum time without receiving or sending any data, from the key `timeout:`.
  public internal(set) var timeout: Setting<Duration>?
  /// The maximum total time of a request, from the key `deadline:`.
  public internal(set) var deadline: Setting<Duration>?
  /// Whether redirects are followed, from the key `redirect.follow:`. Default: true, unless `expect.status` expects a status code of a
  /// redirect.
  public internal(set) var followRedirects: Setting<Bool>?
  /// The maximum number of redirects, from the key `redirect.max:`. Default: 20.
  public internal(set) var maxRedirects: Setting<Int>?
  /// The URL of the proxy, or `none`, from the key `proxy:`.
  public internal(set) var proxy: Setting<String>?
  /// The version of HTTP, from the key `http:`.
  public internal(set) var httpVersion: Setting<HTTPVersionSetting>?
  /// The compression of the request's body, from the key `compress:`.
  public internal(set) var compression: Setting<CompressionSetting>?
  /// The addresses to connect to instead of those from DNS, for each `HOST:PORT`, from the key `resolve:`.
  public internal(set) var resolve: [HostMapping] = []
  /// The hosts and ports to connect to instead of those in the URL, from the key `connect_to:`.
  public internal(set) var connectTo: [HostMapping] = []
  /// The path of a Unix domain socket to which requests are sent, from the key `unix_socket:`.
  public internal(set) var unixSocket: Setting<String>?
  /// The network interface to use, by its name or address, from the key `interface:`.
  public internal(set) var interface: Setting<String>?
  /// The maximum number of bytes per second in each direction, from the key `rate_limit:`.
  public internal(set) var rateLimit: Setting<ByteSize>?
  /// The cookie jar to use, from the key `cookies:` with a scalar.
  public internal(set) var cookieJar: Setting<CookieJarSetting>?
  /// The maximum size of a response's body, from the key `max_body:`.
  public internal(set) var maxBody: Setting<ByteSize>?
  /// The settings for cached responses, from the key `cache:`.
  public internal(set) var cache = CacheSettings()
  /// Whether to wait for a network connection if this machine has no network, from the key `wait_for_connectivity:`.
  public internal(set) var waitForConnectivity: Setting<Bool>?
  /// Whether each request sends a `traceparent` field with the trace ID of the run and a span ID of its own, from the key `trace:` with
  /// `true` or `false`.
  public internal(set) var traces: Setting<Bool>?
  /// The settings for TLS, from the key `tls:`.
  public internal(set) var tls: TLSSettings = TLSSettings()

  init() {}

  /// Calls a visitor for each setting that is a single value. The visitor also receives the value of the same setting in `defaults`.
  ///
  /// This method is the only list of these settings, with all facts about them. Decoding, merging, the collection of references, the list of
  /// a step's keys, the settings that are evaluated only once, and `garland export` use it.
  mutating func visit(_ visitor: inout some TransportVisitor, over defaults: TransportSettings = TransportSettings()) {
    visitor.visit("timeout", .engine, &timeout, defaults.timeout)
    visitor.visit("deadline", .engine, &deadline, defaults.deadline)
    visitor.visit("redirect", .engine, &followRedirects, defaults.followRedirects)
    visitor.visit("proxy", .engine, &proxy, defaults.proxy)
    visitor.visit("http", .engine, &httpVersion, defaults.httpVersion)
    visitor.visit("compress", .request, &compression, defaults.compression)
    visitor.visit("unix_socket", .request, &unixSocket, defaults.unixSocket)
    visitor.visit("interface", .engine, &interface, defaults.interface)
    visitor.visit("rate_limit", .engine, &rateLimit, defaults.rateLimit)
    visitor.visit("cookies", .request, &cookieJar, defaults.cookieJar)
    visitor.visit("max_body", .engine, &maxBody, defaults.maxBody)
    visitor.visit("redirect.max", .engine, &maxRedirects, defaults.maxRedirects)
    visitor.visit("cache", .request, &cache.isEnabled, defaults.cache.isEnabled)
    visitor.visit("cache.dir", .request, &cache.directory, defaults.cache.directory)
    visitor.visit("cache.policy", .request, &cache.policy, defaults.cache.policy)
    visitor.visit("wait_for_connectivity", .request, &waitForConnectivity, defaults.waitForConnectivity)
    visitor.visit("trace", .request, &traces, defaults.traces)
    visitor.visit("tls.min", .engine, &tls.minVersion, defaults.tls.minVersion)
    visitor.visit("tls.verify", .engine, &tls.verify, defaults.tls.verify)
  }

  /// The key and the source range of each transport setting that has a value. Settings with several values, such as `connect_to:`, are not
  /// included.
  package var written: [(key: String, range: SourceRange)] {
    var listing = TransportListing()
    var settings = self
    settings.visit(&listing)
    return listing.settings.map { ($0.key, $0.range) }
  }

  /// Whether these settings have the same values in all requests. False if a setting may contain an expression, or if a setting such as
  /// `cookies` is evaluated for each request.
  fileprivate var isFixed: Bool {
    guard tls.pins.isEmpty, resolve.isEmpty, connectTo.isEmpty, tls.password.map({ $0.constant != nil }) ?? true,
      [tls.ca, tls.cert, tls.key].allSatisfy({ $0.map { $0.resolved != nil } ?? true })
    else { return false }
    var listing = TransportListing()
    var settings = self
    settings.visit(&listing)
    return listing.settings.allSatisfy { $0.isConstant && $0.effect == .engine }
  }
}

/// The part of a request that a transport setting changes.
enum SettingEffect {
  /// Only the engine's settings, by the value alone. A constant value is evaluated once, for all requests.
  case engine
  /// More than the engine's settings, such as the body for `compress`, or a part that needs data of the run, such as the cookie jar for
  /// `cookies`. The value is evaluated for each request.
  case request
}

/// An operation on all transport settings, such as decoding or merging. The visitor handles one setting after another.
protocol TransportVisitor {
  /// Reads or changes one setting.
  ///
  /// - Parameters:
  ///   - key: the key of the setting in a step. A key within a mapping is preceded by the key of the mapping, as in `redirect.max`.
  ///   - effect: the part of a request that the setting changes.
  ///   - setting: the setting; nil if it is unset.
  ///   - inherited: the same setting of the defaults; nil if it is unset there.
  mutating func visit<Value: SettingValue>(
    _ key: String, _ effect: SettingEffect, _ setting: inout Setting<Value>?, _ inherited: Setting<Value>?)
}

/// A visitor that lists the settings that are set.
private struct TransportListing: TransportVisitor {
  private(set) var settings: [(key: String, effect: SettingEffect, range: SourceRange, isConstant: Bool)] = []

  mutating func visit<Value: SettingValue>(
    _ key: String, _ effect: SettingEffect, _ setting: inout Setting<Value>?, _ inherited: Setting<Value>?
  ) {
    if let setting { settings.append((key, effect, setting.range, setting.constant != nil)) }
  }
}

/// Transport settings that several steps share. Most steps have only the transport settings of `defaults:`.
final class SharedTransportSettings: Sendable {
  let settings: TransportSettings
  /// Whether these settings have the same values in all requests, so that they need to be evaluated only once.
  let isFixed: Bool

  init(_ settings: TransportSettings) {
    self.settings = settings
    isFixed = settings.isFixed
  }

  /// Transport settings that are all unset.
  static let none = SharedTransportSettings(TransportSettings())
}

/// The settings for storing and reusing responses, from the key `cache:`. A setting that is nil is unset.
public struct CacheSettings: Sendable {
  /// Whether responses are cached. A mapping as the value of `cache:` means true. Default: false.
  public internal(set) var isEnabled: Setting<Bool>?
  /// The folder for cached responses, relative to the working directory, from the key `cache.dir:`. If nil, responses are stored in memory
  /// until the document's run ends.
  public internal(set) var directory: Setting<String>?
  /// The rules for using stored responses, from the key `cache.policy:`. Default: `protocol`.
  public internal(set) var policy: Setting<CachePolicySetting>?

  init() {}
}

/// An entry of `resolve:` or `connect_to:`, which changes the target of a connection.
public struct HostMapping: Sendable {
  /// The host and port of the URLs to which this entry applies, in the form `HOST:PORT`.
  public let from: Located<String>
  /// The address that is used instead of ``from``: an IP address for `resolve`, and `HOST:PORT` for `connect_to`.
  public let to: Setting<String>
}

/// The version of HTTP that requests should use, from the key `http:`.
public enum HTTPVersionSetting: String, Sendable, Hashable, CaseIterable {
  /// Only HTTP/1.1 is used.
  case http1_1 = "1.1"
  /// HTTP/2 is used if the server supports it.
  case http2 = "2"
}

/// The compression of a request's body while it is sent, from the key `compress:`.
public enum CompressionSetting: String, Sendable, Hashable, CaseIterable {
  /// The body is compressed in the gzip format (RFC 1952).
  case gzip
  /// The body is compressed in the zlib format (RFC 1950).
  case deflate
}

/// The lowest TLS version that is allowed, from the key `tls.min:`.
public enum TLSVersionSetting: String, Sendable, Hashable, CaseIterable {
  /// TLS 1.0.
  case tls1_0 = "1.0"
  /// TLS 1.1.
  case tls1_1 = "1.1"
  /// TLS 1.2.
  case tls1_2 = "1.2"
  /// TLS 1.3.
  case tls1_3 = "1.3"
}

/// The cookie jar (the storage for cookies of responses) that requests use, from the key `cookies:` with a scalar.
public enum CookieJarSetting: Sendable, Hashable {
  /// A jar that all requests of the document share. This is the default.
  case shared
  /// No cookie jar. Cookies of responses are discarded.
  case none
  /// A cookie jar that is loaded from a Netscape cookie file and saved to the same file. The path is relative to the document.
  case file(String)
}
