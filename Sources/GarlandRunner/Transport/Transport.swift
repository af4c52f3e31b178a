import GarlandTransfer

/// The transport of a run, which also provides the run's thread and clock: an engine, or an in-memory transport with simulated time.
protocol Transport: AnyObject, Sendable {
  /// The executor of the run.
  var unownedExecutor: UnownedSerialExecutor { get }
  /// Starts a transfer.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - stop: the condition that ends the transfer even while its thread is busy.
  ///   - progress: receives the number of bytes so far.
  ///   - completion: called once, on the executor of the run, and never before this method has returned on this executor.
  func send(
    _ request: TransferRequest, until stop: TransferStop, progress: (@Sendable (TransferProgress) -> Void)?,
    completion: @escaping @Sendable (Result<TransferResponse, NetworkingError>) -> Void
  ) -> any SentTransfer
  /// Sends a request and waits for its response.
  func response(for request: TransferRequest) async throws(NetworkingError) -> TransferResponse
  /// Creates a WebSocket connection, which the caller must open.
  func webSocket(_ request: TransferRequest, _ options: WebSocketOptions) -> any WebSocketLink
  /// Executes an action on the executor of the run, after the actions that are already queued.
  func perform(_ action: @escaping @Sendable () -> Void)
  /// Executes an action on the executor of the run after a time.
  func perform(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellable
}

/// An operation that can be cancelled.
protocol Cancellable: Sendable {
  func cancel()
}

/// A transfer in progress.
protocol SentTransfer: Cancellable {
  /// Cancels the transfer if it has no connection yet.
  func cancelUnlessConnected()
  /// Ends the transfer normally with the bytes that its body tap has read. If no tap is reading a body yet, the transfer fails with a
  /// timeout of `time`.
  func conclude(after time: Duration)
}

extension ScheduledAction: Cancellable {}

extension TransferHandle: SentTransfer {}

extension Engine: Transport {
  func send(
    _ request: TransferRequest, until stop: TransferStop, progress: (@Sendable (TransferProgress) -> Void)?,
    completion: @escaping @Sendable (Result<TransferResponse, NetworkingError>) -> Void
  ) -> any SentTransfer {
    start(request, until: stop, progress: progress, completion: completion)
  }

  func response(for request: TransferRequest) async throws(NetworkingError) -> TransferResponse {
    try await response(for: request, progress: nil)
  }

  func webSocket(_ request: TransferRequest, _ options: WebSocketOptions) -> any WebSocketLink {
    WebSocketConnection(request: request, options: options, engine: self)
  }

  func perform(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellable { schedule(after: delay, action) }
}

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
