import GarlandTransfer

/// What a run sends by, on whose thread it lives, and by whose time it waits: an engine, or one in memory whose time is simulated.
protocol Transport: AnyObject, Sendable {
  /// Where the run lives.
  var unownedExecutor: UnownedSerialExecutor { get }
  /// Starts a transfer.
  ///
  /// - Parameters:
  ///   - request: what is sent.
  ///   - stop: what ends it even while its thread is busy.
  ///   - progress: is told how far it has come.
  ///   - completion: is called once, where the run lives, and never before this returns there.
  func send(
    _ request: TransferRequest, until stop: TransferStop, progress: (@Sendable (TransferProgress) -> Void)?,
    completion: @escaping @Sendable (Result<TransferResponse, NetworkingError>) -> Void
  ) -> any SentTransfer
  /// Sends a request and waits for its response.
  func response(for request: TransferRequest) async throws(NetworkingError) -> TransferResponse
  /// Does something where the run lives, after what is queued there already.
  func perform(_ action: @escaping @Sendable () -> Void)
  /// The same after a time.
  func perform(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellable
}

/// What can be called off.
protocol Cancellable: Sendable {
  func cancel()
}

/// A transfer under way.
protocol SentTransfer: Cancellable {
  /// Calls it off if it has no connection yet.
  func cancelUnlessConnected()
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

  func perform(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellable { schedule(after: delay, action) }
}
