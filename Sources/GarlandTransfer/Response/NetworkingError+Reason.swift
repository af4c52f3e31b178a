extension NetworkingError {
  /// What went wrong, with what a program may want to know of it. ``kind`` is the same without details.
  public enum Reason: Sendable, Hashable, CustomStringConvertible {
    /// The request itself can't be sent: its URL, method, header or body is not one.
    case invalidRequest(String)
    /// What this library, or the libcurl it runs on, does not do.
    case unsupported(String)
    /// The host's name did not resolve.
    case resolve(host: String)
    /// Nobody listens at the address.
    case refused(host: String, port: Int)
    /// There is no route to the address, or the connection could not be made for another reason of the system's.
    case unreachable(host: String, port: Int, detail: String)
    /// Time was up.
    case timeout(Timeout)
    /// No trusted TLS connection came about, or it broke.
    case tls(TLS, detail: String)
    /// The server is not one to trust, by what a ``ServerTrustManager`` says of it.
    case trust(Trust)
    /// The proxy could not be reached, or refused.
    case proxy(detail: String)
    /// The peer closed or reset the connection before the response was complete.
    case connectionLost(detail: String)
    /// The connection ended before the announced end of the body. `expected` is nil where the body was chunked.
    case truncated(received: Int64, expected: Int64?)
    /// What arrived is no valid HTTP.
    case invalidResponse(detail: String)
    /// A redirect could not be followed.
    case redirect(Redirect)
    /// The body, decoded, is larger than the transfer allows.
    case bodyTooLarge(limit: Int64)
    /// The header is larger than the transfer allows, in bytes.
    case headerTooLarge(limit: Int)
    /// The header has more fields than the transfer allows.
    case tooManyFields(limit: Int)
    /// The body's content coding is broken.
    case undecodable(detail: String)
    /// A file of the request's body could not be read.
    case upload(File)
    /// A file of the response's body could not be written.
    case download(File)
    /// The file that a `file:` URL names could not be read.
    case file(File)
    /// An FTP server refused, with this code and these words (RFC 959, section 4.2).
    case refusedByServer(code: Int, detail: String)
    /// Nothing is stored for the request, and it must not be sent: ``CachePolicy/returnCacheOnly``, or `Cache-Control: only-if-cached`.
    case notCached
    /// A file of the cache's could not be made or read.
    case cache(File)
    /// A background session could not be made, or its journal not be written.
    case background(Background)
    /// A body stream of the caller's threw.
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
    /// The response is not what the request's validators accept.
    case validation(Validation)
    /// The response could not be turned into what was asked for.
    case serialization(Serialization)
    /// There is no credential to send the request with.
    case authentication(Authentication)
    /// Anything else that libcurl says, by its code.
    case library(code: Int32, detail: String)
  }

  /// The reasons without their details: what is counted, retried, or expected by name.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The request is not one that can be sent.
    case invalidRequest = "invalid_request"
    /// This library or this libcurl does not do that.
    case unsupported
    /// The host's name has no address.
    case resolve
    /// Nobody listens at the address.
    case refused
    /// No way leads to the address.
    case unreachable
    /// One of the time limits was up.
    case timeout
    /// TLS did not come about, or the server was not trusted.
    case tls
    /// The proxy can't be reached, or refuses.
    case proxy
    /// The connection broke.
    case connectionLost = "connection_lost"
    /// The response ended too early.
    case truncated
    /// What came is not HTTP.
    case invalidResponse = "invalid_response"
    /// A redirect could not be followed.
    case redirect
    /// The body exceeds its limit.
    case bodyTooLarge = "body_too_large"
    /// The header exceeds one of its limits.
    case headerTooLarge = "header_too_large"
    /// The content's coding could not be undone.
    case undecodable
    /// What was to be sent could not be read.
    case upload
    /// What was received could not be written.
    case download
    /// The file that a `file:` URL names.
    case file
    /// A background session's journal.
    case background
    /// A server that is none of HTTP's refused.
    case refusedByServer = "refused_by_server"
    /// An interceptor could not prepare the request.
    case interception
    /// The response was not accepted.
    case validation
    /// The response could not be understood.
    case serialization
    /// There is no credential.
    case authentication
    /// Nothing is stored, and nothing else was allowed.
    case notCached = "not_cached"
    /// What is stored could not be read.
    case cache
    /// Somebody cancelled it, or the session or engine ended.
    case cancelled
    /// Anything else that libcurl says.
    case library
  }

  /// Which time was up.
  public struct Timeout: Sendable, Hashable {
    /// Which of the limits it was.
    public enum Limit: Sendable, Hashable {
      /// No connection within the time for that.
      case connect
      /// No byte in either direction for this long.
      case idle
      /// The transfer, redirects included, did not end in time.
      case deadline
    }
    /// Which limit.
    public let limit: Limit
    /// What the transfer was at.
    public let phase: Phase
    /// The limit's length.
    public let duration: Duration

    /// All of it.
    public init(limit: Limit, phase: Phase, duration: Duration) {
      self.limit = limit
      self.phase = phase
      self.duration = duration
    }
  }

  /// What a transfer is at, in order.
  public enum Phase: Int, Sendable, Hashable, Comparable, CustomStringConvertible {
    /// For a free connection to the origin.
    case waiting
    /// The host's name.
    case resolving
    /// TCP.
    case connecting
    /// The proxy, for a tunnel to the host.
    case tunneling
    /// TLS.
    case securing
    /// The request.
    case sending
    /// For the first byte of the response.
    case awaitingResponse
    /// The response.
    case receiving

    /// In that order.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// As in "timed out while …".
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

  /// What was wrong with TLS.
  public enum TLS: Sendable, Hashable {
    /// The certificate is not trusted, has expired, or is otherwise refused.
    case untrusted
    /// The certificate is for another host.
    case wrongHost
    /// The handshake failed.
    case handshake
    /// The server ended the connection and said why.
    case alert(TLSAlert)
    /// The client's certificate or key could not be used.
    case clientCertificate
    /// The file of certificate authorities could not be read.
    case authorities
    /// The versions or ciphers that were asked for can't be used.
    case settings
  }

  /// Why a redirect was not followed.
  public enum Redirect: Sendable, Hashable {
    /// There were more than the limit.
    case tooMany(limit: Int)
    /// The `Location` is not a URL reference.
    case invalidLocation(String)
    /// The `Location` leads to something other than HTTP.
    case unsupportedScheme(String)
    /// The body would have to be sent again and can't be.
    case bodyNotRepeatable
  }

  /// What the system says of a file.
  public typealias File = FileFailure
}
