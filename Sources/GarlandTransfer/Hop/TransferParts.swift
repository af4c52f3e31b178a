import HTTPTypes

/// What no HTTP is spoken for.
struct LocalContent {
  var resource: LocalResource?
  var source: FileSource?
  /// A piece of a file that nobody has room for yet.
  var heldPiece: [UInt8]?
  var ftp: FTPConversation?
}

/// A connection on its way to or from somebody else.
struct ConnectionHandover {
  /// The socket of a connection that is there already.
  var socket: AdoptedSocket?
  /// The handle whose connection is kept when the transfer ends.
  var handle: EasyHandle?
}

/// The head of a hop as it was sent.
struct SentHead {
  /// Nil before it was sent, and where a signature is in it.
  var url: String?
  /// What the request's URL begins with, if that URL is the hop's letter by letter.
  var knownAuthority: LastAuthority?
  var fields = HTTPFields()
  /// The value of `Cookie`.
  var cookies: String?

  /// A redirect leads elsewhere.
  mutating func followRedirect() {
    url = nil
    knownAuthority = nil
  }
}

/// The limits that are looked at often.
struct TransferLimits {
  /// How long nothing may happen, in nanoseconds.
  let idle: UInt64?
  let headerBytes: Int
  let headerFields: Int

  init(_ settings: TransferSettings) {
    idle = settings.idleTimeout.map(\.nanoseconds)
    headerBytes = settings.maximumHeaderBytes
    headerFields = settings.maximumHeaderFields
  }

  /// Why a head is too large; nil if it is not.
  func excess(of head: ResponseHead) -> NetworkingError.Reason? {
    if head.byteCount > headerBytes { return .headerTooLarge(limit: headerBytes) }
    return head.fieldCount > headerFields ? .tooManyFields(limit: headerFields) : nil
  }
}
