/// A request and what came of it, as a report shows them.
public struct Exchange: Sendable {
  /// A header field as it went over the wire.
  public struct Field: Sendable, Hashable {
    /// The name, in the case that was sent.
    public var name: String
    /// The value.
    public var value: String

    /// - Parameters:
    ///   - name: the name, in the case that was sent.
    ///   - value: the value.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A body or its beginning.
  public struct Body: Sendable {
    /// The beginning, at most as many bytes as the run keeps.
    public var bytes: [UInt8]
    /// All its bytes on the wire, decoded.
    public var size: Int
    /// The media type it was declared as.
    public var type: String?
    /// The file it was written to or read from, in place of `bytes`.
    public var file: String?
    /// All of it, of the step whose body is printed.
    package var whole: WholeBody?

    /// - Parameters:
    ///   - bytes: the beginning.
    ///   - size: how many bytes there were in all.
    ///   - type: the media type it was declared as.
    ///   - file: the file it was written to or read from.
    public init(bytes: [UInt8], size: Int, type: String?, file: String? = nil) {
      self.bytes = bytes
      self.size = size
      self.type = type
      self.file = file
    }

    /// Whether `bytes` is all there was. Masked or re-encoded, as in a recording, it may have another length than what was sent.
    public var isComplete: Bool { isRecordedWhole ?? (bytes.count == size) }
    /// What a recording says of that; nil for a body as it came.
    package var isRecordedWhole: Bool?
  }

  /// The times of one hop, each counted from the hop's start to the end of its phase; a phase that did not happen is nil.
  public struct Timing: Sendable {
    /// Where the response came from.
    public enum Source: String, Sendable, Hashable {
      /// The server.
      case network
      /// A cache; nothing was sent.
      case cache = "hit"
      /// A cache, after the server had said that nothing has changed.
      case validatedCache = "validated"
      /// A cache, although it was stale.
      case staleCache = "stale"
    }

    /// When the hop began, since the run's start; nil where nobody asked for phases.
    public var startedAt: Duration?
    /// Until the host's name was resolved.
    public var nameLookup: Duration?
    /// Until the TCP connection stood.
    public var connect: Duration?
    /// Until the TLS handshake was done.
    public var tls: Duration?
    /// Until the request could begin to leave: the connection was ready.
    public var requestStart: Duration?
    /// Until the last byte of the request's body was handed to the connection; nil for a request without a body, or with a small one,
    /// which leaves with its header.
    public var requestSent: Duration?
    /// Until the first byte of the response.
    public var firstByte: Duration?
    /// Until the last byte of the response.
    public var total: Duration
    /// Whether the connection had been used before.
    public var isReused: Bool
    /// Where the response came from. Defaults to the network.
    public var source = Source.network
    /// `1.1` or `2`.
    public var version: String?
    /// The peer's address and port.
    public var remoteAddress: String?
    /// The port on this machine, which tells connections to the same peer apart.
    public var localPort: Int?
    /// How many bytes went over the wire.
    public var sizes: Sizes?
    /// The TLS session; nil for a connection without TLS.
    public var security: Security?

    /// A timing of which only the total is known.
    public init(total: Duration) {
      self.total = total
      isReused = false
    }
  }

  /// How many bytes of a hop went over the wire, before any decoding.
  public struct Sizes: Sendable, Hashable {
    /// The request's line and header fields.
    public var requestHead: Int
    /// The request's body.
    public var requestBody: Int
    /// The response's status line and header fields.
    public var responseHead: Int
    /// The response's body.
    public var responseBody: Int

    /// Every property is a parameter; see there.
    public init(requestHead: Int, requestBody: Int, responseHead: Int, responseBody: Int) {
      self.requestHead = requestHead
      self.requestBody = requestBody
      self.responseHead = responseHead
      self.responseBody = responseBody
    }
  }

  /// What TLS negotiated, and the certificate that the server showed.
  public struct Security: Sendable, Hashable {
    /// The version of TLS: `1.3`.
    public var version: String
    /// The cipher suite, as OpenSSL names it.
    public var cipher: String
    /// The certificate's subject, such as `CN=example.com`.
    public var subject: String?
    /// The certificate's issuer.
    public var issuer: String?
    /// When the certificate expires, in seconds since 1970.
    public var expiresAt: Int?

    /// - Parameters:
    ///   - version: the version of TLS.
    ///   - cipher: the cipher suite.
    public init(version: String, cipher: String) {
      self.version = version
      self.cipher = cipher
    }
  }

  /// One hop: a request and its response. Redirects make several.
  public struct Hop: Sendable {
    /// The request's method.
    public var method: String
    /// The absolute URL, without credentials.
    public var url: String
    /// The request's header fields in the order of the wire.
    public var requestFields: [Field]
    /// The response's status; nil when none came.
    public var status: Int?
    /// The response's header fields in the order of the wire.
    public var responseFields: [Field]
    /// How long its phases took.
    public var timing: Timing

    /// Every property is a parameter; see there.
    public init(method: String, url: String, requestFields: [Field], status: Int?, responseFields: [Field], timing: Timing) {
      self.method = method
      self.url = url
      self.requestFields = requestFields
      self.status = status
      self.responseFields = responseFields
      self.timing = timing
    }
  }

  /// All of it.
  ///
  /// `@unchecked Sendable`: it is changed only while one single value refers to it, and of that value the
  /// compiler makes sure that nobody else has it meanwhile. Who finds that there are several makes a copy.
  @usableFromInline final class Storage: @unchecked Sendable {
    @usableFromInline var isIncoming = false
    @usableFromInline var label: String?
    /// Whether there is one hop, and nothing is told of it but what stands here: then there is no list.
    var isBrief = false
    var method = ""
    var url = ""
    var status: Int?
    var timing: (total: Duration, isReused: Bool, source: Timing.Source) = (.zero, false, .network)
    var hops: [Hop]
    @usableFromInline var requestBody: Body?
    @usableFromInline var responseBody: Body?
    @usableFromInline var error: String?
    @usableFromInline var curlCommand: String?

    init(_ hops: [Hop]) { self.hops = hops }

    @usableFromInline init(_ other: Storage) {
      isIncoming = other.isIncoming
      label = other.label
      isBrief = other.isBrief
      method = other.method
      url = other.url
      status = other.status
      timing = other.timing
      hops = other.hops
      requestBody = other.requestBody
      responseBody = other.responseBody
      error = other.error
      curlCommand = other.curlCommand
    }
  }

  /// Behind one reference: what a run tells passes through many hands.
  @usableFromInline var storage: Storage

  @inlinable mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage) }
  }

  /// Whether the request came from outside, to a step that listens, and its answer is ours.
  @inlinable public var isIncoming: Bool {
    get { storage.isIncoming }
    _modify {
      makeUnique()
      yield &storage.isIncoming
    }
  }
  /// What this exchange was for where a step has several: `attempt 2`, `poll 3`, `page 2`, `token`.
  @inlinable public var label: String? {
    get { storage.label }
    _modify {
      makeUnique()
      yield &storage.label
    }
  }
  /// Whether it was not for the step itself but for the token that the step needs: what a provider was asked, and the way through its pages.
  public var isForToken: Bool {
    guard let label else { return false }
    return Self.tokenLabels.contains(label) || label.hasPrefix(Self.authorizePrefix)
  }
  /// The labels of what a provider is asked.
  public static let tokenLabels: Set<String> = ["token", "device authorization", "discovery", "keys", "revocation"]
  /// What the labels of steps begin with that walk a provider's pages.
  public static let authorizePrefix = "authorize: "
  /// The hops, first to last; at least one.
  public var hops: [Hop] {
    get {
      guard storage.isBrief else { return storage.hops }
      var timing = Timing(total: storage.timing.total)
      timing.isReused = storage.timing.isReused
      timing.source = storage.timing.source
      return [
        Hop(method: storage.method, url: storage.url, requestFields: [], status: storage.status, responseFields: [], timing: timing)
      ]
    }
    set {
      makeUnique()
      storage.isBrief = false
      storage.hops = newValue
    }
  }
  /// What was sent.
  @inlinable public var requestBody: Body? {
    get { storage.requestBody }
    _modify {
      makeUnique()
      yield &storage.requestBody
    }
  }
  /// What came back, of the last hop.
  @inlinable public var responseBody: Body? {
    get { storage.responseBody }
    _modify {
      makeUnique()
      yield &storage.responseBody
    }
  }
  /// Why the transfer failed; nil when a whole response came.
  @inlinable public var error: String? {
    get { storage.error }
    _modify {
      makeUnique()
      yield &storage.error
    }
  }
  /// A command line that sends the same request, with secrets as shell variables. Made only for those whose report shows it.
  @inlinable public var curlCommand: String? {
    get { storage.curlCommand }
    _modify {
      makeUnique()
      yield &storage.curlCommand
    }
  }

  /// How many requests were sent for it: none for one that came in, or was answered by a cache.
  public var requestCount: Int {
    guard !storage.isIncoming else { return 0 }
    return storage.isBrief ? (storage.timing.source.isSent ? 1 : 0) : storage.hops.count { $0.timing.source.isSent }
  }

  /// The body that came from outside: of the response, or of a request that a step listened for.
  public var receivedBody: Body? { isIncoming ? requestBody : responseBody }

  /// The status of the last hop; nil when none came.
  package var status: Int? { storage.isBrief ? storage.status : storage.hops.last?.status }

  /// The method and the URL of the first hop.
  package var target: (method: String, url: String)? {
    storage.isBrief ? (storage.method, storage.url) : storage.hops.first.map { ($0.method, $0.url) }
  }

  /// An exchange with neither bodies nor error.
  public init(hops: [Hop]) { storage = Storage(hops) }

  /// One of a single hop, of which nothing more is told.
  package init(method: String, url: String, status: Int, total: Duration, isReused: Bool, source: Timing.Source) {
    storage = Storage([])
    storage.isBrief = true
    storage.method = method
    storage.url = url
    storage.status = status
    storage.timing = (total, isReused, source)
  }
}

extension Exchange.Timing.Source {
  /// Whether a server was asked.
  fileprivate var isSent: Bool {
    switch self {
    case .network, .validatedCache: true
    case .cache, .staleCache: false
    }
  }
}
