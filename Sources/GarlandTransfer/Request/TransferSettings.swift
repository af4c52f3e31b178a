/// How a request is sent: everything that is not part of the message.
///
/// ```swift
/// var settings = TransferSettings()
/// settings.deadline = .seconds(10)
/// settings.tls.minimumVersion = .tls1_3
/// ```
/// What there is to set, and the defaults, are those of ``Values``. They are those of a careful client: 60 s without a byte is an error, certificates are
/// verified, up to 20 redirects are followed, content codings are undone, nothing is read from environment variables.
@dynamicMemberLookup
public struct TransferSettings: Sendable, Hashable {
  /// `@unchecked Sendable`: it is changed only while one single value refers to it, which makes a copy of its own otherwise.
  @usableFromInline final class Storage: @unchecked Sendable {
    @usableFromInline var values: Values

    @usableFromInline init(_ values: Values) { self.values = values }

    static let defaults = Storage(Values())
  }

  /// Behind one reference: settings are copied with every request, and seldom changed.
  @usableFromInline var storage = Storage.defaults

  /// The defaults.
  public init() {}

  /// One of the ``Values``. Inlined, and then no key path is left: what is read or written is the property itself.
  @inlinable public subscript<Value>(dynamicMember value: WritableKeyPath<Values, Value>) -> Value {
    @inline(__always) get { storage.values[keyPath: value] }
    @inline(__always) set {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.values) }
      storage.values[keyPath: value] = newValue
    }
  }

  /// Whether both are copies of the same settings, unchanged since: cheap, and true only if they are equal.
  func areIdentical(to other: TransferSettings) -> Bool { storage === other.storage }

  /// Whether all of them are equal.
  public static func == (left: TransferSettings, right: TransferSettings) -> Bool {
    left.storage === right.storage || left.storage.values == right.storage.values
  }

  /// Agrees with `==`.
  public func hash(into hasher: inout Hasher) { hasher.combine(storage.values) }
}

extension TransferSettings {
  /// All that can be set.
  public struct Values: Sendable, Hashable {
    /// How long nothing may happen, in either direction; data resets it. `nil` waits forever. Defaults to 60 s. It does not run while the
    /// transfer waits for a free connection, nor while it waits for the caller: for the next piece of a ``BodyStream``, or for room in a stream of the response.
    public var idleTimeout: Duration? = .seconds(60)
    /// The limit for all of it: waiting (see ``EngineConfiguration/waitingCountsForDeadlines``), redirects, the body. Defaults to none.
    public var deadline: Duration?
    /// The limit for name lookup, TCP and TLS together. Defaults to that of ``idleTimeout``.
    public var connectTimeout: Duration?
    /// What happens to 301, 302, 303, 307 and 308.
    public var redirects: RedirectPolicy = .follow()
    /// A URL that no redirect is followed to, whatever ``redirects`` says: one that leads there, query and fragment apart, is the response. Where an
    /// authorization server sends its users back to, for example.
    public var redirectBoundary: String?
    /// Which version of HTTP is asked for.
    public var version: HTTPVersionPreference = .automatic
    /// Which proxy is used. Defaults to none.
    public var proxy: ProxySetting = .none
    /// Addresses to use for certain hosts instead of asking the resolver.
    public var resolve: [ResolveOverride] = []
    /// Other hosts and ports to connect to instead of the URL's.
    public var connectTo: [ConnectOverride] = []
    /// A unix domain socket's path to connect to instead of the URL's host.
    public var unixSocket: String?
    /// The name of a network interface, or an address of it, to connect from.
    public var interface: String?
    /// Whether only one version of IP is used.
    public var addressFamily: AddressFamily = .any
    /// Bytes per second that are received at most.
    public var receiveRate: Int64?
    /// Bytes per second that are sent at most.
    public var sendRate: Int64?
    /// TLS.
    public var tls: TLSSettings = TLSSettings()
    /// What servers must show of themselves before a request is sent to them, host by host. `nil` is what ``tls`` says, for all.
    public var serverTrust: ServerTrustManager?
    /// Whether ``TransactionMetrics/security`` is filled in for connections with TLS. It costs some microseconds a request. Defaults to false.
    public var recordsSecurity: Bool = false
    /// How large a body may become in memory or on disk, decoded. Defaults to 1 GiB; `nil` is without limit.
    public var maximumBodyBytes: Int64? = 1 << 30
    /// How large a response's header may become, all interim ones and those of redirects counted for themselves. Defaults to 256 KiB.
    public var maximumHeaderBytes: Int = 256 << 10
    /// How many fields a response's header may have. Defaults to 1,000.
    public var maximumHeaderFields: Int = 1000
    /// Whether `Accept-Encoding` is sent, and gzip, deflate, br and zstd are undone.
    public var decodesContent: Bool = true
    /// What to send as `User-Agent` if the header has none; `nil` sends none.
    public var userAgent: String? = "Garland/1"
    /// Whether to wait for `100 Continue` before the body is sent.
    public var expectContinue: ExpectContinue = .automatic
    /// Where cookies come from and go to. Defaults to nowhere.
    public var cookies: CookieJar?
    /// Where responses are kept, and taken from. Defaults to nowhere.
    public var cache: ResponseCache?
    /// How ``cache`` is used. Defaults to what the protocol says.
    public var cachePolicy: CachePolicy = .useProtocol
    /// Who goes first where several wait for a connection. Defaults to normal.
    public var priority: TransferPriority = .normal
    /// Whether this transfer makes a new connection and closes it afterwards.
    public var usesFreshConnection: Bool = false
  }
}
