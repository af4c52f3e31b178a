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
  ///   - completion: called once, on the executor of the run, and never before this method returns there.
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
