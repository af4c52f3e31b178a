import GarlandTransfer

/// Sends the requests of a run, probes hosts, and provides the run's thread and clock. It is an engine, or for tests an in-memory
/// transport with simulated time.
protocol Transport: AnyObject, Sendable {
  /// The executor of the thread on which the run and the transport work.
  var unownedExecutor: UnownedSerialExecutor { get }
  /// Whether the caller runs on the executor.
  var isCurrent: Bool { get }
  /// Sends a request without waiting for its response.
  ///
  /// - Parameters:
  ///   - request: the request to send.
  ///   - stop: the condition that ends the transfer, even while the thread of the run is busy.
  ///   - progress: receives the numbers of bytes that were sent and received so far.
  ///   - completion: receives the result. It is called once, on the executor of the run. If this method is called on that executor,
  ///     `completion` is called only after the method has returned.
  func send(
    _ request: TransferRequest, until stop: TransferStop, progress: (@Sendable (TransferProgress) -> Void)?,
    completion: @escaping @Sendable (Result<TransferResponse, NetworkingError>) -> Void
  ) -> any SentTransfer
  /// Sends a request and waits for its response.
  func response(for request: TransferRequest) async throws(NetworkingError) -> TransferResponse
  /// Creates a WebSocket connection, which the caller must open.
  func webSocket(_ request: TransferRequest, _ options: WebSocketOptions) -> any WebSocketLink
  /// Creates a probe of hosts. Its connections are not those of the transfers.
  func hostProbe() -> any HostProbe
  /// The clock that measures waits for hosts.
  var clock: SessionClock { get }
  /// The executor of the tasks that probe hosts or use a WebSocket connection; nil for the global executor. Simulated time advances only
  /// when no task has work on this executor.
  var waitExecutor: (any TaskExecutor)? { get }
  /// Executes an action on the executor of the run, after the actions that are already queued.
  func perform(_ action: @escaping @Sendable () -> Void)
  /// Executes an action on the executor of the run when the duration `delay` has passed.
  func perform(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellable
}

/// An actor that works on the executor of a transport: its `unownedExecutor` is that of ``transport``.
protocol TransportActor: Actor {
  /// The transport on whose executor this actor works.
  nonisolated var transport: any Transport { get }
}

extension TransportActor {
  /// Executes `body` on the executor of this actor: immediately if the caller already runs on this executor, otherwise later.
  ///
  /// - Parameter caller: the transport on whose executor the caller runs.
  nonisolated func perform(from caller: any Transport, _ body: @escaping @Sendable (isolated Self) -> Void) {
    if caller === transport { isolated(body) } else { transport.perform { self.isolated(body) } }
  }

  /// Calls `body` with this actor. The caller must run on the executor of this actor.
  ///
  /// `assumeIsolated` of the standard library does the same, but it asks the runtime for the executor and allocates closures: 5 % of the
  /// instructions of a repetition in a load test.
  @available(*, noasync)
  nonisolated func isolated(_ body: @escaping (isolated Self) -> Void) {
    precondition(transport.isCurrent, "not on the executor of the transport")
    #if DEBUG
      // This check asks the runtime in release builds, too: 400 instructions for each call. The precondition above is cheaper.
      assertIsolated()
    #endif
    // An isolated and a nonisolated parameter are passed in the same way. The standard library relies on this, too.
    unsafeBitCast(IsolatedBody(call: body), to: NonisolatedBody<Self>.self).call(self)
  }
}

/// A closure as a stored property. If a closure itself is passed to the generic function `unsafeBitCast`, it is wrapped in another closure.
private struct IsolatedBody<Owner: Actor> {
  let call: (isolated Owner) -> Void
}

/// The type to which an ``IsolatedBody`` is cast, so that nonisolated code can call its closure.
private struct NonisolatedBody<Owner: Actor> {
  let call: (Owner) -> Void
}

/// An operation in progress that can be cancelled, such as a timer.
protocol Cancellable: Sendable {
  func cancel()
}

/// A transfer in progress.
protocol SentTransfer: Cancellable {
  /// Cancels the transfer if it has no connection yet.
  func cancelUnlessConnected()
  /// Ends the transfer as if the body were complete, with the bytes that have arrived so far. If no reader has accepted the response as a
  /// stream yet, the transfer fails with a timeout error that contains the duration `time`.
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

  func hostProbe() -> any HostProbe { ReachabilityProbe() }

  var clock: SessionClock { SessionClock() }

  var waitExecutor: (any TaskExecutor)? { nil }

  func perform(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellable { schedule(after: delay, action) }
}

/// A WebSocket connection that the caller opens, uses and closes.
protocol WebSocketLink: Sendable {
  /// Opens the connection and returns the server's response to the handshake. If the status is not 101, the server has refused the
  /// connection.
  func open() async throws(NetworkingError) -> TransferResponse
  /// Sends a message.
  func send(_ message: WebSocketMessage) async throws(NetworkingError)
  /// Waits for a message, and returns the messages that have arrived. Returns no messages after the server has closed the connection.
  /// Throws a timeout if no message arrives within `timeout`.
  ///
  /// - Parameter count: the maximum number of messages to return.
  func receive(atMost count: Int, timeout: Duration?) async throws(NetworkingError) -> [WebSocketMessage]
  /// Sends a close frame, waits for the server's close frame, and returns it.
  func close(_ close: WebSocketClose, timeout: Duration) async throws(NetworkingError) -> WebSocketClose
  /// The server's close frame, or the error that has ended the connection; nil while the connection is open.
  var end: Result<WebSocketClose, NetworkingError>? { get async }
  /// Closes the connection immediately, without sending a close frame.
  func cancel()
}

extension WebSocketConnection: WebSocketLink {}
