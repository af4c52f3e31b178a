import CCurl

extension NetworkingError {
  /// The reason for an error, with its details; ``kind`` is the reason without details.
  public enum Reason: Sendable, Hashable, CustomStringConvertible {
    /// The request cannot be sent: its URL, method, header or body is invalid.
    case invalidRequest(String)
    /// This library, or its libcurl, does not support the request.
    case unsupported(String)
    /// The host's name did not resolve.
    case resolve(host: String)
    /// No program listens at the address.
    case refused(host: String, port: Int)
    /// There is no route to the address, or the system could not connect for another reason.
    case unreachable(host: String, port: Int, detail: String)
    /// A time limit was exceeded.
    case timeout(Timeout)
    /// The TLS connection failed, was not trusted, or was lost.
    case tls(TLS, detail: String)
    /// A ``ServerTrustManager`` refused the server.
    case trust(Trust)
    /// The proxy was unreachable or refused the connection.
    case proxy(detail: String)
    /// The peer closed or reset the connection before the response was complete.
    case connectionLost(detail: String)
    /// The connection ended before the announced end of the body. `expected` is nil if the body was chunked.
    case truncated(received: Int64, expected: Int64?)
    /// The data received is not valid HTTP, or not valid in the WebSocket protocol.
    case invalidResponse(detail: String)
    /// A redirect could not be followed.
    case redirect(Redirect)
    /// The decoded body exceeds the limit in bytes.
    case bodyTooLarge(limit: Int64)
    /// An event, line, part or WebSocket message is larger than the limit in bytes. `item` names the kind of item: `event`, `line`, `part`
    /// or `message`.
    case itemTooLarge(item: String, limit: Int64)
    /// The header exceeds the limit in bytes.
    case headerTooLarge(limit: Int)
    /// The header has more fields than the limit.
    case tooManyFields(limit: Int)
    /// The body's content coding is invalid.
    case undecodable(detail: String)
    /// A file of the request's body could not be read.
    case upload(File)
    /// The file to which the response's body is downloaded could not be written.
    case download(File)
    /// The file of a `file:` URL could not be read.
    case file(File)
    /// An FTP server refused the request with this reply code and message (RFC 959, section 4.2).
    case refusedByServer(code: Int, detail: String)
    /// The cache has no response for the request, and ``CachePolicy/returnCacheOnly`` or `Cache-Control: only-if-cached` forbids sending
    /// the request.
    case notCached
    /// A file of the cache could not be created or read.
    case cache(File)
    /// A background session could not be created, or its journal could not be written.
    case background(Background)
    /// The caller's body stream threw an error.
    case bodyStream(detail: String)
    /// The transfer, or the task that waited for it, was cancelled.
    case cancelled
    /// The engine was shut down.
    case shutDown
    /// The session was invalidated.
    case invalidated
    /// Parameters could not be encoded.
    case parameters(ParameterEncodingError)
    /// An interceptor could not prepare the request.
    case adaptation(Underlying)
    /// A validator refused the response.
    case validation(Validation)
    /// The response could not be converted to the requested type.
    case serialization(Serialization)
    /// The request could not be authenticated.
    case authentication(Authentication)
    /// An error of libcurl for which there is no other case, with libcurl's code.
    case library(code: Int32, detail: String)
  }

  /// The reason for an error, without details. Programs use it to count errors, to decide about retries, and to check for an expected
  /// error.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The request is invalid.
    case invalidRequest = "invalid_request"
    /// This library or its libcurl does not support the request.
    case unsupported
    /// The host's name has no address.
    case resolve
    /// No program listens at the address.
    case refused
    /// There is no route to the address.
    case unreachable
    /// A time limit was exceeded.
    case timeout
    /// TLS failed, or the server was not trusted.
    case tls
    /// The proxy was unreachable or refused the connection.
    case proxy
    /// The connection was lost.
    case connectionLost = "connection_lost"
    /// The connection ended before the end of the response.
    case truncated
    /// The data received is not HTTP.
    case invalidResponse = "invalid_response"
    /// A redirect could not be followed.
    case redirect
    /// The response's body, or an item of a stream, exceeds its size limit.
    case bodyTooLarge = "body_too_large"
    /// The header exceeds one of its limits.
    case headerTooLarge = "header_too_large"
    /// The content coding could not be decoded.
    case undecodable
    /// A file to send could not be read.
    case upload
    /// Received data could not be written.
    case download
    /// The file of a `file:` URL could not be read.
    case file
    /// A background session or its journal failed.
    case background
    /// The server of a protocol other than HTTP, such as FTP, refused the request.
    case refusedByServer = "refused_by_server"
    /// An interceptor could not prepare the request.
    case interception
    /// A validator refused the response.
    case validation
    /// The content of the response could not be converted to a value.
    case serialization
    /// The request could not be authenticated.
    case authentication
    /// No response is stored for the request, and sending it was not allowed.
    case notCached = "not_cached"
    /// A stored response could not be read.
    case cache
    /// The request was cancelled, or the session or engine ended.
    case cancelled
    /// An error of libcurl for which there is no other case.
    case library
  }

  /// A time limit that was exceeded.
  public struct Timeout: Sendable, Hashable {
    /// The kind of time limit.
    public enum Limit: Sendable, Hashable {
      /// The time limit for connecting.
      case connect
      /// The time limit for a pause in which no byte is sent or received.
      case idle
      /// The time limit for the whole transfer, redirects included.
      case deadline
    }
    /// The kind of time limit that was exceeded.
    public let limit: Limit
    /// The phase of the transfer in which the limit was exceeded.
    public let phase: Phase
    /// The time limit that was exceeded.
    public let duration: Duration

    /// Creates the description of an exceeded time limit.
    public init(limit: Limit, phase: Phase, duration: Duration) {
      self.limit = limit
      self.phase = phase
      self.duration = duration
    }
  }

  /// The phases of a transfer in order.
  public enum Phase: Int, Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The transfer was waiting for a free connection to the origin.
    case waiting
    /// The transfer was resolving the host's name.
    case resolving
    /// The transfer was connecting over TCP.
    case connecting
    /// The transfer was opening a tunnel through the proxy.
    case tunneling
    /// The transfer was performing the TLS handshake.
    case securing
    /// The transfer was sending the request.
    case sending
    /// The transfer was waiting for the first byte of the response.
    case awaitingResponse
    /// The transfer was receiving the response.
    case receiving

    /// Orders phases from earlier to later.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The text that follows "timed out while" in messages.
    public var description: String {
      switch self {
      case .waiting: "waiting for a free connection"
      case .resolving: "resolving the host's name"
      case .connecting: "connecting"
      case .tunneling: "asking the proxy for a tunnel"
      case .securing: "making the TLS connection"
      case .sending: "sending the request"
      case .awaitingResponse: "waiting for the response"
      case .receiving: "receiving the response"
      }
    }
  }

  /// The kind of TLS failure.
  public enum TLS: Sendable, Hashable {
    /// The certificate is untrusted, expired or otherwise refused.
    case untrusted
    /// The certificate is for another host.
    case wrongHost
    /// The TLS handshake failed.
    case handshake
    /// The server ended the connection with a TLS alert.
    case alert(TLSAlert)
    /// The client's certificate or key could not be used.
    case clientCertificate
    /// The file of certificate authorities could not be read.
    case authorities
    /// The configured TLS versions or ciphers are invalid.
    case settings
  }

  /// The reason why a redirect was not followed.
  public enum Redirect: Sendable, Hashable {
    /// There were more redirects than the limit.
    case tooMany(limit: Int)
    /// The `Location` is not a URL reference.
    case invalidLocation(String)
    /// The `Location` is not an HTTP URL.
    case unsupportedScheme(String)
    /// The body would have to be sent again but can be read only once.
    case bodyNotRepeatable
  }

  /// A failed operation on a file.
  public typealias File = FileFailure
}

extension NetworkingError.Reason {
  /// Creates the reason for data that does not fit into the memory.
  ///
  /// - Parameters:
  ///   - data: The data in words, such as `the body`.
  ///   - shortage: The message about the missing memory, a part of a sentence.
  static func noRoom(for data: String, _ shortage: String) -> Self {
    .library(code: Int32(CURLE_OUT_OF_MEMORY.rawValue), detail: "\(data) does not fit into the memory: \(shortage)")
  }
}
