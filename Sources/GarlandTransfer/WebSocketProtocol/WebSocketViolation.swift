/// A rule of the WebSocket protocol that a peer broke, and the code with which the connection is
/// closed for that.
package struct WebSocketViolation: Error, Sendable, Hashable {
  package let code: WebSocketCloseCode
  /// Half a sentence about the peer's data.
  package let detail: String

  init(_ code: WebSocketCloseCode = .protocolError, _ detail: String) {
    self.code = code
    self.detail = detail
  }
}
