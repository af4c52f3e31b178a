/// The measurements of one request and its response.
///
/// The durations of phases are measured from ``start``, so the duration of a phase includes the earlier phases, as in libcurl. The duration
/// of a missing phase is nil: a reused connection has no name lookup, connect or TLS.
///
/// libcurl begins to measure when it first works on the request, somewhat after ``start``. For a streamed body, this library itself
/// measures ``requestSent``, ``firstByte`` and ``total`` from ``start``. The time between ``start`` and libcurl's first work then counts as
/// a part of the sending.
public struct TransactionMetrics: Sendable, Hashable {
  /// The source of a response: a server or the cache.
  public enum Source: String, Sendable, Hashable {
    /// The response came from a server.
    case network
    /// The response came from the cache, and no request was sent.
    case cache
    /// The response came from the cache after a server confirmed it. The measurements are those of the
    /// validation request.
    case validatedCache = "validated_cache"
    /// A stale response came from the cache. Either the request accepts stale responses, or no server could be reached.
    case staleCache = "stale_cache"
  }

  /// The source of the response: a server or the cache.
  public var source = Source.network
  /// Whether the response was a redirect that was followed. Default: false.
  package var isFollowed = false
  /// The start of the transaction on the monotonic clock. It can be compared with the starts of other transactions of the same process.
  public var start: ContinuousClock.Instant
  /// The time from ``start`` until the host's name was resolved.
  public var nameLookup: Duration?
  /// The time from the start of the transaction until the TCP connection, to the server or the proxy, was open.
  public var connect: Duration?
  /// The time from ``start`` until the TLS handshake was complete; nil without a TLS handshake.
  public var secure: Duration?
  /// The time from the start of the transaction to the moment at which the connection is ready for the request.
  public var requestStart: Duration?
  /// The time from ``start`` until the last piece of the request's body was passed to libcurl. Nil if there is no body, or if the body was
  /// passed as a whole instead of as a stream.
  public var requestSent: Duration?
  /// The time from ``start`` to the first byte of the response.
  public var firstByte: Duration?
  /// The total time of the request and its response.
  public var total: Duration
  /// Whether an existing connection was used.
  public var isReused: Bool
  /// Whether the library sent the request again, since its kept connection was lost before a response. False if libcurl sent it again.
  public var isSentAgain = false
  /// The protocol version of the response; nil if there was no response.
  public var version: HTTPVersion?
  /// The TLS properties of the connection; nil without TLS, or if ``TransferSettings/Values/recordsSecurity`` is false.
  public var security: ConnectionSecurity?
  /// The address of the server, or of the proxy if the request used a proxy; nil without a connection. The path of a Unix socket is not
  /// included.
  public var remoteAddress: String?
  /// The port of the server or proxy; nil without a connection.
  public var remotePort: Int?
  /// The local port, which distinguishes connections.
  public var localPort: Int?
  /// The number of NTLM and Negotiate challenges that libcurl answered before the final response. libcurl answers a challenge by sending
  /// the request again. Digest challenges are not counted: with Digest, each repeated request is a separate transaction.
  public var authenticationLegs: Int
  /// The number of bytes of the request's header, in the form in which HTTP/1 would send it.
  public var requestHeaderBytes: Int64
  /// The number of bytes of the request's body.
  public var requestBodyBytes: Int64
  /// The number of bytes of the response's header, including interim responses.
  public var responseHeaderBytes: Int64
  /// The number of bytes of the response's body before decoding.
  public var responseBodyBytes: Int64

  /// Creates measurements that begin at `start`. The times of all phases are nil; the total time and all numbers of bytes are 0.
  public init(start: ContinuousClock.Instant = .now) {
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
