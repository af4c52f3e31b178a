/// Sends requests. The thread of an engine runs libcurl and keeps the connections; ``EngineConfiguration/threads`` adds further threads.
///
/// ```swift
/// let engine = Engine()
/// let response = try await engine.response(for: TransferRequest(url: "https://example.com/"))
/// print(response.status, response.bytes.count)
/// ```
/// Creating an engine costs nothing; the thread and libcurl start with the first transfer. The engine is also a Swift executor: an actor on
/// ``unownedExecutor`` runs on the thread where responses arrive, which saves a thread change. Work on that thread must be short, since it
/// delays every transfer. When the last reference is released, running transfers are cancelled and the thread ends; ``shutDown()`` also
/// waits until it has ended.
public final class Engine: Sendable {
  /// The configuration of the engine.
  public let configuration: EngineConfiguration
  let loop: EngineLoop
  private let tasks: EngineTaskExecutor
  /// The threads of an engine with several threads; nil if the engine has one thread.
  private let shards: OriginShards?

  /// Creates an engine. Its thread starts with the first transfer.
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

  /// Returns an engine without its own thread. It runs on the thread that calls ``run(while:)``.
  package static func hosted(_ configuration: EngineConfiguration) -> Engine { Engine(hosted: configuration) }

  /// Runs the engine on the calling thread while `goesOn` returns true. `goesOn` is called once per iteration of the event loop. `SIGPIPE`
  /// must be ignored or blocked.
  ///
  /// Connections may still be open when this function returns, and they must be closed before OpenSSL's exit handler runs. To close them,
  /// the caller must call ``shutDown()`` and then this function once more. As an alternative, the caller can end the process by `_exit`,
  /// which runs no exit handlers.
  package func run(while goesOn: () -> Bool) { loop.run(while: goesOn) }

  /// The descriptor of an event counter. Writing a number to it, even in a signal handler, wakes the
  /// engine.
  package var wakeDescriptor: Int32 { loop.event }

  /// Runs a job of another executor on the engine's thread.
  package func enqueue(_ job: consuming ExecutorJob, of executor: UnownedTaskExecutor) { loop.enqueue(job, of: executor) }

  /// The engine's thread as an actor's executor. The actor must not outlive the engine.
  public var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// The engine's thread as an executor on which a task can prefer to run.
  public var taskExecutor: any TaskExecutor { tasks }

  /// Whether the current code runs on the engine's thread.
  public var isCurrent: Bool { loop.isCurrent }

  /// Starts a transfer.
  ///
  /// `completion` is called exactly once, on the engine's thread. If the caller is on that thread, this method returns before `completion`
  /// is called. `progress` is called on the engine's thread too, at most every 50 ms and once at the end of a body. Both closures must be
  /// short.
  @discardableResult
  public func start(
    _ request: TransferRequest, progress: (@Sendable (TransferProgress) -> Void)? = nil,
    completion: @escaping @Sendable (Result<TransferResponse, NetworkingError>) -> Void
  ) -> TransferHandle {
    start(request, until: nil, progress: progress, completion: completion)
  }

  /// Starts a transfer that `stop` can end at any time, even while the engine's thread is decoding a body and handles neither cancellations
  /// nor timers.
  package func start(
    _ request: TransferRequest, until stop: TransferStop?, progress: (@Sendable (TransferProgress) -> Void)? = nil,
    completion: @escaping @Sendable (Result<TransferResponse, NetworkingError>) -> Void
  ) -> TransferHandle {
    // A tap is called on the first thread, like all other code of the caller.
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

  /// Returns a transfer that has not begun. Its closures are called on the thread that sends the request; an engine may have several such
  /// threads.
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

  /// Returns the event loop of the thread that sends requests to a URL.
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

  /// Runs `action` on the engine's thread, after the actions that are already queued.
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

  /// Cancels all transfers, waits until their completions have run and the thread has ended, and closes every connection. Later transfers
  /// fail with ``NetworkingError/Reason/shutDown``. A call on the engine's own thread does not wait.
  public func shutDown() {
    stop()
    // Transfers that end on another thread are completed on the first thread.
    for loop in shards?.loops.dropFirst() ?? [] { loop.join() }
    loop.join()
  }

  /// Cancels all transfers, without waiting until they have ended.
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
      // If the task was cancelled earlier, the slot already has its result.
      return await slot.value()
    } onCancel: {
      loop.cancel(transfer)
    }
  }
}

/// The executor for tasks on an engine's thread. Actors on the same thread have a different executor object, ``EngineLoop``. Two objects
/// are needed, because Swift requires that a job runs on the executor object for which it was enqueued.
final class EngineTaskExecutor: TaskExecutor {
  private let loop: EngineLoop

  init(loop: EngineLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) { loop.enqueue(job, of: asUnownedTaskExecutor()) }
}

/// An action that is scheduled on the engine's thread.
public struct ScheduledAction: Sendable {
  let timer: LoopTimer
  let loop: EngineLoop

  /// Cancels the action, unless it has begun.
  public func cancel() { loop.cancel(timer) }
}
