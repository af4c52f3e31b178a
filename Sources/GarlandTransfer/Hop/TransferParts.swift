import HTTPTypes

/// Content without HTTP.
struct LocalContent {
  var resource: LocalResource?
  var source: FileSource?
  /// A piece of a file that waits for room.
  var heldPiece: [UInt8]?
  var ftp: FTPConversation?
}

/// A connection on its way to or from a stream.
struct ConnectionHandover {
  /// The socket of an existing connection.
  var socket: AdoptedSocket?
  /// The handle whose connection is kept when the transfer ends.
  var handle: EasyHandle?
}

/// The head of a hop as sent.
struct SentHead {
  /// The URL; nil before it was sent, or if it contains a signature.
  var url: String?
  /// The start of the request's URL, if that URL equals the hop's exactly.
  var knownAuthority: LastAuthority?
  var fields = HTTPFields()
  /// The value of `Cookie`.
  var cookies: String?

  /// Resets the state for a redirect.
  mutating func followRedirect() {
    url = nil
    knownAuthority = nil
  }
}

/// The limits that are checked often.
struct TransferLimits {
  /// The idle timeout in nanoseconds.
  let idle: UInt64?
  let headerBytes: Int
  let headerFields: Int

  init(_ settings: TransferSettings) {
    idle = settings.idleTimeout.map(\.nanoseconds)
    headerBytes = settings.maximumHeaderBytes
    headerFields = settings.maximumHeaderFields
  }

  /// Returns the error for a head that is too large; nil if it is not.
  func excess(of head: ResponseHead) -> NetworkingError.Reason? {
    if head.byteCount > headerBytes { return .headerTooLarge(limit: headerBytes) }
    return head.fieldCount > headerFields ? .tooManyFields(limit: headerFields) : nil
  }
}
