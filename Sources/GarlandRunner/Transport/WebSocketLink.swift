import GarlandTransfer

/// A WebSocket connection, of an engine or in memory.
protocol WebSocketLink: Sendable {
  /// Opens the connection. Returns the server's response, of which a status other than 101 is a refusal.
  func open() async throws(NetworkingError) -> TransferResponse
  /// Sends a message.
  func send(_ message: WebSocketMessage) async throws(NetworkingError)
  /// Waits for a message, and returns the messages that have arrived; none after the server has closed the connection.
  ///
  /// - Parameter count: the maximum number of messages to return.
  func receive(atMost count: Int, timeout: Duration?) async throws(NetworkingError) -> [WebSocketMessage]
  /// Closes the connection in good order.
  func close(_ close: WebSocketClose, timeout: Duration) async throws(NetworkingError) -> WebSocketClose
  /// The server's close frame, or an error, once the connection has ended.
  var end: Result<WebSocketClose, NetworkingError>? { get async }
  /// Closes the connection at once.
  func cancel()
}

extension WebSocketConnection: WebSocketLink {}
