import GarlandTransfer

/// A WebSocket connection, either of an engine or in memory.
protocol WebSocketLink: Sendable {
  /// Opens the connection. Returns the server's response; the server has refused the connection if the status is not 101.
  func open() async throws(NetworkingError) -> TransferResponse
  /// Sends a message.
  func send(_ message: WebSocketMessage) async throws(NetworkingError)
  /// Waits for a message, and returns the messages that have arrived; none after the server has closed the connection. Throws a timeout
  /// if no message arrives within `timeout`.
  ///
  /// - Parameter count: the maximum number of messages to return.
  func receive(atMost count: Int, timeout: Duration?) async throws(NetworkingError) -> [WebSocketMessage]
  /// Sends a close frame, waits for the server's close frame, and returns it.
  func close(_ close: WebSocketClose, timeout: Duration) async throws(NetworkingError) -> WebSocketClose
  /// The server's close frame, or the error that has ended the connection; nil while the connection is open.
  var end: Result<WebSocketClose, NetworkingError>? { get async }
  /// Closes the connection at once, without a close frame.
  func cancel()
}

extension WebSocketConnection: WebSocketLink {}
