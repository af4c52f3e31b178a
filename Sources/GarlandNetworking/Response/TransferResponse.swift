public import GarlandCrypto
import HTTPTypes

/// A response, whatever its status.
public struct TransferResponse: Sendable {
  /// The status code, with the reason phrase if there was one (HTTP/2 has none).
  public let status: HTTPResponse.Status
  /// The protocol it was spoken in.
  public let version: HTTPVersion
  /// The header, in the order received, with repeated fields.
  public var headerFields: HTTPFields { received.fields }
  /// The header as it came.
  package let received: ReceivedFields
  /// Fields that came after a chunked body.
  public let trailerFields: HTTPFields
  /// The body.
  public let body: Body
  /// The request whose response this is: the last one, after redirects.
  public let request: SentRequest
  /// The responses with status 1xx, 3xx that were received on the way and followed, in order.
  public let redirects: [RedirectHop]
  /// What was measured.
  public let metrics: TransferMetrics
  /// How many bytes the body has, decoded.
  public let decodedBodyBytes: Int64

  init(
    status: HTTPResponse.Status, version: HTTPVersion, fields: ReceivedFields, trailerFields: HTTPFields, body: Body, request: SentRequest,
    redirects: [RedirectHop], metrics: TransferMetrics, decodedBodyBytes: Int64
  ) {
    self.status = status
    self.version = version
    received = fields
    self.trailerFields = trailerFields
    self.body = body
    self.request = request
    self.redirects = redirects
    self.metrics = metrics
    self.decodedBodyBytes = decodedBodyBytes
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
}
