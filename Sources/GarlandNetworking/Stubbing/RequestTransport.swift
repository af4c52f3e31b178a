/// Answers the requests of a session in place of the network.
///
/// ```swift
/// struct Teapot: RequestTransport {
///   func response(to request: TransferRequest) async throws -> TransferResponse {
///     TransferResponse(to: request, status: 418, body: Array("short and stout".utf8))
///   }
/// }
/// var configuration = SessionConfiguration.ephemeral
/// configuration.transport = Teapot()
/// ```
/// A session handles these responses like the responses of a server: it follows redirects, keeps cookies, answers challenges, decodes
/// content codings, validates, retries, and writes downloads to their files. Timeouts apply as well. Nothing is sent, and the session's
/// cache is not used. A ``StreamTask`` needs a network and fails. ``StubTransport`` is a ready-made transport.
public protocol RequestTransport: Sendable {
  /// Returns the response to a request.
  ///
  /// The request is complete, as a server would receive it: it has all header fields, including cookies, and the URL of the current
  /// redirect. ``TransferRequest/content()`` reads its content.
  ///
  /// A thrown ``NetworkingError`` is the error of the transfer; any other error becomes
  /// ``NetworkingError/Reason/connectionLost(detail:)``.
  func response(to request: TransferRequest) async throws -> TransferResponse
}
