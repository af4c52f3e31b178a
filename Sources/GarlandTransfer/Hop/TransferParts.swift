import HTTPTypes

/// The state of a transfer that does not use HTTP, such as the transfer of a local file.
struct LocalContent {
  var resource: LocalResource?
  var source: FileSource?
  /// A piece of a file that was read but cannot be delivered yet.
  var heldPiece: [UInt8]?
  var ftp: FTPConversation?
}

/// A connection that is passed from a stream to libcurl, or from libcurl to a stream.
struct ConnectionHandover {
  /// The socket of an existing connection, on which libcurl sends the request instead of opening a new connection. Nil if libcurl opens the
  /// connection itself.
  var socket: AdoptedSocket?
  /// The libcurl handle that keeps the connection of a stream (such as a WebSocket) open after the end of the transfer; nil if there is no
  /// such handle.
  var handle: EasyHandle?
}

/// The head of a request as it was sent.
struct SentHead {
  /// The URL; nil before the request was sent, or if the URL contains a signature.
  var url: String?
  /// The scheme and authority of the request's URL, if this URL is sent unchanged; otherwise nil.
  var knownAuthority: LastAuthority?
  var fields = HTTPFields()
  /// The value of the `Cookie` field; nil if the field was not sent.
  var cookies: String?

  /// Forgets the URL of the last request, because a redirect leads to another URL.
  mutating func followRedirect() {
    url = nil
    knownAuthority = nil
  }
}

/// The limits of a transfer that are checked often, copied from the settings of the request.
struct TransferLimits {
  /// The idle timeout in nanoseconds: the longest time without data; nil for none.
  let idle: UInt64?
  let headerBytes: Int
  let headerFields: Int

  init(_ settings: TransferSettings) {
    idle = settings.idleTimeout.map(\.nanoseconds)
    headerBytes = settings.maximumHeaderBytes
    headerFields = settings.maximumHeaderFields
  }

  /// Returns the error for a response header that is too large or has too many fields; nil if the header is within the limits.
  func excess(of head: ResponseHead) -> NetworkingError.Reason? {
    if head.byteCount > headerBytes { return .headerTooLarge(limit: headerBytes) }
    return head.fieldCount > headerFields ? .tooManyFields(limit: headerFields) : nil
  }
}
