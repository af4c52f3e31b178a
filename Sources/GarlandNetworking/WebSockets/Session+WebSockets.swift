import GarlandTransfer
import HTTPTypes

extension Session {
  /// Creates a WebSocket connection; see ``WebSocketTask``.
  ///
  /// The first operation on the task opens the connection.
  ///
  /// The handshake request has the session's header fields, cookies, credentials, trust and settings. The session's interceptors adapt the
  /// request, and decide about a retry after an error or a refusal. The connection uses HTTP/1.1; WebSocket over HTTP/2 (RFC 8441) is not
  /// supported. Redirects are not followed, and challenges (Digest, NTLM, Negotiate) are not answered.
  ///
  /// - Parameters:
  ///   - url: A URL with the scheme `ws`, `wss`, `http` or `https`, or relative to the session's base URL.
  ///   - headers: Header fields of the handshake request.
  ///   - options: Subprotocols, compression, pings and limits.
  ///   - interceptor: Changes the handshake request and decides about retries, before the session's own interceptor.
  ///   - modify: The closure that changes the handshake request before it is sent, for example its settings.
  public func webSocket(
    _ url: some URLConvertible, headers: HTTPFields = HTTPFields(), options: WebSocketOptions = WebSocketOptions(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> WebSocketTask {
    webSocket(original(url, .get, headers, modify), options, interceptor)
  }

  /// Creates a WebSocket connection. In `headers`, the names of the fields are strings; see ``HTTPHeaders``.
  public func webSocket(
    _ url: some URLConvertible, headers: HTTPHeaders?, options: WebSocketOptions = WebSocketOptions(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> WebSocketTask {
    webSocket(original(headers) { original(url, .get, $0, modify) }, options, interceptor)
  }

  /// Creates a WebSocket connection whose handshake is the request of a ``URLRequestConvertible``, such as a case of a router enumeration.
  /// The request must be a GET without a body.
  public func webSocket(
    _ convertible: some URLRequestConvertible, options: WebSocketOptions = WebSocketOptions(),
    interceptor: (any RequestInterceptor)? = nil
  ) -> WebSocketTask {
    webSocket(original(convertible), options, interceptor)
  }

  private func webSocket(
    _ original: Result<TransferRequest, NetworkingError>, _ options: WebSocketOptions, _ interceptor: (any RequestInterceptor)?
  ) -> WebSocketTask {
    let request = original.map { request in
      var request = request
      request.url = WebSocketConnection.httpURL(request.url)
      return request
    }
    return WebSocketTask(
      session: self, engine: streamEngine, request: request, options: options,
      interceptors: [interceptor, configuration.interceptor].compactMap { $0 })
  }
}
