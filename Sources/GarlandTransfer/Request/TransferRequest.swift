import GarlandText
import HTTPTypes

/// A request as the engine sends it: the message and its settings.
///
/// ```swift
/// var request = TransferRequest(url: "https://example.com/books", method: .post)
/// request.headerFields[.contentType] = "application/json"
/// request.body = .bytes(Array(#"{"title":"Dune"}"#.utf8))
/// let response = try await engine.response(for: request)
/// ```
/// A request is a value: it can be stored, changed and sent again.
public struct TransferRequest: Sendable {
  @usableFromInline struct Values: Sendable {
    @usableFromInline var method: HTTPRequest.Method
    @usableFromInline var url: String
    @usableFromInline var headerFields: HTTPFields
    var removedFields: Set<HTTPField.Name> = []
    var credentialFields: Set<HTTPField.Name> = []
    @usableFromInline var body: TransferBody
    var compression: RequestCompression?
    @usableFromInline var credential: Credential?
    @usableFromInline var settings: TransferSettings
    @usableFromInline var destination: TransferDestination
    var cachedResponseHandler: (any CachedResponseHandler)?
    var hopSigner: (any HopSigner)?
    var channel: BodyChannel?
    var tap: (any BodyTap)?
    var extent = TransferExtent.complete
    var usedTime = Duration.zero
    var responder: Responder?

    init(
      method: HTTPRequest.Method, url: String, headerFields: HTTPFields, body: TransferBody, credential: Credential?,
      settings: TransferSettings, destination: TransferDestination
    ) {
      self.method = method
      self.url = url
      self.headerFields = headerFields
      self.body = body
      self.credential = credential
      self.settings = settings
      self.destination = destination
    }
  }

  /// The storage of all properties. The storage is a single reference, because a request is copied many times and rarely changed.
  @usableFromInline var storage: CopyOnWrite<Values>

  /// The method: any token of RFC 9110. Defaults to `GET`.
  @inlinable public var method: HTTPRequest.Method {
    get { storage.value.method }
    _modify { yield &storage.value.method }
  }
  /// An absolute URL with the scheme `http` or `https`, or for GET and HEAD also `ftp`, `file` (RFC 8089) or
  /// `data` (RFC 2397).
  ///
  /// Responses for the last three schemes have status 200. Their media type comes from the file extension or the `data` URL. A redirect
  /// to these schemes is never followed. Spaces and non-ASCII characters are percent-encoded, and international host names are converted
  /// to ASCII. A user and password in the URL become Basic credentials.
  @inlinable public var url: String {
    get { storage.value.url }
    _modify { yield &storage.value.url }
  }
  /// The header fields in order. Repeated fields and the letter case of names are kept. A field here replaces the field that the engine
  /// would add by itself (`Accept`, `User-Agent`, `Accept-Encoding`, `Host`, `Content-Length`).
  @inlinable public var headerFields: HTTPFields {
    get { storage.value.headerFields }
    _modify { yield &storage.value.headerFields }
  }
  /// The names of fields that the engine would add by itself but must not send.
  public var removedFields: Set<HTTPField.Name> {
    get { storage.value.removedFields }
    _modify { yield &storage.value.removedFields }
  }
  /// The names of further fields that contain credentials, besides `Authorization`, `Cookie` and `Proxy-Authorization`. These fields are
  /// sent only to the origin of ``url``.
  public var credentialFields: Set<HTTPField.Name> {
    get { storage.value.credentialFields }
    _modify { yield &storage.value.credentialFields }
  }
  /// The content. Defaults to none.
  @inlinable public var body: TransferBody {
    get { storage.value.body }
    _modify { yield &storage.value.body }
  }
  /// The compression of the content. Defaults to none.
  public var compression: RequestCompression? {
    get { storage.value.compression }
    _modify { yield &storage.value.compression }
  }
  /// The credential. It is sent only to the origin of ``url``.
  @inlinable public var credential: Credential? {
    get { storage.value.credential }
    _modify { yield &storage.value.credential }
  }
  /// The settings that are not part of the message: timeouts, redirects, TLS, limits and others.
  @inlinable public var settings: TransferSettings {
    get { storage.value.settings }
    _modify { yield &storage.value.settings }
  }
  /// The destination of the response's body. Defaults to memory.
  @inlinable public var destination: TransferDestination {
    get { storage.value.destination }
    _modify { yield &storage.value.destination }
  }
  /// The handler that decides whether the cache stores a response that it is allowed to store. Without a handler, each such response is
  /// stored.
  public var cachedResponseHandler: (any CachedResponseHandler)? {
    get { storage.value.cachedResponseHandler }
    _modify { yield &storage.value.cachedResponseHandler }
  }
  /// The object that signs the requests after redirects within the origin of ``url``; nil if these requests need no signature. The
  /// signature of the first request is in ``headerFields``.
  package var hopSigner: (any HopSigner)? {
    get { storage.value.hopSigner }
    _modify { yield &storage.value.hopSigner }
  }
  /// The channel that receives the response's body as it arrives, instead of ``destination``.
  package var channel: BodyChannel? {
    get { storage.value.channel }
    _modify { yield &storage.value.channel }
  }
  /// The ``BodyTap`` that reads the response's body as it arrives, in addition to ``destination``.
  package var tap: (any BodyTap)? {
    get { storage.value.tap }
    _modify { yield &storage.value.tap }
  }
  /// The point at which the transfer ends. Defaults to the end of the response.
  package var extent: TransferExtent {
    get { storage.value.extent }
    _modify { yield &storage.value.extent }
  }
  /// The part of the deadline that earlier attempts to send this request have used. If the deadline is exceeded, the error states the whole
  /// deadline. Defaults to zero.
  package var usedTime: Duration {
    get { storage.value.usedTime }
    _modify { yield &storage.value.usedTime }
  }

  /// The closure that answers the request in place of the network; nil to use the network. The engine treats the closure's response like a
  /// server's response: for example, it follows redirects, stores cookies, answers challenges and decodes the body.
  package var responder: Responder? {
    get { storage.value.responder }
    _modify { yield &storage.value.responder }
  }

  /// Creates a request, by default a plain GET into memory.
  public init(
    url: String, method: HTTPRequest.Method = .get, headerFields: HTTPFields = HTTPFields(), body: TransferBody = .none,
    credential: Credential? = nil, settings: TransferSettings = TransferSettings(), destination: TransferDestination = .memory
  ) {
    storage = CopyOnWrite(
      Values(
        method: method, url: url, headerFields: headerFields, body: body, credential: credential, settings: settings,
        destination: destination))
  }
}

/// A closure that answers a request in place of the network.
package typealias Responder = @Sendable (TransferRequest) async throws -> TransferResponse

/// The stage at which a transfer ends, such as the arrival of the response's header.
package enum TransferExtent: Sendable {
  case complete
  /// The transfer ends when the connection is open, including TLS. No request is sent.
  case connection
  /// The transfer ends when the connection is open. The connection is kept open for a stream, such as a WebSocket. No request is sent.
  case stream
  /// The transfer ends when the response's header has arrived; the body is not received.
  case head
}

/// The destination to which the body of a response is written, such as memory or a file.
public enum TransferDestination: Sendable, Hashable {
  /// The body is stored in memory, up to ``TransferSettings/Values/maximumBodyBytes``.
  case memory
  /// The body is written to a file; see ``DownloadTarget``.
  case file(DownloadTarget)
  /// The first bytes of the body are stored in memory, up to the given number. The rest is received, counted and discarded. The SHA-256
  /// digest, if one is requested, covers the whole body.
  case prefix(Int, computesDigest: Bool)
  /// No destination: the body is received, counted and discarded.
  case discard
}
