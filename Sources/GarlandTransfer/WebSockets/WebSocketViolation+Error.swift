extension NetworkingError {
  /// Creates the error for a violation of the WebSocket protocol by the server.
  ///
  /// - Parameters:
  ///   - shortage: The description of the missing memory, if a WebSocket message does not fit into the memory; otherwise nil.
  ///   - limit: The maximum size in bytes of a WebSocket message.
  init(_ violation: WebSocketViolation, shortage: String?, limit: Int) {
    if let shortage {
      self.init(.noRoom(for: "the message", shortage))
    } else if violation.code == .messageTooBig {
      self.init(.itemTooLarge(item: "message", limit: Int64(limit)))
    } else {
      self.init(.invalidResponse(detail: "the WebSocket server sent \(violation.detail)"))
    }
  }
}
