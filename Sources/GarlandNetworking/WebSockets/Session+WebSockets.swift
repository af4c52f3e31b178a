import GarlandTransfer
import HTTPTypes

extension Session {
  /// Creates a WebSocket connection; see ``WebSocketTask``. The first operation connects.
  ///
  /// The opening request has the session's header fields, cookies, credentials, trust and settings;
  /// its interceptors adapt the request, and decide about another attempt after an error or a
  /// refusal. The connection is one of HTTP/1.1: RFC 8441, for HTTP/2, is left out. Redirects are not
  /// followed, and challenges (Digest, NTLM, Negotiate) are not answered.
  ///
  /// - Parameters:
  ///   - url: A URL of `ws` or `wss`, or of `http` or `https`, or relative to the session's base URL.
  ///   - headers: Header fields of the opening request.
  ///   - options: Subprotocols, compression, pings and limits.
  ///   - interceptor: An interceptor of the opening request.
  ///   - modify: Changes the opening request.
  public func webSocket(
    _ url: String, headers: HTTPFields = HTTPFields(), options: WebSocketOptions = WebSocketOptions(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> WebSocketTask {
    var request = transferRequest(WebSocketConnection.httpURL(url), headers: headers)
    modify?(&request)
    request.settings.cache = nil
    return WebSocketTask(
      session: self, engine: streamEngine, request: request, options: options,
      interceptors: [interceptor, configuration.interceptor].compactMap { $0 })
  }
}
