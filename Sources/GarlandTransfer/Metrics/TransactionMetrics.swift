/// What was measured of one request and its response.
///
/// The durations of phases count from ``start`` and are nil where there was no such phase: a reused connection has neither name lookup
/// nor connect nor TLS. Each includes those before it, as libcurl tells them.
public struct TransactionMetrics: Sendable, Hashable {
  /// Where a response came from.
  public enum Source: String, Sendable, Hashable {
    /// A server.
    case network
    /// The cache; nothing was sent.
    case cache
    /// The cache, after a server was asked and had nothing new: what was measured is that request.
    case validatedCache = "validated_cache"
    /// The cache, although it was stale: because the request takes that, or because no server could be reached.
    case staleCache = "stale_cache"
  }

  /// Where the response came from.
  public var source = Source.network
  /// When it began, on the monotonic clock: comparable with other transactions of the same process.
  public var start: ContinuousClock.Instant
  /// Until the host's name was resolved.
  public var nameLookup: Duration?
  /// Until the TCP connection, or that to the proxy, was made.
  public var connect: Duration?
  /// Until TLS was set up.
  public var secure: Duration?
  /// Until the request could begin to leave.
  public var requestStart: Duration?
  /// Until the last bytes of a body were handed to libcurl piece by piece; nil for a body that libcurl took over whole, and without one.
  public var requestSent: Duration?
  /// Until the first byte of the response.
  public var firstByte: Duration?
  /// Until the end.
  public var total: Duration
  /// Whether a connection from before was used.
  public var isReused: Bool
  /// The protocol that was spoken, nil if none was.
  public var version: HTTPVersion?
  /// What TLS made of the connection; nil without TLS, or unless ``TransferSettings/Values/recordsSecurity`` asks for it.
  public var security: ConnectionSecurity?
  /// The peer's address (the proxy's, if there is one), nil without a connection. For a unix socket, its path is not told here.
  public var remoteAddress: String?
  /// The peer's port.
  public var remotePort: Int?
  /// Our port: what tells connections apart.
  public var localPort: Int?
  /// How many responses libcurl answered by itself before this one: those that NTLM and Negotiate take to prove who is asking. Digest makes each a transaction of its own.
  public var authenticationLegs: Int
  /// Bytes of the request's header, as HTTP/1 counts them.
  public var requestHeaderBytes: Int64
  /// Bytes of the request's body.
  public var requestBodyBytes: Int64
  /// Bytes of the response's header, interim responses included.
  public var responseHeaderBytes: Int64
  /// Bytes of the response's body as they came, before decoding.
  public var responseBodyBytes: Int64

  init(start: ContinuousClock.Instant) {
    self.start = start
    total = .zero
    isReused = false
    authenticationLegs = 0
    requestHeaderBytes = 0
    requestBodyBytes = 0
    responseHeaderBytes = 0
    responseBodyBytes = 0
  }
}
