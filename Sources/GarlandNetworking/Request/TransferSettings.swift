/// How a request is sent: everything that is not part of the message.
///
/// The defaults are those of a careful client: 60 s without a byte is an error, certificates are verified, up to 20 redirects are followed,
/// content codings are undone, nothing is read from environment variables.
public struct TransferSettings: Sendable, Hashable {
  private struct Values: Sendable, Hashable {
    var idleTimeout: Duration? = .seconds(60)
    var deadline: Duration?
    var connectTimeout: Duration?
    var redirects: RedirectPolicy = .follow()
    var redirectBoundary: String?
    var version: HTTPVersionPreference = .automatic
    var proxy: ProxySetting = .none
    var resolve: [ResolveOverride] = []
    var connectTo: [ConnectOverride] = []
    var unixSocket: String?
    var interface: String?
    var addressFamily: AddressFamily = .any
    var receiveRate: Int64?
    var sendRate: Int64?
    var tls: TLSSettings = TLSSettings()
    var serverTrust: ServerTrustManager?
    var recordsSecurity: Bool = false
    var maximumBodyBytes: Int64? = 1 << 30
    var maximumHeaderBytes: Int = 256 << 10
    var maximumHeaderFields: Int = 1000
    var decodesContent: Bool = true
    var userAgent: String? = "Garland/1"
    var expectContinue: ExpectContinue = .automatic
    var cookies: CookieJar?
    var cache: ResponseCache?
    var cachePolicy: CachePolicy = .useProtocol
    var priority: TransferPriority = .normal
    var usesFreshConnection: Bool = false
  }

  /// `@unchecked Sendable`: it is changed only while one single value refers to it, which makes a copy of its own otherwise.
  private final class Storage: @unchecked Sendable {
    var values: Values

    init(_ values: Values) { self.values = values }

    static let defaults = Storage(Values())
  }

  /// Behind one reference: settings are copied with every request, and seldom changed.
  private var storage = Storage.defaults

  private mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.values) }
  }

  /// Whether both are copies of the same settings, unchanged since: cheap, and true only if they are equal.
  func areIdentical(to other: TransferSettings) -> Bool { storage === other.storage }

  /// Whether all of them are equal.
  public static func == (left: TransferSettings, right: TransferSettings) -> Bool {
    left.storage === right.storage || left.storage.values == right.storage.values
  }

  /// Agrees with `==`.
  public func hash(into hasher: inout Hasher) { hasher.combine(storage.values) }

  /// How long nothing may happen, in either direction; data resets it. `nil` waits forever. Defaults to 60 s. It does not run while the
  /// transfer waits for a free connection.
  public var idleTimeout: Duration? {
    get { storage.values.idleTimeout }
    set {
      makeUnique()
      storage.values.idleTimeout = newValue
    }
  }
  /// The limit for all of it: waiting, redirects, the body. Defaults to none.
  public var deadline: Duration? {
    get { storage.values.deadline }
    set {
      makeUnique()
      storage.values.deadline = newValue
    }
  }
  /// The limit for name lookup, TCP and TLS together. Defaults to that of ``idleTimeout``.
  public var connectTimeout: Duration? {
    get { storage.values.connectTimeout }
    set {
      makeUnique()
      storage.values.connectTimeout = newValue
    }
  }
  /// What happens to 301, 302, 303, 307 and 308.
  public var redirects: RedirectPolicy {
    get { storage.values.redirects }
    set {
      makeUnique()
      storage.values.redirects = newValue
    }
  }
  /// A URL that no redirect is followed to, whatever ``redirects`` says: one that leads there, query and fragment apart, is the response. Where an
  /// authorization server sends its users back to, for example.
  public var redirectBoundary: String? {
    get { storage.values.redirectBoundary }
    set {
      makeUnique()
      storage.values.redirectBoundary = newValue
    }
  }
  /// Which version of HTTP is asked for.
  public var version: HTTPVersionPreference {
    get { storage.values.version }
    set {
      makeUnique()
      storage.values.version = newValue
    }
  }
  /// Which proxy is used. Defaults to none.
  public var proxy: ProxySetting {
    get { storage.values.proxy }
    set {
      makeUnique()
      storage.values.proxy = newValue
    }
  }
  /// Addresses to use for certain hosts instead of asking the resolver.
  public var resolve: [ResolveOverride] {
    get { storage.values.resolve }
    set {
      makeUnique()
      storage.values.resolve = newValue
    }
  }
  /// Other hosts and ports to connect to instead of the URL's.
  public var connectTo: [ConnectOverride] {
    get { storage.values.connectTo }
    set {
      makeUnique()
      storage.values.connectTo = newValue
    }
  }
  /// A unix domain socket's path to connect to instead of the URL's host.
  public var unixSocket: String? {
    get { storage.values.unixSocket }
    set {
      makeUnique()
      storage.values.unixSocket = newValue
    }
  }
  /// The name of a network interface, or an address of it, to connect from.
  public var interface: String? {
    get { storage.values.interface }
    set {
      makeUnique()
      storage.values.interface = newValue
    }
  }
  /// Whether only one version of IP is used.
  public var addressFamily: AddressFamily {
    get { storage.values.addressFamily }
    set {
      makeUnique()
      storage.values.addressFamily = newValue
    }
  }
  /// Bytes per second that are received at most.
  public var receiveRate: Int64? {
    get { storage.values.receiveRate }
    set {
      makeUnique()
      storage.values.receiveRate = newValue
    }
  }
  /// Bytes per second that are sent at most.
  public var sendRate: Int64? {
    get { storage.values.sendRate }
    set {
      makeUnique()
      storage.values.sendRate = newValue
    }
  }
  /// TLS.
  public var tls: TLSSettings {
    get { storage.values.tls }
    set {
      makeUnique()
      storage.values.tls = newValue
    }
  }
  /// What servers must show of themselves before a request is sent to them, host by host. `nil` is what ``tls`` says, for all.
  public var serverTrust: ServerTrustManager? {
    get { storage.values.serverTrust }
    set {
      makeUnique()
      storage.values.serverTrust = newValue
    }
  }
  /// Whether ``TransactionMetrics/security`` is filled in for connections with TLS. It costs some microseconds a request. Defaults to false.
  public var recordsSecurity: Bool {
    get { storage.values.recordsSecurity }
    set {
      makeUnique()
      storage.values.recordsSecurity = newValue
    }
  }
  /// How large a body may become in memory or on disk, decoded. Defaults to 1 GiB; `nil` is without limit.
  public var maximumBodyBytes: Int64? {
    get { storage.values.maximumBodyBytes }
    set {
      makeUnique()
      storage.values.maximumBodyBytes = newValue
    }
  }
  /// How large a response's header may become, all interim ones and those of redirects counted for themselves. Defaults to 256 KiB.
  public var maximumHeaderBytes: Int {
    get { storage.values.maximumHeaderBytes }
    set {
      makeUnique()
      storage.values.maximumHeaderBytes = newValue
    }
  }
  /// How many fields a response's header may have. Defaults to 1,000.
  public var maximumHeaderFields: Int {
    get { storage.values.maximumHeaderFields }
    set {
      makeUnique()
      storage.values.maximumHeaderFields = newValue
    }
  }
  /// Whether `Accept-Encoding` is sent, and gzip, deflate, br and zstd are undone.
  public var decodesContent: Bool {
    get { storage.values.decodesContent }
    set {
      makeUnique()
      storage.values.decodesContent = newValue
    }
  }
  /// What to send as `User-Agent` if the header has none; `nil` sends none.
  public var userAgent: String? {
    get { storage.values.userAgent }
    set {
      makeUnique()
      storage.values.userAgent = newValue
    }
  }
  /// Whether to wait for `100 Continue` before the body is sent.
  public var expectContinue: ExpectContinue {
    get { storage.values.expectContinue }
    set {
      makeUnique()
      storage.values.expectContinue = newValue
    }
  }
  /// Where cookies come from and go to. Defaults to nowhere.
  public var cookies: CookieJar? {
    get { storage.values.cookies }
    set {
      makeUnique()
      storage.values.cookies = newValue
    }
  }
  /// Where responses are kept, and taken from. Defaults to nowhere.
  public var cache: ResponseCache? {
    get { storage.values.cache }
    set {
      makeUnique()
      storage.values.cache = newValue
    }
  }
  /// How ``cache`` is used. Defaults to what the protocol says.
  public var cachePolicy: CachePolicy {
    get { storage.values.cachePolicy }
    set {
      makeUnique()
      storage.values.cachePolicy = newValue
    }
  }
  /// Who goes first where several wait for a connection. Defaults to normal.
  public var priority: TransferPriority {
    get { storage.values.priority }
    set {
      makeUnique()
      storage.values.priority = newValue
    }
  }
  /// Whether this transfer makes a new connection and closes it afterwards.
  public var usesFreshConnection: Bool {
    get { storage.values.usesFreshConnection }
    set {
      makeUnique()
      storage.values.usesFreshConnection = newValue
    }
  }

  /// The defaults.
  public init() {}
}

/// What happens to a response with status 301, 302, 303, 307 or 308 and a `Location`.
public enum RedirectPolicy: Sendable, Hashable {
  /// It is followed, by the rules of ``RedirectState``, up to a number of times.
  case follow(maximum: Int = 20)
  /// It is the response.
  case deliver
}

/// Which version of HTTP is asked for.
public enum HTTPVersionPreference: Sendable, Hashable {
  /// HTTP/2 over TLS if the server has it, else HTTP/1.1.
  case automatic
  /// HTTP/1.1.
  case http1
  /// HTTP/2: agreed on over TLS, by `Upgrade` without.
  case http2
  /// HTTP/2 at once, also without TLS.
  case http2PriorKnowledge
}

/// Which versions of IP are used.
public enum AddressFamily: Sendable, Hashable {
  case any
  case ipv4
  case ipv6
}

/// Whether to send `Expect: 100-continue` and wait for the answer, for a second at most, before a body is sent.
public enum ExpectContinue: Sendable, Hashable {
  /// For bodies over 1 MiB, or of unknown length.
  case automatic
  /// For every body.
  case always
  /// For none.
  case never
}

/// An address to use for a host and port, as curl's `--resolve`.
public struct ResolveOverride: Sendable, Hashable {
  /// The host that the URL names.
  public var host: String
  /// The port that the URL names or means.
  public var port: Int
  /// IP addresses to use.
  public var addresses: [String]

  /// All of it.
  public init(host: String, port: Int, addresses: [String]) {
    self.host = host
    self.port = port
    self.addresses = addresses
  }
}

/// A host and port to connect to instead of those that the URL names, as curl's `--connect-to`. TLS and `Host` still go by the URL.
public struct ConnectOverride: Sendable, Hashable {
  /// The URL's host; nil is any.
  public var host: String?
  /// The URL's port; nil is any.
  public var port: Int?
  /// The host to connect to; nil is that of the URL.
  public var toHost: String?
  /// The port to connect to; nil is that of the URL.
  public var toPort: Int?

  /// All of it.
  public init(host: String? = nil, port: Int? = nil, toHost: String? = nil, toPort: Int? = nil) {
    self.host = host
    self.port = port
    self.toHost = toHost
    self.toPort = toPort
  }
}
