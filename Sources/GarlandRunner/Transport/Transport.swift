import GarlandTransfer

/// The transport of a run, which also provides its thread and its time: an engine, or a transport
/// in memory whose time is simulated.
protocol Transport: AnyObject, Sendable {
  /// The executor of the run.
  var unownedExecutor: UnownedSerialExecutor { get }
  /// Starts a transfer.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - stop: the condition that ends it even while its thread is busy.
  ///   - progress: called with the bytes so far.
  ///   - completion: called once, where the run lives, and never before this returns there.
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

/// An operation that can be cancelled.
protocol Cancellable: Sendable {
  func cancel()
}

/// A transfer under way.
protocol SentTransfer: Cancellable {
  /// Calls it off if it has no connection yet.
  func cancelUnlessConnected()
  /// Ends it in good order with what its tap has read. If nothing reads a body yet, it fails with a timeout of `time`.
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

  func perform(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellable { schedule(after: delay, action) }
}
