/// A violation of the WebSocket protocol by the peer, with the code of the close frame that reports it.
package struct WebSocketViolation: Error, Sendable, Hashable {
  package let code: WebSocketCloseCode
  /// A phrase for error messages that describes the peer's invalid data, such as `a masked frame`.
  package let detail: String

  init(_ code: WebSocketCloseCode = .protocolError, _ detail: String) {
    self.code = code
    self.detail = detail
  }
}
