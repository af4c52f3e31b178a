/// Sends requests with one thread that runs libcurl and keeps the connections.
///
/// ```swift
/// let engine = Engine()
/// let response = try await engine.response(for: TransferRequest(url: "https://example.com/"))
/// print(response.status, response.bytes.count)
/// ```
/// Creating an engine costs nothing; the thread and libcurl start with the first transfer. The
/// engine is also a Swift executor: an actor on ``unownedExecutor`` runs on the thread where
/// responses arrive, which saves a thread change. Work there must be short: it delays every
/// transfer. When the last reference is released, running transfers are cancelled and the thread
/// ends; ``shutDown()`` waits for that.
public final class Engine: Sendable {
  /// The configuration of the engine.
  public let configuration: EngineConfiguration
  let loop: EngineLoop
  private let tasks: EngineTaskExecutor
  /// The further threads; nil with one thread.
  private let shards: OriginShards?

  /// Creates an engine, which starts with the first transfer.
  public init(configuration: EngineConfiguration = EngineConfiguration()) {
    self.configuration = configuration
    loop = EngineLoop(configuration: configuration)
    tasks = EngineTaskExecutor(loop: loop)
    shards = OriginShards(loop, configuration)
  }

  private init(hosted configuration: EngineConfiguration) {
    self.configuration = configuration
    loop = EngineLoop(configuration: configuration, isHosted: true)
    tasks = EngineTaskExecutor(loop: loop)
    shards = OriginShards(loop, configuration)
  }

  deinit { stop() }

  /// Returns an engine without its own thread: it works while a thread is in ``run(while:)``.
  package static func hosted(_ configuration: EngineConfiguration) -> Engine { Engine(hosted: configuration) }

  /// Runs the engine on the calling thread while `goesOn` returns true, which is checked once per
  /// turn. `SIGPIPE` must be ignored or blocked. Afterwards the process must end by `_exit`, or by
  /// ``shutDown()`` and another run: open connections do not survive OpenSSL's exit handler.
  package func run(while goesOn: () -> Bool) { loop.run(while: goesOn) }

  /// The descriptor to which a byte count may be written, even by a signal handler, to wake the
  /// engine.
  package var wakeDescriptor: Int32 { loop.event }

  /// Runs a job of another executor on the engine's thread.
  package func enqueue(_ job: consuming ExecutorJob, of executor: UnownedTaskExecutor) { loop.enqueue(job, of: executor) }

  /// The engine's thread as an actor's executor. The actor must not outlive the engine.
  public var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// The engine's thread as a task's executor preference.
  public var taskExecutor: any TaskExecutor { tasks }

  /// Whether the caller runs on the engine's thread.
  public var isCurrent: Bool { loop.isCurrent }

  /// Starts a transfer.
  ///
  /// `completion` is called exactly once, on the engine's thread, and never before `start` returns
  /// there. `progress` is called there too, at most every 50 ms and once at the end of a body. Keep
  /// both short.
  @discardableResult
  public func start(
    _ request: TransferRequest, progress: (@Sendable (TransferProgress) -> Void)? = nil,
    completion: @escaping @Sendable (Result<TransferResponse, NetworkingError>) -> Void
  ) -> TransferHandle {
    start(request, until: nil, progress: progress, completion: completion)
  }

  /// Sends a request that something else may end as well, even while its thread is busy.
  package func start(
    _ request: TransferRequest, until stop: TransferStop?, progress: (@Sendable (TransferProgress) -> Void)? = nil,
    completion: @escaping @Sendable (Result<TransferResponse, NetworkingError>) -> Void
  ) -> TransferHandle {
    // A tap is called on the first thread, as everything else that is the caller's.
    guard let shards, request.tap == nil, case let other = shards.loop(for: request.url), other !== loop else {
      return start(Transfer(request: request, until: stop, progress: progress, completion: completion), on: loop)
    }
    let first = loop
    let progressThere = progress.map { progress in
      { @Sendable (news: TransferProgress) in first.perform { progress(news) } }
    }
    let transfer = Transfer(request: request, until: stop, progress: progressThere) { result in first.perform { completion(result) } }
    return start(transfer, on: other)
  }

  /// Returns a transfer that has not begun. Its closures are called on the thread that sends it,
  /// which may be one of several.
  package func prepare(
    _ request: TransferRequest, progress: (@Sendable (TransferProgress) -> Void)?,
    completion: @escaping @Sendable (Result<TransferResponse, NetworkingError>) -> Void
  ) -> TransferHandle {
    TransferHandle(transfer: Transfer(request: request, progress: progress, completion: completion), loop: loop(for: request.url))
  }

  private func start(_ transfer: Transfer, on loop: EngineLoop) -> TransferHandle {
    loop.start(transfer)
    return TransferHandle(transfer: transfer, loop: loop)
  }

  /// Returns the thread for requests to a URL.
  func loop(for url: String) -> EngineLoop { shards?.loop(for: url) ?? loop }

  /// Sends a request and waits for its response. Cancelling the task cancels the transfer with
  /// ``NetworkingError/Reason/cancelled``.
  public func response(
    for request: TransferRequest, progress: (@Sendable (TransferProgress) -> Void)? = nil
  ) async throws(NetworkingError) -> TransferResponse {
    let loop = loop(for: request.url)
    let result: Result<TransferResponse, NetworkingError> = await withUnsafeTransfer(request, progress, on: loop)
    return try result.get()
  }

  /// Runs `action` on the engine's thread after the actions already queued.
  public func perform(_ action: @escaping @Sendable () -> Void) {
    loop.perform(action)
  }

  /// Runs `action` on the engine's thread after `delay`.
  @discardableResult
  public func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
    let timer = LoopTimer(.action(action))
    loop.schedule(timer, after: delay)
    return ScheduledAction(timer: timer, loop: loop)
  }

  /// Cancels all transfers, waits until their completions have run and the thread has ended, and
  /// closes every connection. Later transfers fail with ``NetworkingError/Reason/shutDown``. On the
  /// engine's own thread it does not wait.
  public func shutDown() {
    stop()
    // Transfers that end on another thread are completed on the first.
    for loop in shards?.loops.dropFirst() ?? [] { loop.join() }
    loop.join()
  }

  /// Cancels all transfers without waiting.
  package func stop() {
    guard let shards else { return loop.stop() }
    for loop in shards.loops { loop.stop() }
  }

  private func withUnsafeTransfer(
    _ request: TransferRequest, _ progress: (@Sendable (TransferProgress) -> Void)?, on loop: EngineLoop
  ) async -> Result<TransferResponse, NetworkingError> {
    let slot = ResultSlot<Result<TransferResponse, NetworkingError>>()
    let transfer = Transfer(request: request, progress: progress) { slot.fill($0) }
    return await withTaskCancellationHandler {
      loop.start(transfer)
      // A task that was cancelled earlier has its result by now.
      return await slot.value()
    } onCancel: {
      loop.cancel(transfer)
    }
  }
}
