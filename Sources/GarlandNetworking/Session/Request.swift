import HTTPTypes
import Synchronization

/// A request of any kind. This class has the features that data, upload, download and stream requests share.
///
/// ```swift
/// let request = session.request("https://example.com/report").validate()
/// print(request)                          // GET https://example.com/report
/// let report = try await request.data     // sends the request
/// print(request)                          // GET https://example.com/report (200)
/// ```
/// A request is sent once: when the first task waits for it, or by ``resume()``. Tasks that begin to wait later receive the same result. A
/// cancelled task stops waiting immediately; if no other task waits, the transfer is cancelled.
///
/// `@unchecked Sendable`: the compiler cannot check a class with subclasses. All subclasses are in this module. The properties of this
/// class and of its subclasses are immutable and `Sendable`; mutable state is in the mutex.
public class Request: @unchecked Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  /// The number of the request in the session, starting at 1.
  public let id: Int
  /// The session of the request.
  public let session: Session
  let original: Result<TransferRequest, NetworkingError>
  let uploads = ProgressSource()
  let downloads = ProgressSource()
  private let shared = Mutex(Shared())
  /// Whether the request itself has monitors, in addition to the session's monitors.
  private let isMonitored = Atomic(false)

  /// A state in the life of a request, from its creation to its end.
  public enum State: Sendable, Hashable {
    /// The request was created but not yet sent.
    case initialized
    /// The request is running, or waits for its next attempt.
    case running
    /// The request is paused until `resume()` is called.
    case suspended
    /// Cancelled; the work of the request may not have stopped yet.
    case cancelled
    /// Ended, with success or failure.
    case finished
  }

  private struct Shared {
    var life = RequestLife()
    var options = RequestOptions()
    /// The tasks that wait for the outcome of the request. To remove a task from this dictionary, code must hold the lock, and must then
    /// resume the task. So each task is resumed exactly once.
    var waiting: [Int: UnsafeContinuation<RequestOutcome, Never>] = [:]
    var handle: TransferHandle?
    var driver: Task<Void, Never>?
    var current: TransferRequest?
    var response: TransferResponse?
    var metrics: [TransferMetrics] = []
    var retryCount = 0
    var connectivity = ConnectivityPatience()
    var outcome: RequestOutcome?
  }

  init(session: Session, original: Result<TransferRequest, NetworkingError>, interceptor: (any RequestInterceptor)?) {
    id = session.nextID()
    self.session = session
    self.original = original
    if let interceptor { shared.withLock { $0.options.interceptors = [interceptor] } }
    tell(.created)
  }

  // MARK: Points for subclasses

  /// Sends a request once and waits for its result. Subclasses override it to send the request in another way.
  func send(_ request: TransferRequest) async -> Result<TransferResponse, NetworkingError> {
    await transfer(request)
  }

  /// Processes a response that passed the validators. For example, a download moves its file to the target path. A thrown error fails the
  /// request.
  func accept(_ response: TransferResponse) throws(NetworkingError) {}

  /// Releases the resources of a response that was refused, such as its temporary file.
  func refuse(_ response: TransferResponse) {}

  /// Whether a request of this class always needs its own task, which does not run on the engine's thread. True by default. False for a
  /// ``DataRequest``, which may consist of a single transfer whose response stays in memory.
  var needsDriver: Bool { true }

  /// Whether the response's body is kept in memory, so that the session's body limit applies.
  var keepsBody: Bool { true }

  /// Whether the caller has already received a part of the response, so that the request cannot be
  /// retried.
  var hasHandedOn: Bool { false }

  /// Called with the outcome after the work of the request has ended. Does nothing here; subclasses override it.
  func ended(with outcome: RequestOutcome) {}

  /// Prepares a retry. Subclasses override it to remove the data of the last attempt.
  func willRestart() {}

  // MARK: Inspection

  /// The current state of the request, such as running or finished.
  public final var state: State {
    shared.withLock { shared in
      if shared.life.isCancelled { return .cancelled }
      switch shared.life.phase {
      case .finished: return .finished
      case .new: return shared.life.isSuspended ? .suspended : .initialized
      case .running: return shared.life.isSuspended ? .suspended : .running
      }
    }
  }

  /// The request as it was last sent. If it was not sent yet, the request as it was created; nil if the request could not be created.
  public final var request: TransferRequest? { shared.withLock { $0.current } ?? (try? original.get()) }

  /// The response, even if a validator refused it; nil until the response is complete.
  public final var response: TransferResponse? { shared.withLock { $0.response } }

  /// The error with which the request has failed; nil for any other request.
  public final var error: NetworkingError? {
    if case .failure(let error) = shared.withLock({ $0.outcome })?.result { error } else { nil }
  }

  /// The metrics of each completed attempt.
  public final var metrics: [TransferMetrics] { shared.withLock { $0.metrics } }

  /// The number of retries so far.
  public final var retryCount: Int { shared.withLock { $0.retryCount } }

  /// A description such as `GET https://example.com/ (200)`: the method, the URL without user and
  /// password, and the status if a response has arrived.
  public final var description: String {
    guard let request else { return "a request that could not be made" }
    var url = request.url
    if var parts = try? URLReference(url), parts.userInfo != nil {
      parts.userInfo = nil
      url = parts.description
    }
    let status = response.map { " (\($0.status.code))" } ?? ""
    return "\(request.method.rawValue) \(url)\(status)"
  }

  /// A curl command that sends this request. After the request was sent, the command also contains the changes that adapters made. The
  /// command contains credentials.
  public final var cURLDescription: String {
    guard var request else { return "# \(description)" }
    finalize(&request)
    return request.cURLDescription
  }

  /// The output of `debugPrint`: ``cURLDescription``, which contains credentials.
  public final var debugDescription: String { cURLDescription }

  // MARK: Starting, suspending and cancelling

  /// Sends the request, or continues it after ``suspend()``. A request is also sent without this call
  /// as soon as a task waits for its response.
  @discardableResult
  public final func resume() -> Self {
    let action = shared.withLock { $0.life.resume() }
    if action == .resumeTransfer { tell(.resumed) }
    run(action)
    return self
  }

  /// Suspends the request: nothing is sent or read until ``resume()``. The deadline keeps running,
  /// and the server may close the connection after its own timeout.
  @discardableResult
  public final func suspend() -> Self {
    let (action, didChange) = shared.withLock { shared in
      let wasSuspended = shared.life.isSuspended
      return (shared.life.suspend(), shared.life.isSuspended != wasSuspended)
    }
    if didChange { tell(.suspended) }
    run(action)
    return self
  }

  /// Cancels the request. Each task that waits for the request receives the error ``NetworkingError/Reason/cancelled``.
  @discardableResult
  public final func cancel() -> Self {
    let action = shared.withLock { $0.life.cancel() }
    if action != .nothing { tell(.cancelled) }
    run(action)
    return self
  }

  private func run(_ action: RequestLife.Action) {
    switch action {
    case .nothing: break
    case .start: start()
    case .suspendTransfer: shared.withLock { $0.handle }?.suspend()
    case .resumeTransfer: shared.withLock { $0.handle }?.resume()
    case .stop:
      let (handle, driver) = shared.withLock { ($0.handle, $0.driver) }
      driver?.cancel()
      handle?.cancel()
    case .finishCancelled: conclude(.failure(NetworkingError(.cancelled, url: request?.url), request: request))
    }
  }

  private func start() {
    guard session.register(self) else {
      finish(.failure(NetworkingError(.invalidated, url: request?.url), request: request))
      return
    }
    tell(.started)
    let options = options
    if isPlain(options) {
      runDirectly(options)
      return
    }
    let driver = Task { await self.drive() }
    let isCancelled = shared.withLock { shared in
      shared.driver = driver
      return shared.life.isCancelled
    }
    if isCancelled { driver.cancel() }
  }

  /// Ends the request with an outcome. Later calls have no effect.
  final func finish(_ outcome: RequestOutcome) {
    if shared.withLock({ $0.life.finish() }) { conclude(outcome) }
  }

  private func conclude(_ outcome: RequestOutcome) {
    let waiting = shared.withLock { shared in
      shared.outcome = outcome
      shared.driver = nil
      shared.handle = nil
      if let response = outcome.response { shared.response = response }
      defer { shared.waiting = [:] }
      return shared.waiting
    }
    uploads.finish()
    downloads.finish()
    ended(with: outcome)
    if hasMonitors {
      if case .failure(let error) = outcome.result { tell(.finished(error)) } else { tell(.finished(nil)) }
    }
    session.unregister(self)
    for continuation in waiting.values { continuation.resume(returning: outcome) }
  }

  /// Restarts the finished request for a retry. Does nothing if the request was cancelled, or if another task has already restarted the
  /// request.
  ///
  /// - Parameter outcome: the result that causes the retry.
  final func restart(after outcome: RequestOutcome) {
    let mayStart = shared.withLock { shared in
      guard shared.outcome?.retryCount == outcome.retryCount, shared.life.restart() else { return false }
      shared.outcome = nil
      shared.retryCount += 1
      return true
    }
    guard mayStart else { return }
    willRestart()
    run(.start)
  }

  // MARK: Waiting for the outcome

  /// Starts the request if necessary, and waits until it ends or the current task is cancelled.
  final func outcome() async -> RequestOutcome {
    let (outcome, waiter) = shared.withLock { ($0.outcome, $0.outcome == nil ? $0.life.newWaiter() : 0) }
    if let outcome { return outcome }
    return await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let (early, action): (RequestOutcome?, RequestLife.Action) = shared.withLock { shared in
          if let outcome = shared.outcome { return (outcome, .nothing) }
          guard shared.life.join(waiter) else {
            // The task was cancelled before it began to wait, so its end does not cancel the request.
            return (.failure(NetworkingError(.cancelled)), .nothing)
          }
          shared.waiting[waiter] = continuation
          return (nil, shared.life.begin())
        }
        if let early { continuation.resume(returning: early) }
        run(action)
      }
    } onCancel: {
      abandon(waiter)
    }
  }

  private func abandon(_ waiter: Int) {
    let (continuation, action) = shared.withLock { ($0.waiting.removeValue(forKey: waiter), $0.life.leave(waiter)) }
    if action != .nothing { tell(.cancelled) }
    run(action)
    continuation?.resume(returning: .failure(NetworkingError(.cancelled, url: request?.url), request: request))
  }

  // MARK: For the driver

  final var options: RequestOptions { shared.withLock { $0.options } }

  final func change(_ change: (inout RequestOptions) -> Void) { shared.withLock { change(&$0.options) } }

  final func add(_ monitor: any EventMonitor) {
    change { $0.monitors.append(monitor) }
    isMonitored.store(true, ordering: .releasing)
  }

  /// Whether at least one monitor receives events.
  final var hasMonitors: Bool { !session.monitors.isEmpty || isMonitored.load(ordering: .acquiring) }

  final var isCancelled: Bool { shared.withLock { $0.life.isCancelled } }

  final func note(request: TransferRequest) { shared.withLock { $0.current = request } }

  final func note(response: TransferResponse?, metrics: TransferMetrics) {
    shared.withLock { shared in
      shared.response = response
      shared.metrics.append(metrics)
    }
  }

  final func noteRetry() -> Int {
    shared.withLock { shared in
      shared.retryCount += 1
      return shared.retryCount
    }
  }

  /// Decides whether a request waits for the network after a failed connection.
  final func decide(after error: NetworkingError, _ connectivity: Connectivity) -> ConnectivityPatience.Decision {
    let obstacle = connectivity.obstacle
    return shared.withLock { $0.connectivity.decide(after: error) { obstacle } }
  }

  /// Sends a request once with the engine.
  final func transfer(_ request: TransferRequest) async -> Result<TransferResponse, NetworkingError> {
    let result = await withUnsafeContinuation { continuation in
      launch(request) { continuation.resume(returning: $0) }
    }
    shared.withLock { $0.handle = nil }
    return result
  }

  /// Sends a request once with the engine, and calls `completion` on the engine's thread.
  final func launch(_ request: TransferRequest, completion: @escaping @Sendable (Result<TransferResponse, NetworkingError>) -> Void) {
    let progress: @Sendable (TransferProgress) -> Void = { [uploads, downloads] progress in
      if progress.sent > 0 { uploads.update(progress.sent, of: progress.toSend) }
      if progress.received > 0 { downloads.update(progress.received, of: progress.toReceive) }
    }
    let handle = session.engine.prepare(request, progress: progress, completion: completion)
    let mayBegin = shared.withLock { shared in
      if shared.life.isCancelled { return false }
      shared.handle = handle
      // Check under the lock, so that the request cannot be suspended between storing the handle and this check.
      if shared.life.isSuspended { handle.suspendBeforeBegin() }
      return true
    }
    if mayBegin { handle.begin() } else { completion(.failure(NetworkingError(.cancelled, url: request.url))) }
  }

  /// Cancels the running transfer but not the request.
  final func stopTransfer() { shared.withLock { $0.handle }?.cancel() }

  /// Makes the running transfer keep its partial download on the disk when the transfer is cancelled.
  final func keepPartial() { shared.withLock { $0.handle }?.keepPartial() }

  /// Sends an event to the monitors. The event is created only if there are monitors.
  final func tell(_ event: @autoclosure () -> RequestEvent) {
    guard hasMonitors else { return }
    let event = event()
    for monitor in session.monitors { monitor.request(self, did: event) }
    if isMonitored.load(ordering: .acquiring) { for monitor in options.monitors { monitor.request(self, did: event) } }
  }
}

extension Request: Hashable {
  /// Whether both operands are the same request object.
  public static func == (left: Request, right: Request) -> Bool { left === right }
  /// Hashes the identity of the request.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
