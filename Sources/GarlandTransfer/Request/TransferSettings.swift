import CCurl
import GarlandText

/// The settings of a request: everything that is not part of the message.
///
/// ```swift
/// var settings = TransferSettings()
/// settings.deadline = .seconds(10)
/// settings.tls.minimumVersion = .tls1_3
/// ```
/// The settings and their defaults are documented in ``Values``. The defaults are careful: 60 s without
/// a byte is an error, certificates are verified, up to 20 redirects are followed, content codings
/// are decoded, and environment variables are ignored.
@dynamicMemberLookup
public struct TransferSettings: Sendable, Hashable {
  @usableFromInline struct Stored: Sendable {
    @usableFromInline var values = Values()
    /// The storage of the original settings, if these settings are a copy that differs only in the cookie jar; otherwise nil. All copies of
    /// the same original open connections in the same way; see ``travelAlike(_:)``.
    @usableFromInline var kin: CopyOnWrite<Stored>?

    init() {}

    @inlinable @inline(__always) mutating func change<Value>(_ path: WritableKeyPath<Values, Value>, to value: Value) {
      kin = nil
      values[keyPath: path] = value
    }
  }

  private static let defaults = CopyOnWrite(Stored())

  /// The storage of all settings. The storage is a single reference, because settings are copied with every request and rarely
  /// changed.
  @usableFromInline var storage: CopyOnWrite<Stored>

  /// Creates the default settings.
  public init() { storage = Self.defaults }

  /// Reads or writes a member of ``Values``. When this subscript is inlined, the compiler replaces the key path by direct access
  /// to the property.
  @inlinable public subscript<Value>(dynamicMember value: WritableKeyPath<Values, Value>) -> Value {
    @inline(__always) get { storage.value.values[keyPath: value] }
    @inline(__always) set { storage.value.change(value, to: newValue) }
  }

  /// Whether both values share their storage, as unchanged copies do. This test is cheap; if it is true, the
  /// settings are equal.
  package func areIdentical(to other: TransferSettings) -> Bool { storage.isIdentical(to: other.storage) }

  /// Returns a copy of these settings with the given cookie jar. The copy and the original open connections in the same way, so
  /// ``travelAlike(_:)`` returns true for them.
  package func with(cookies: CookieJar?) -> TransferSettings {
    var settings = self
    settings.cookies = cookies
    settings.storage.value.kin = storage.value.kin ?? storage
    return settings
  }

  /// Whether these settings and `other` are copies of the same settings, and differ at most in the cookie jar. Such copies set up a
  /// connection and a libcurl handle in the same way. This test is cheap, since it does not compare the individual settings.
  package func travelAlike(_ other: TransferSettings) -> Bool {
    (storage.value.kin ?? storage).isIdentical(to: other.storage.value.kin ?? other.storage)
  }

  /// Whether all settings are equal.
  public static func == (left: TransferSettings, right: TransferSettings) -> Bool {
    left.storage.isIdentical(to: right.storage) || left.storage.value.values == right.storage.value.values
  }

  /// Hashes the settings; equal settings have equal hashes.
  public func hash(into hasher: inout Hasher) { hasher.combine(storage.value.values) }
}

extension TransferSettings {
  /// All settings as stored properties, with their defaults.
  public struct Values: Sendable, Hashable {
    /// The maximum time without a byte in either direction. `nil` means no limit. Defaults to 60 s.
    ///
    /// Two kinds of waiting do not count: waiting for a free connection, and waiting for the caller. The transfer waits for the caller
    /// until the caller provides the next piece of a ``BodyStream``, or reads from a stream of the response.
    public var idleTimeout: Duration? = .seconds(60)
    /// The time limit for the whole transfer, including the wait for a connection (see
    /// ``EngineConfiguration/waitingCountsForDeadlines``), redirects and the body. Defaults to
    /// none.
    public var deadline: Duration?
    /// The time limit for name lookup, TCP and TLS together. Defaults to the ``idleTimeout``.
    public var connectTimeout: Duration?
    /// Whether redirects (status 301, 302, 303, 307 or 308) are followed, or delivered to the caller. Followed by default.
    public var redirects: RedirectPolicy = .follow()
    /// A URL to which redirects are not followed, regardless of ``redirects``. A redirect to this URL is delivered as the response. The
    /// URLs are compared without query and fragment. An example is the URL to which an authorization server sends its users back.
    public var redirectBoundary: String?
    /// The preferred HTTP version.
    public var version: HTTPVersionPreference = .automatic
    /// The proxy. Defaults to none.
    public var proxy: ProxySetting = .none
    /// The addresses to connect to for certain hosts, instead of the addresses from a name lookup.
    public var resolve: [ResolveOverride] = []
    /// Hosts and ports to connect to instead of the host and port of the URL.
    public var connectTo: [ConnectOverride] = []
    /// The path of a Unix domain socket to connect to instead of the URL's host.
    public var unixSocket: String?
    /// The local network interface to use, by name or address.
    public var interface: String?
    /// The IP versions to use.
    public var addressFamily: AddressFamily = .any
    /// The maximum receive rate in bytes per second.
    public var receiveRate: Int64?
    /// The maximum send rate in bytes per second.
    public var sendRate: Int64?
    /// The TLS settings.
    public var tls: TLSSettings = TLSSettings()
    /// For each host, the checks of the server that must succeed before a request is sent. `nil` applies ``tls`` to all hosts.
    public var serverTrust: ServerTrustManager?
    /// Whether ``TransactionMetrics/security`` is recorded for TLS connections. The recording costs some microseconds per request. Defaults
    /// to false.
    public var recordsSecurity: Bool = false
    /// The maximum size in bytes of a decoded body in memory or on disk. Defaults to 1 GiB; `nil` means no
    /// limit.
    public var maximumBodyBytes: Int64? = 1 << 30
    /// The maximum size in bytes of a response's header. Each interim response and each redirect is counted
    /// separately. Defaults to 256 KiB.
    public var maximumHeaderBytes: Int = 256 << 10
    /// The maximum number of fields in a response's header. Defaults to 1,000.
    public var maximumHeaderFields: Int = 1000
    /// Whether `Accept-Encoding` is sent, and the codings gzip, deflate, br and zstd are decoded.
    public var decodesContent: Bool = true
    /// The `User-Agent` of requests whose header has no such field; `nil` sends no `User-Agent`.
    public var userAgent: String? = "Garland/1"
    /// Whether a request waits for `100 Continue` before its body is sent.
    public var expectContinue: ExpectContinue = .automatic
    /// The cookie jar. Defaults to none.
    public var cookies: CookieJar?
    /// The response cache. Defaults to none.
    public var cache: ResponseCache?
    /// The rule by which requests use ``cache``. Defaults to ``CachePolicy/useProtocol``.
    public var cachePolicy: CachePolicy = .useProtocol
    /// The priority among transfers that wait for a connection. Defaults to normal.
    public var priority: TransferPriority = .normal
    /// Whether the transfer opens a new connection, which is closed afterwards.
    public var usesFreshConnection: Bool = false
  }
}

/// A receiver of the settings that libcurl and the command `curl` have as one option each.
protocol OptionVisitor {
  associatedtype Failure: Error
  /// Receives an option.
  ///
  /// - Parameters:
  ///   - option: the option of libcurl.
  ///   - value: the value of the option; nil if it is the default.
  ///   - word: the option of the command `curl`; nil if the command needs none.
  mutating func visit(_ option: CURLoption, _ value: OptionValue?, word: String?) throws(Failure)
}

/// The value of an option of libcurl.
enum OptionValue {
  case text(String)
  case size(Int64)
  /// A number that the command `curl` does not have, since the name of its option says the same.
  case choice(Int)
}

extension TransferSettings {
  /// Calls a visitor once for each setting that libcurl and the command `curl` have as one option each. The engine sets its options with this
  /// list, and printed curl commands are made with it.
  func visitOptions<Visitor: OptionVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.visit(CURLOPT_UNIX_SOCKET_PATH, self.unixSocket.map { .text($0) }, word: "--unix-socket")
    try visitor.visit(CURLOPT_INTERFACE, self.interface.map { .text($0) }, word: "--interface")
    switch self.addressFamily {
    case .any: try visitor.visit(CURLOPT_IPRESOLVE, nil, word: nil)
    case .ipv4: try visitor.visit(CURLOPT_IPRESOLVE, .choice(Int(CURL_IPRESOLVE_V4)), word: "--ipv4")
    case .ipv6: try visitor.visit(CURLOPT_IPRESOLVE, .choice(Int(CURL_IPRESOLVE_V6)), word: "--ipv6")
    }
    let receiveRate = self.receiveRate
    try visitor.visit(CURLOPT_MAX_RECV_SPEED_LARGE, receiveRate.map { .size($0) }, word: "--limit-rate")
    // The command has one option for both directions.
    try visitor.visit(CURLOPT_MAX_SEND_SPEED_LARGE, self.sendRate.map { .size($0) }, word: receiveRate == nil ? "--limit-rate" : nil)
  }
}

/// The IP versions to use.
public enum AddressFamily: Sendable, Hashable {
  /// Both IP versions are used; the first connection that succeeds counts.
  case any
  /// Only IPv4 is used.
  case ipv4
  /// Only IPv6 is used.
  case ipv6
}

/// A host and port to connect to instead of the host and port in the URL, like curl's `--connect-to`. TLS and the field `Host` still use
/// the host of the URL.
public struct ConnectOverride: Sendable, Hashable {
  /// The host in the URL; nil matches any host.
  public var host: String?
  /// The port in the URL; nil matches any port.
  public var port: Int?
  /// The host to connect to; nil for the host of the URL.
  public var toHost: String?
  /// The port to connect to; nil for the port of the URL.
  public var toPort: Int?

  /// Creates an override: connections to `host` and `port` go to `toHost` and `toPort` instead. If `host` or `port` is nil, any value
  /// matches. If `toHost` or `toPort` is nil, the value in the URL is used.
  public init(host: String? = nil, port: Int? = nil, toHost: String? = nil, toPort: Int? = nil) {
    self.host = host
    self.port = port
    self.toHost = toHost
    self.toPort = toPort
  }
}

/// Whether a request waits for the server's permission before its body is sent: it sends
/// `Expect: 100-continue` and waits for the response, at most a second.
public enum ExpectContinue: Sendable, Hashable {
  /// The request waits for the server's permission (100 Continue) to send a body that is larger than 1 MiB or of unknown length.
  case automatic
  /// Before every body, the request waits until the server sends 100 Continue.
  case always
  /// The request sends its body without waiting for the server's permission.
  case never
}

/// The preferred HTTP version.
public enum HTTPVersionPreference: Sendable, Hashable {
  /// HTTP/2 over TLS is used if the server supports it, otherwise HTTP/1.1.
  case automatic
  /// Only HTTP/1.1 is used.
  case http1
  /// HTTP/2, negotiated over TLS. The first requests to an origin wait until one of them has opened a connection, and then share this
  /// connection.
  ///
  /// Without TLS, each request asks for HTTP/2 with an `Upgrade` field. With libcurl 7.88, each of these requests needs its own connection;
  /// see the page WhatLibcurlDecides of GarlandNetworking.
  case http2
  /// HTTP/2 from the first byte, also without TLS. With libcurl 7.88, each request without TLS has its own connection; see the page
  /// WhatLibcurlDecides of GarlandNetworking.
  case http2PriorKnowledge
}

/// Addresses for a host and port, like curl's `--resolve`.
public struct ResolveOverride: Sendable, Hashable {
  /// The host in the URL.
  public var host: String
  /// The explicit or default port of the URL.
  public var port: Int
  /// The IP addresses to which connections for this host are made.
  public var addresses: [String]

  /// Creates an override of the addresses of a host and port.
  public init(host: String, port: Int, addresses: [String]) {
    self.host = host
    self.port = port
    self.addresses = addresses
  }
}

/// The priority of a transfer among the transfers that wait for a connection to the same origin.
///
/// Transfers with a higher priority start first; transfers with equal priority start in the order of arrival. Over HTTP/2 the server
/// receives the priority too, and may use or ignore it.
public enum TransferPriority: Int, Sendable, Hashable, Comparable, CaseIterable {
  /// The transfer starts after the transfers of all other priorities.
  case low
  /// The default priority, between ``low`` and ``high``.
  case normal
  /// The transfer starts before the transfers of all other priorities.
  case high

  /// Orders priorities from low to high.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The weight of the HTTP/2 stream of a transfer with this priority. HTTP/2 allows 1 to 256; its default is 16 (RFC 7540, section 5.3.2).
  var streamWeight: Int {
    switch self {
    case .low: 4
    case .normal: 16
    case .high: 64
    }
  }
}
