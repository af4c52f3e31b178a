import GarlandText

/// A request and its response in the form that reports show.
public struct Exchange: Sendable {
  /// A header field as it was sent or received.
  public struct Field: Sendable, Hashable {
    /// The name of the field, in its original case.
    public var name: String
    /// The value of the header field.
    public var value: String

    /// Creates a field.
    ///
    /// - Parameters:
    ///   - name: The name, in its original case.
    ///   - value: The value.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A recorded body, or only its beginning.
  public struct Body: Sendable {
    /// The beginning of the body, up to the number of bytes that the run keeps.
    public var bytes: [UInt8]
    /// The size of the whole body after decoding, in bytes.
    public var size: Int
    /// The media type that the message declares for the body; nil if it declares none.
    public var type: String?
    /// The path of the file from which a request's body was read, or to which a response's body was written. Nil if the body has no file.
    public var file: String?
    /// Whether the transfer failed before the whole body was received. Default: false.
    public var isBrokenOff = false
    /// Whether `bytes` are text in UTF-8 even if `type` declares another charset. True for text in a recording of a run. Default: false.
    package var isInUTF8 = false
    /// The whole body. It is kept only for the step whose received body the command prints; nil for any other step.
    package var whole: WholeBody?

    /// Creates a body.
    ///
    /// - Parameters:
    ///   - bytes: The beginning of the body.
    ///   - size: The size of the whole body in bytes.
    ///   - type: The declared media type.
    ///   - file: The file that the body was written to or read from.
    public init(bytes: [UInt8], size: Int, type: String?, file: String? = nil) {
      self.bytes = bytes
      self.size = size
      self.type = type
      self.file = file
    }

    /// Whether `bytes` is the whole body. Normally, the length of `bytes` is compared with `size`. This is not possible for a form with
    /// parts, since its `bytes` is a list of the parts, or for a body from a recording, since masking or re-encoding may have changed the
    /// length.
    public var isComplete: Bool { isKnownWhole ?? (bytes.count == size) }
    /// Whether `bytes` is the whole body, for a body from a recording and for a form with parts. For these bodies, the length of `bytes`
    /// can't be compared with `size`. Nil for any other body.
    package var isKnownWhole: Bool?
  }

  /// The times of one hop (a request and its response). Each time is counted from the hop's start to the end of a phase. The time of a
  /// phase that did not happen is nil.
  public struct Timing: Sendable {
    /// The source of a response: the network or a cache.
    public enum Source: String, Sendable, Hashable {
      /// The response was received from the server.
      case network
      /// The response was read from a cache, and no request was sent.
      case cache = "hit"
      /// The response was read from a cache, after the server had confirmed that it is still valid.
      case validatedCache = "validated"
      /// The response was read from a cache, although it was stale.
      case staleCache = "stale"
    }

    /// The start of the hop, counted from the start of the run; nil if no observer of the run requested the times of the hop's phases.
    public var startedAt: Duration?
    /// The time until the host's name was resolved.
    public var nameLookup: Duration?
    /// The time from the hop's start until the TCP connection was established.
    public var connect: Duration?
    /// The time from the hop's start until the TLS handshake was complete.
    public var tls: Duration?
    /// The time from the hop's start until the connection was ready for the request; nil if it is unknown.
    public var requestStart: Duration?
    /// The time until the last byte of the request's body was passed to the connection; nil for a request without a body, or with a small
    /// body that is sent with its header.
    public var requestSent: Duration?
    /// The time from the hop's start until the first byte of the response arrived; nil if no byte arrived, or if the time is unknown.
    public var firstByte: Duration?
    /// The time from the hop's start until the last byte of the response arrived.
    public var total: Duration
    /// Whether an earlier request had already used the connection.
    public var isReused: Bool
    /// Whether Garland sent the request again, since its kept connection was lost before a response. The times are those of the repetition.
    /// False if libcurl sent it again.
    public var isSentAgain = false
    /// The source of the response: the network or a cache.
    public var source = Source.network
    /// The HTTP version: `1.1` or `2`.
    public var version: String?
    /// The address and port of the server or proxy.
    public var remoteAddress: String?
    /// The port on this machine from which the connection was opened; nil if it is unknown. The port distinguishes connections to the same
    /// server.
    public var localPort: Int?
    /// The number of bytes sent and received.
    public var sizes: Sizes?
    /// The properties of the TLS connection and the server's certificate; nil for a connection without TLS.
    public var security: Security?

    /// Creates a timing for which only the total is known.
    public init(total: Duration) {
      self.total = total
      isReused = false
    }
  }

  /// The numbers of bytes that a hop sent and received, counted before compressed bodies are decoded.
  public struct Sizes: Sendable, Hashable {
    /// The size of the request line and header fields in bytes.
    public var requestHead: Int
    /// The size of the request's body in bytes.
    public var requestBody: Int
    /// The size of the response's status line and header fields in bytes.
    public var responseHead: Int
    /// The size of the response's body in bytes.
    public var responseBody: Int

    /// Creates sizes; every property is a parameter.
    public init(requestHead: Int, requestBody: Int, responseHead: Int, responseBody: Int) {
      self.requestHead = requestHead
      self.requestBody = requestBody
      self.responseHead = responseHead
      self.responseBody = responseBody
    }
  }

  /// The properties of a TLS connection: version, cipher, and the certificate of the server.
  public struct Security: Sendable, Hashable {
    /// The TLS version, such as `1.3`.
    public var version: String
    /// The cipher suite, by its OpenSSL name.
    public var cipher: String
    /// The certificate's subject, such as `CN=example.com`.
    public var subject: String?
    /// The certificate's issuer.
    public var issuer: String?
    /// The time when the certificate expires, in seconds since 1970.
    public var expiresAt: Int?

    /// Creates the properties of a TLS connection without a certificate.
    ///
    /// - Parameters:
    ///   - version: The TLS version, such as `1.3`.
    ///   - cipher: The OpenSSL name of the cipher suite.
    public init(version: String, cipher: String) {
      self.version = version
      self.cipher = cipher
    }
  }

  /// A response that was read item by item, such as server-sent events, lines or WebSocket messages.
  public struct Stream: Sendable, Hashable {
    /// The name of the stream's items, such as `events`.
    public var items: String
    /// The number of items that arrived.
    public var count: Int
    /// The time from the request to the first item; nil if no item arrived.
    public var timeToFirst: Duration?
    /// The last messages of a WebSocket connection, in both directions. Empty for any other kind of stream, and if no observer requested
    /// messages.
    public var messages: [Message] = []
    /// The number of earlier messages of the connection that are not in ``messages``.
    public var omittedMessages = 0

    /// A message of a WebSocket connection.
    public struct Message: Sendable, Hashable {
      /// Whether the step sent the message; false if the server sent it.
      public var isSent: Bool
      /// The text of the message, shortened if it is long. For a binary message, a text with its size.
      public var text: String
      /// Whether the message is binary. Default: false.
      public var isBinary = false
      /// The time from the request to the message; nil if it is unknown.
      public var time: Duration?

      /// Creates a message of text.
      ///
      /// - Parameters:
      ///   - isSent: Whether the step sent the message.
      ///   - text: The text.
      public init(isSent: Bool, text: String) {
        self.isSent = isSent
        self.text = text
      }
    }

    /// Creates the description of a response that was read item by item.
    public init(items: String, count: Int, timeToFirst: Duration?) {
      self.items = items
      self.count = count
      self.timeToFirst = timeToFirst
    }
  }

  /// One hop of an exchange: a request and its response. Each redirect adds a hop.
  public struct Hop: Sendable {
    /// The request's method.
    public var method: String
    /// The absolute URL, without credentials.
    public var url: String
    /// The request's header fields in the order in which they were sent.
    public var requestFields: [Field]
    /// The status of the response; nil if there was no response.
    public var status: Int?
    /// The response's header fields in the order in which they were received.
    public var responseFields: [Field]
    /// The times of the hop's phases, counted from the hop's start.
    public var timing: Timing

    /// Creates a hop; every property is a parameter.
    public init(method: String, url: String, requestFields: [Field], status: Int?, responseFields: [Field], timing: Timing) {
      self.method = method
      self.url = url
      self.requestFields = requestFields
      self.status = status
      self.responseFields = responseFields
      self.timing = timing
    }
  }

  @usableFromInline struct Values: Sendable {
    @usableFromInline var isIncoming = false
    @usableFromInline var label: String?
    /// Whether the exchange has only one hop, and `method`, `url`, `status` and `timing` describe this hop completely. If true, `hops` is
    /// empty, to save memory.
    var isBrief = false
    var method = ""
    var url = ""
    var status: Int?
    var timing: (total: Duration, isReused: Bool, source: Timing.Source) = (.zero, false, .network)
    var hops: [Hop]
    @usableFromInline var requestBody: Body?
    @usableFromInline var responseBody: Body?
    var stream: Stream?
    @usableFromInline var error: String?
    @usableFromInline var curlCommand: String?
  }

  /// The storage of all properties. Copies of an exchange share one storage until one of the copies is changed. Events of a run are copied
  /// often, and copying a single reference is fast.
  @usableFromInline var storage: CopyOnWrite<Values>

  /// Whether the exchange was started by another program: that program sent the request to a listening step, and Garland sent the response.
  @inlinable public var isIncoming: Bool {
    get { storage.value.isIncoming }
    _modify { yield &storage.value.isIncoming }
  }
  /// The purpose of this exchange, if the step has several exchanges: `attempt 2`, `poll 3`, `page 2`, `token`.
  @inlinable public var label: String? {
    get { storage.value.label }
    _modify { yield &storage.value.label }
  }
  /// Whether the exchange served to obtain the token that the step needs: a request to the OAuth provider, or a visit to one of the
  /// provider's pages.
  var isForToken: Bool {
    guard let label else { return false }
    return Self.tokenLabels.contains(label) || label.hasPrefix(Self.authorizePrefix)
  }
  /// The labels of requests to an OAuth provider.
  static let tokenLabels: Set<String> = ["token", "device authorization", "discovery", "keys", "revocation"]
  /// The beginning of the label of each exchange that visits a page of an OAuth provider during a login.
  public static let authorizePrefix = "authorize: "
  /// The hops of the exchange, from first to last. There is at least one hop.
  public var hops: [Hop] {
    get {
      guard storage.value.isBrief else { return storage.value.hops }
      var timing = Timing(total: storage.value.timing.total)
      timing.isReused = storage.value.timing.isReused
      timing.source = storage.value.timing.source
      return [
        Hop(
          method: storage.value.method, url: storage.value.url, requestFields: [], status: storage.value.status, responseFields: [],
          timing: timing)
      ]
    }
    set {
      storage.value.isBrief = false
      storage.value.hops = newValue
    }
  }
  /// The body that was sent with the request; nil if it is not recorded.
  @inlinable public var requestBody: Body? {
    get { storage.value.requestBody }
    _modify { yield &storage.value.requestBody }
  }
  /// The body of the last hop's response.
  @inlinable public var responseBody: Body? {
    get { storage.value.responseBody }
    _modify { yield &storage.value.responseBody }
  }
  /// The stream that was read from the response; nil for a response that was read as a whole.
  public var stream: Stream? {
    get { storage.value.stream }
    set {
      guard newValue != storage.value.stream else { return }
      storage.value.stream = newValue
    }
  }
  /// The reason why the transfer failed; nil for a complete response.
  @inlinable public var error: String? {
    get { storage.value.error }
    _modify { yield &storage.value.error }
  }
  /// A curl command that repeats the request, with shell variables in place of secrets. Nil unless a report shows the command.
  @inlinable public var curlCommand: String? {
    get { storage.value.curlCommand }
    _modify { yield &storage.value.curlCommand }
  }

  /// The number of requests that were sent: one for each hop, so each redirect adds one. It is 0 for a response from a cache, and for a
  /// request that a listening step received. A request that is sent again counts once: with the credentials that a server demands, or
  /// after a lost connection.
  public var requestCount: Int {
    guard !storage.value.isIncoming else { return 0 }
    return storage.value.isBrief ? (storage.value.timing.source.isSent ? 1 : 0) : storage.value.hops.count { $0.timing.source.isSent }
  }

  /// The body of the response or, for a listening step, of the request that the step received; nil if no body is recorded.
  public var receivedBody: Body? { isIncoming ? requestBody : responseBody }

  /// The status of the last hop; nil if this hop has no response.
  package var status: Int? { storage.value.isBrief ? storage.value.status : storage.value.hops.last?.status }

  /// The method and the URL of the first hop; nil if the exchange has no hop.
  package var target: (method: String, url: String)? {
    storage.value.isBrief ? (storage.value.method, storage.value.url) : storage.value.hops.first.map { ($0.method, $0.url) }
  }

  /// Creates an exchange without bodies and without an error.
  public init(hops: [Hop]) { storage = CopyOnWrite(Values(hops: hops)) }

  /// Creates an exchange with a single hop that has only the given values. Such a hop needs less memory than a complete hop.
  package init(method: String, url: String, status: Int, total: Duration, isReused: Bool, source: Timing.Source) {
    var values = Values(hops: [])
    values.isBrief = true
    values.method = method
    values.url = url
    values.status = status
    values.timing = (total, isReused, source)
    storage = CopyOnWrite(values)
  }
}

extension Exchange.Timing.Source {
  /// Whether a response from this source required a request to a server.
  fileprivate var isSent: Bool {
    switch self {
    case .network, .validatedCache: true
    case .cache, .staleCache: false
    }
  }
}

/// The complete body of a request or response, of any size, for output. ``Exchange/Body`` keeps only the beginning.
package enum WholeBody: Sendable {
  case memory([UInt8])
  case file(BodyFile)
  /// The body can't be read again, because the file to which it was written can't be opened or read.
  case lost(BodyFile.Failure)
}
