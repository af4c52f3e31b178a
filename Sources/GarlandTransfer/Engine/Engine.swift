/// Sends requests: one thread that runs libcurl, the connections it keeps, and nothing else.
///
/// ```swift
/// let engine = Engine()
/// let response = try await engine.response(for: TransferRequest(url: "https://example.com/"))
/// print(response.status, response.bytes.count)
/// ```
/// Making one costs nothing; the thread and libcurl start with the first transfer. It is also a Swift executor: an actor on
/// ``unownedExecutor`` runs on the thread where responses arrive, which saves the hop between threads. Work there must be short: it holds up
/// every transfer. When the last reference goes, running transfers are cancelled and the thread ends; ``shutDown()`` waits for that.
public final class Engine: Sendable {
  /// What it was made with.
  public let configuration: EngineConfiguration
  let loop: EngineLoop
  private let tasks: EngineTaskExecutor
  /// Nil with one thread.
  private let shards: OriginShards?

  /// An engine that has not started yet.
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

  /// An engine without a thread of its own: it works while a thread is in ``run(while:)``.
  package static func hosted(_ configuration: EngineConfiguration) -> Engine { Engine(hosted: configuration) }

  /// Does the engine's work on the calling thread, for as long as `goesOn`, which is asked once a turn. `SIGPIPE` must be ignored or blocked. The process is
  /// to end by `_exit` afterwards, or after ``shutDown()`` and another run: open connections do not survive OpenSSL's exit handler.
  package func run(while goesOn: () -> Bool) { loop.run(while: goesOn) }

  /// What a byte count may be written to, by a signal handler too, to have the engine take a turn.
  package var wakeDescriptor: Int32 { loop.event }

  /// Runs a job on the engine's thread, as one of another executor.
  package func enqueue(_ job: consuming ExecutorJob, of executor: UnownedTaskExecutor) { loop.enqueue(job, of: executor) }

  /// The engine's thread as the executor of an actor. The actor must not outlive the engine.
  public var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// The engine's thread as the executor preference of a task.
  public var taskExecutor: any TaskExecutor { tasks }

  /// Whether the caller runs on the engine's thread.
  public var isCurrent: Bool { loop.isCurrent }

  /// Starts a transfer.
  ///
  /// `completion` is called exactly once, on the engine's thread and never before `start` returns there. `progress` is called there as
  /// well, at most every 50 ms and once at the end of a body. Do short work in them.
  @discardableResult
  public func start(
    _ request: TransferRequest, progress: (@Sendable (TransferProgress) -> Void)? = nil,
    completion: @escaping @Sendable (Result<TransferResponse, NetworkingError>) -> Void
  ) -> TransferHandle {
    guard let shards, case let other = shards.loop(for: request.url), other !== loop else {
      return start(Transfer(request: request, progress: progress, completion: completion), on: loop)
    }
    let first = loop
    let progressThere = progress.map { progress in
      { @Sendable (news: TransferProgress) in first.perform { progress(news) } }
    }
    let transfer = Transfer(request: request, progress: progressThere) { result in first.perform { completion(result) } }
    return start(transfer, on: other)
  }

  /// Returns a transfer that has not begun. Its closures are called on the thread that sends it, one of several perhaps.
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

  /// The thread that requests to a URL are on.
  func loop(for url: String) -> EngineLoop { shards?.loop(for: url) ?? loop }

  /// Sends a request and waits for its response. Cancelling the task cancels the transfer, and the error is then
  /// ``NetworkingError/Reason/cancelled``.
  public func response(
    for request: TransferRequest, progress: (@Sendable (TransferProgress) -> Void)? = nil
  ) async throws(NetworkingError) -> TransferResponse {
    let loop = loop(for: request.url)
    let result: Result<TransferResponse, NetworkingError> = await withUnsafeTransfer(request, progress, on: loop)
    return try result.get()
  }

  /// Runs `action` on the engine's thread, after what is queued there already.
  public func perform(_ action: @escaping @Sendable () -> Void) {
    loop.perform(action)
  }

  /// Runs `action` on the engine's thread when `delay` is over.
  @discardableResult
  public func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
    let timer = LoopTimer(.action(action))
    loop.schedule(timer, after: delay)
    return ScheduledAction(timer: timer, loop: loop)
  }

  /// Cancels all transfers, waits until their completions have run and the thread has ended, and closes every connection. Transfers
  /// that are started later fail with ``NetworkingError/Reason/shutDown``. Called on the engine's own thread it does not wait.
  public func shutDown() {
    stop()
    // What ends on another thread is completed on the first.
    for loop in shards?.loops.dropFirst() ?? [] { loop.join() }
    loop.join()
  }

  /// Cancels all transfers, without waiting.
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
      // A task that was cancelled before has had its result by now.
      return await slot.value()
    } onCancel: {
      loop.cancel(transfer)
    }
  }
}
