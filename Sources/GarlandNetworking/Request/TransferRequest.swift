import HTTPTypes

/// A request as the engine sends it: what is to go over the wire, and how.
///
/// ```swift
/// var request = TransferRequest(url: "https://example.com/books", method: .post)
/// request.headerFields[.contentType] = "application/json"
/// request.body = .bytes(Array(#"{"title":"Dune"}"#.utf8))
/// let response = try await engine.response(for: request)
/// ```
/// A value: it can be kept, changed and sent again.
public struct TransferRequest: Sendable {
  /// The method, any token of RFC 9110. Defaults to `GET`.
  public var method: HTTPRequest.Method
  /// An absolute `http` or `https` URL, or one whose content is fetched otherwise: `ftp`, `file` (RFC 8089) or `data` (RFC 2397), by GET and HEAD
  /// only. Their responses have status 200 and the type that the name's extension says. A redirect never leads to one of these. Spaces and characters beyond ASCII are percent-encoded, international host names are put into
  /// their ASCII form; user and password in it become basic credentials.
  public var url: String
  /// The header, in order, with repeated fields and the given case kept. A field that the engine would add by itself (`Accept`, `User-Agent`,
  /// `Accept-Encoding`, `Host`, `Content-Length`) is replaced by the one that stands here.
  public var headerFields: HTTPFields
  /// Fields that the engine would add and that must not be sent.
  public var removedFields: Set<HTTPField.Name>
  /// Names, beside those known to be (`Authorization`, `Cookie`, `Proxy-Authorization`), whose fields carry credentials: they never go to
  /// another origin than that of ``url``.
  public var credentialFields: Set<HTTPField.Name>
  /// The content. Defaults to none.
  public var body: TransferBody
  /// How the content is compressed on its way. Defaults to not at all.
  public var compression: RequestCompression?
  /// User and password, token or key for the origin of ``url``, and for no other.
  public var credential: Credential?
  /// Timeouts, redirects, TLS, limits and all else that is not part of the message.
  public var settings: TransferSettings
  /// Where the response's body goes. Defaults to memory.
  public var destination: TransferDestination
  /// Who says what becomes of a response that may be stored. Without one it is.
  public var cachedResponseHandler: (any CachedResponseHandler)?
  /// Who signs it again for each redirect within the origin of ``url``; ``headerFields`` has the first signature.
  package var hopSigner: (any HopSigner)?
  /// Who takes the response's body while it comes in, instead of ``destination``.
  var channel: BodyChannel?
  /// How much of it is carried out.
  var extent = TransferExtent.complete

  /// A request, by default a plain GET into memory.
  public init(
    url: String, method: HTTPRequest.Method = .get, headerFields: HTTPFields = HTTPFields(), body: TransferBody = .none,
    credential: Credential? = nil, settings: TransferSettings = TransferSettings(), destination: TransferDestination = .memory
  ) {
    self.method = method
    self.url = url
    self.headerFields = headerFields
    self.removedFields = []
    self.credentialFields = []
    self.body = body
    self.credential = credential
    self.settings = settings
    self.destination = destination
  }
}

/// How much of a transfer is carried out.
enum TransferExtent: Sendable {
  case complete
  /// Up to the connection, TLS included. Nothing is sent on it.
  case connection
  /// The same, and the connection stays for somebody else to use.
  case stream
  /// Up to the end of the response's header.
  case head
}
