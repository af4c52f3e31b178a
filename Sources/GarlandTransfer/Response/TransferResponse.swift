public import GarlandCrypto
import HTTPTypes

/// A response, whatever its status.
public struct TransferResponse: Sendable {
  /// All of it.
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

  /// Behind one reference: a response passes through many hands.
  private let storage: Storage

  /// The status code, with the reason phrase if there was one (HTTP/2 has none).
  public var status: HTTPResponse.Status { storage.status }
  /// The protocol it was spoken in.
  public var version: HTTPVersion { storage.version }
  /// The header, in the order received, with repeated fields.
  public var headerFields: HTTPFields { received.fields }
  /// The header as it came.
  package var received: ReceivedFields { storage.received }
  /// Fields that came after a chunked body.
  public var trailerFields: HTTPFields { storage.trailerFields }
  /// The body.
  public var body: Body { storage.body }
  /// The request whose response this is: the last one, after redirects.
  public var request: SentRequest { storage.request }
  /// The responses with status 1xx, 3xx that were received on the way and followed, in order.
  public var redirects: [RedirectHop] { storage.redirects }
  /// What was measured.
  public var metrics: TransferMetrics { storage.metrics }
  /// How many bytes the body has, decoded.
  public var decodedBodyBytes: Int64 { storage.decodedBodyBytes }
  /// The status code alone.
  package var statusCode: Int { storage.status.code }
  /// Where it came from; nil if nothing was measured.
  package var source: TransactionMetrics.Source? {
    storage.metrics.transactions.isEmpty ? nil : storage.metrics.transactions[storage.metrics.transactions.count - 1].source
  }
  /// What TLS made of the connection that brought it.
  package var security: ConnectionSecurity? {
    storage.metrics.transactions.isEmpty ? nil : storage.metrics.transactions[storage.metrics.transactions.count - 1].security
  }
  /// How long the request took that brought it, and whether its connection had been used before.
  package var lastTiming: (total: Duration, isReused: Bool)? {
    guard !storage.metrics.transactions.isEmpty else { return nil }
    let last = storage.metrics.transactions.count - 1
    return (storage.metrics.transactions[last].total, storage.metrics.transactions[last].isReused)
  }
  /// See ``SentRequest/ticketProblem``.
  package var ticketProblem: String? { storage.request.ticketProblem }
  /// The method of the request that it answers.
  package var method: HTTPRequest.Method { storage.request.method }
  /// How long it took, without waiting for a free connection.
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
    /// It was received into memory, or there was none.
    case bytes([UInt8])
    /// It was received into a temporary file, which waits to be committed or discarded.
    case file(DownloadedFile)
    /// Its first bytes, all of them if there were no more than ``TransferDestination/prefix(_:computesDigest:)`` allows, and the SHA-256 digest of
    /// the whole if it was asked for.
    case prefix([UInt8], digest: Digest?)
    /// It was received and let go.
    case discarded
  }

  /// The URL that the response came from, after redirects.
  public var url: String { request.url }

  /// The body's bytes if it is in memory, otherwise none.
  public var bytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }

  /// The size of the body on the wire, before decoding.
  public var wireBodyBytes: Int64 { metrics.transactions.last?.responseBodyBytes ?? 0 }
}

/// A redirect that was followed.
public struct RedirectHop: Sendable, Hashable {
  /// The URL that answered.
  public let url: String
  /// With which method it had been asked.
  public let method: HTTPRequest.Method
  /// Its status.
  public let status: HTTPResponse.Status
  /// Its header.
  public let headerFields: HTTPFields
  /// Where it sent us.
  public let target: String
  /// What had been sent.
  public let request: SentRequest

  package init(
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
  /// Returns this response at the end of redirects that were followed one by one.
  package func following(_ hops: [RedirectHop], _ metrics: TransferMetrics) -> TransferResponse {
    if hops.isEmpty { return self }
    return TransferResponse(
      status: status, version: version, fields: received, trailerFields: trailerFields, body: body, request: request,
      redirects: hops + redirects, metrics: metrics, decodedBodyBytes: decodedBodyBytes)
  }
}
