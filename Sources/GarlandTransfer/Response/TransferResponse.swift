public import GarlandCrypto
import HTTPTypes

/// The complete response of a transfer. The status can be any status: 404 or 500 is not an error of the transfer.
public struct TransferResponse: Sendable {
  /// The storage of a response, shared by copies.
  private final class Storage: Sendable {
    let status: HTTPResponse.Status
    let version: HTTPVersion
    let received: ReceivedFields
    let trailerFields: HTTPFields
    let body: Body
    let request: SentRequest
    let redirects: [RedirectHop]
    let metrics: TransferMetrics
    let decodedBodyBytes: Int64

    init(
      status: HTTPResponse.Status, version: HTTPVersion, received: ReceivedFields, trailerFields: HTTPFields, body: Body,
      request: SentRequest, redirects: [RedirectHop], metrics: TransferMetrics, decodedBodyBytes: Int64
    ) {
      self.status = status
      self.version = version
      self.received = received
      self.trailerFields = trailerFields
      self.body = body
      self.request = request
      self.redirects = redirects
      self.metrics = metrics
      self.decodedBodyBytes = decodedBodyBytes
    }
  }

  /// The storage of all properties. The storage is a single reference, because a response is copied many times.
  private let storage: Storage

  /// The status code, with the reason phrase if there is one (HTTP/2 has none).
  public var status: HTTPResponse.Status { storage.status }
  /// The version of the protocol over which the response arrived.
  public var version: HTTPVersion { storage.version }
  /// The header fields in the order in which they arrived, including repeated fields.
  public var headerFields: HTTPFields { received.fields }
  /// The header fields in the form in which they were received, before conversion to `HTTPFields`.
  package var received: ReceivedFields { storage.received }
  /// The trailer fields, which follow a chunked body.
  public var trailerFields: HTTPFields { storage.trailerFields }
  /// The body of the response. It is in memory or in a file, or only its beginning was kept, or it was discarded.
  public var body: Body { storage.body }
  /// The request that led to this response: after redirects, the last request.
  public var request: SentRequest { storage.request }
  /// The redirects that were followed, in order.
  public var redirects: [RedirectHop] { storage.redirects }
  /// The metrics of the transfer.
  public var metrics: TransferMetrics { storage.metrics }
  /// The size in bytes of the decoded body.
  public var decodedBodyBytes: Int64 { storage.decodedBodyBytes }
  /// The status code, without the reason phrase.
  package var statusCode: Int { storage.status.code }
  /// The source of the response, a server or the cache; nil if no metrics were recorded.
  package var source: TransactionMetrics.Source? {
    storage.metrics.transactions.isEmpty ? nil : storage.metrics.transactions[storage.metrics.transactions.count - 1].source
  }
  /// The TLS properties of the response's connection; nil without TLS, or if they were not recorded.
  package var security: ConnectionSecurity? {
    storage.metrics.transactions.isEmpty ? nil : storage.metrics.transactions[storage.metrics.transactions.count - 1].security
  }
  /// The duration of the last request, and whether its connection was reused; nil if no request was recorded.
  package var lastTiming: (total: Duration, isReused: Bool)? {
    guard !storage.metrics.transactions.isEmpty else { return nil }
    let last = storage.metrics.transactions.count - 1
    return (storage.metrics.transactions[last].total, storage.metrics.transactions[last].isReused)
  }
  /// The reason why no Kerberos ticket was sent; see ``SentRequest/ticketProblem``.
  package var ticketProblem: String? { storage.request.ticketProblem }
  /// The method of the request.
  package var method: HTTPRequest.Method { storage.request.method }
  /// The duration of the transfer, without the time during which it waited for a free connection.
  package var duration: Duration { storage.metrics.total - storage.metrics.queued }

  init(
    status: HTTPResponse.Status, version: HTTPVersion, fields: ReceivedFields, trailerFields: HTTPFields, body: Body, request: SentRequest,
    redirects: [RedirectHop], metrics: TransferMetrics, decodedBodyBytes: Int64
  ) {
    storage = Storage(
      status: status, version: version, received: fields, trailerFields: trailerFields, body: body, request: request, redirects: redirects,
      metrics: metrics, decodedBodyBytes: decodedBodyBytes)
  }

  /// A response's body.
  public enum Body: Sendable {
    /// The body in memory; empty if there is no body.
    case bytes([UInt8])
    /// The body in a temporary file, which must be committed or discarded.
    case file(DownloadedFile)
    /// The first bytes, up to the limit of ``TransferDestination/prefix(_:computesDigest:)``, and
    /// the SHA-256 digest of the whole body if requested.
    case prefix([UInt8], digest: Digest?)
    /// The body was received and discarded.
    case discarded
  }

  /// The URL of the response after redirects.
  public var url: String { request.url }

  /// The body in memory; empty if it is not in memory.
  public var bytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }

  /// The size in bytes of the body as transferred, before decoding.
  public var wireBodyBytes: Int64 { metrics.transactions.last?.responseBodyBytes ?? 0 }
}

/// A redirect that was followed.
public struct RedirectHop: Sendable, Hashable {
  /// The URL whose response was the redirect.
  public let url: String
  /// The method of the request whose response was the redirect.
  public let method: HTTPRequest.Method
  /// The status of the redirect.
  public let status: HTTPResponse.Status
  /// The header fields of the redirect.
  public let headerFields: HTTPFields
  /// The URL to which the redirect leads.
  public let target: String
  /// The request whose response was the redirect.
  public let request: SentRequest

  /// Creates a redirect that was followed.
  public init(
    url: String, method: HTTPRequest.Method, status: HTTPResponse.Status, headerFields: HTTPFields, target: String, request: SentRequest
  ) {
    self.url = url
    self.method = method
    self.status = status
    self.request = request
    self.headerFields = headerFields
    self.target = target
  }
}

extension TransferResponse {
  /// Returns a copy of this response with the given body. ``decodedBodyBytes`` is unchanged.
  package func replacing(body: Body) -> TransferResponse {
    TransferResponse(
      status: status, version: version, fields: received, trailerFields: trailerFields, body: body, request: request,
      redirects: redirects, metrics: metrics, decodedBodyBytes: decodedBodyBytes)
  }

  /// Returns a copy of this response whose list of redirects begins with `hops`, followed by the redirects of this response. A caller uses
  /// this function if it follows redirects itself, by sending a new request for each hop.
  package func following(_ hops: [RedirectHop], _ metrics: TransferMetrics) -> TransferResponse {
    if hops.isEmpty { return self }
    return TransferResponse(
      status: status, version: version, fields: received, trailerFields: trailerFields, body: body, request: request,
      redirects: hops + redirects, metrics: metrics, decodedBodyBytes: decodedBodyBytes)
  }
}
