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
  /// `@unchecked Sendable`: it is changed only while one single value refers to it, and of that value the
  /// compiler makes sure that nobody else has it meanwhile. Who finds that there are several makes a copy.
  @usableFromInline final class Storage: @unchecked Sendable {
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
    var extent = TransferExtent.complete

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

    @usableFromInline init(_ other: Storage) {
      method = other.method
      url = other.url
      headerFields = other.headerFields
      removedFields = other.removedFields
      credentialFields = other.credentialFields
      body = other.body
      compression = other.compression
      credential = other.credential
      settings = other.settings
      destination = other.destination
      cachedResponseHandler = other.cachedResponseHandler
      hopSigner = other.hopSigner
      channel = other.channel
      extent = other.extent
    }
  }

  /// Behind one reference: a request passes through many hands on its way, and few of them change it.
  @usableFromInline var storage: Storage

  @inlinable mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage) }
  }

  /// The method, any token of RFC 9110. Defaults to `GET`.
  @inlinable public var method: HTTPRequest.Method {
    get { storage.method }
    _modify {
      makeUnique()
      yield &storage.method
    }
  }
  /// An absolute `http` or `https` URL, or one whose content is fetched otherwise: `ftp`, `file` (RFC 8089) or `data` (RFC 2397), by GET and HEAD
  /// only. Their responses have status 200 and the type that the name's extension says. A redirect never leads to one of these. Spaces and characters beyond ASCII are percent-encoded, international host names are put into
  /// their ASCII form; user and password in it become basic credentials.
  @inlinable public var url: String {
    get { storage.url }
    _modify {
      makeUnique()
      yield &storage.url
    }
  }
  /// The header, in order, with repeated fields and the given case kept. A field that the engine would add by itself (`Accept`, `User-Agent`,
  /// `Accept-Encoding`, `Host`, `Content-Length`) is replaced by the one that stands here.
  @inlinable public var headerFields: HTTPFields {
    get { storage.headerFields }
    _modify {
      makeUnique()
      yield &storage.headerFields
    }
  }
  /// Fields that the engine would add and that must not be sent.
  public var removedFields: Set<HTTPField.Name> {
    get { storage.removedFields }
    _modify {
      makeUnique()
      yield &storage.removedFields
    }
  }
  /// Names, beside those known to be (`Authorization`, `Cookie`, `Proxy-Authorization`), whose fields carry credentials: they never go to
  /// another origin than that of ``url``.
  public var credentialFields: Set<HTTPField.Name> {
    get { storage.credentialFields }
    _modify {
      makeUnique()
      yield &storage.credentialFields
    }
  }
  /// The content. Defaults to none.
  @inlinable public var body: TransferBody {
    get { storage.body }
    _modify {
      makeUnique()
      yield &storage.body
    }
  }
  /// How the content is compressed on its way. Defaults to not at all.
  public var compression: RequestCompression? {
    get { storage.compression }
    _modify {
      makeUnique()
      yield &storage.compression
    }
  }
  /// User and password, token or key for the origin of ``url``, and for no other.
  @inlinable public var credential: Credential? {
    get { storage.credential }
    _modify {
      makeUnique()
      yield &storage.credential
    }
  }
  /// Timeouts, redirects, TLS, limits and all else that is not part of the message.
  @inlinable public var settings: TransferSettings {
    get { storage.settings }
    _modify {
      makeUnique()
      yield &storage.settings
    }
  }
  /// Where the response's body goes. Defaults to memory.
  @inlinable public var destination: TransferDestination {
    get { storage.destination }
    _modify {
      makeUnique()
      yield &storage.destination
    }
  }
  /// Who says what becomes of a response that may be stored. Without one it is.
  public var cachedResponseHandler: (any CachedResponseHandler)? {
    get { storage.cachedResponseHandler }
    _modify {
      makeUnique()
      yield &storage.cachedResponseHandler
    }
  }
  /// Who signs it again for each redirect within the origin of ``url``; ``headerFields`` has the first signature.
  package var hopSigner: (any HopSigner)? {
    get { storage.hopSigner }
    _modify {
      makeUnique()
      yield &storage.hopSigner
    }
  }
  /// Who takes the response's body while it comes in, instead of ``destination``.
  package var channel: BodyChannel? {
    get { storage.channel }
    _modify {
      makeUnique()
      yield &storage.channel
    }
  }
  /// How much of it is carried out.
  package var extent: TransferExtent {
    get { storage.extent }
    _modify {
      makeUnique()
      yield &storage.extent
    }
  }

  /// A request, by default a plain GET into memory.
  public init(
    url: String, method: HTTPRequest.Method = .get, headerFields: HTTPFields = HTTPFields(), body: TransferBody = .none,
    credential: Credential? = nil, settings: TransferSettings = TransferSettings(), destination: TransferDestination = .memory
  ) {
    storage = Storage(
      method: method, url: url, headerFields: headerFields, body: body, credential: credential, settings: settings, destination: destination
    )
  }
}

/// How much of a transfer is carried out.
package enum TransferExtent: Sendable {
  case complete
  /// Up to the connection, TLS included. Nothing is sent on it.
  case connection
  /// The same, and the connection stays for somebody else to use.
  case stream
  /// Up to the end of the response's header.
  case head
}
