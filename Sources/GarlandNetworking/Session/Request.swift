import HTTPTypes
import Synchronization

/// A request on its way, of whatever kind: what all of them can do.
///
/// ```swift
/// let request = session.request("https://example.com/report").validate()
/// print(request)                          // GET https://example.com/report
/// let report = try await request.data     // it is sent here
/// print(request)                          // GET https://example.com/report (200)
/// ```
/// It is sent once, when the first task waits for it or by ``resume()``; whoever waits later gets the same result. When a waiting task is cancelled it stops
/// waiting at once, and when that was the last one the transfer is cancelled.
///
/// `@unchecked Sendable`: a class that others inherit from can't be checked, but all its properties, and those of the classes that inherit, which are all in this
/// module, are immutable and `Sendable`; what changes is in the mutex.
public class Request: @unchecked Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  /// Its number in the session, from 1.
  public let id: Int
  /// The session that it belongs to.
  public let session: Session
  let original: Result<TransferRequest, NetworkingError>
  let uploads = ProgressSource()
  let downloads = ProgressSource()
  private let shared = Mutex(Shared())

  /// Where a request is.
  public enum State: Sendable, Hashable {
    /// Made, and not sent.
    case initialized
    /// Under way, or waiting for its next attempt.
    case running
    /// Held, until it is resumed.
    case suspended
    /// Cancelled, whether it has come to its end or not.
    case cancelled
    /// At its end, whatever that is.
    case finished
  }

  private struct Shared {
    var life = RequestLife()
    var options = RequestOptions()
    /// Each is resumed once: whoever takes it out under the lock does it.
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
    if interceptor != nil { shared.withLock { $0.options.interceptor = interceptor } }
    tell(.created)
  }

  // MARK: What subclasses do differently

  /// Sends a request once and waits for what comes of it.
  func send(_ request: TransferRequest) async -> Result<TransferResponse, NetworkingError> {
    await transfer(request)
  }

  /// Takes a response that the validators have accepted.
  func accept(_ response: TransferResponse) throws(NetworkingError) {}

  /// Lets go of a response that was not accepted.
  func refuse(_ response: TransferResponse) {}

  /// Whether sending it is more than one transfer, or its response is for the disk: not for the engine's thread.
  var needsDriver: Bool { true }

  /// Whether the response's body is kept in memory, so that the session's limit for it counts.
  var keepsBody: Bool { true }

  /// Whether a part of the response is with the caller already, so that it can't be sent again.
  var hasHandedOn: Bool { false }

  /// The work is over.
  func ended(with outcome: RequestOutcome) {}

  // MARK: Looking at it

  /// Where it is.
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

  /// The request as it was sent last, else as it was made; nil if it could not be made.
  public final var request: TransferRequest? { shared.withLock { $0.current } ?? (try? original.get()) }

  /// The response, as soon as it is complete, accepted or not.
  public final var response: TransferResponse? { shared.withLock { $0.response } }

  /// What it failed with, once it has.
  public final var error: NetworkingError? {
    if case .failure(let error) = shared.withLock({ $0.outcome })?.result { error } else { nil }
  }

  /// What was measured, for each attempt that has ended.
  public final var metrics: [TransferMetrics] { shared.withLock { $0.metrics } }

  /// How often it was sent again.
  public final var retryCount: Int { shared.withLock { $0.retryCount } }

  /// `GET https://example.com/ (200)`: the method, the URL without user and password, and the status once there is one.
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

  /// A curl command that makes the same request, with what adapters have added once it is sent. Credentials stand in it.
  public final var cURLDescription: String {
    guard var request else { return "# \(description)" }
    finalize(&request)
    return request.cURLDescription
  }

  /// What `debugPrint` shows: ``cURLDescription``, with the credentials in it.
  public final var debugDescription: String { cURLDescription }

  // MARK: Steering it

  /// Sends it, or lets it go on after ``suspend()``. It need not be called where somebody waits for a response.
  @discardableResult
  public final func resume() -> Self {
    let action = shared.withLock { $0.life.resume() }
    if action == .resumeTransfer { tell(.resumed) }
    run(action)
    return self
  }

  /// Stops it where it is: nothing is sent or read until ``resume()``. The deadline does not stop, and the server may lose its patience.
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

  /// Ends it with ``NetworkingError/Reason/cancelled``, for all who wait.
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

  /// Ends the work. Later ends do nothing.
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
    if !session.monitors.isEmpty {
      if case .failure(let error) = outcome.result { tell(.finished(error)) } else { tell(.finished(nil)) }
    }
    session.unregister(self)
    for continuation in waiting.values { continuation.resume(returning: outcome) }
  }

  // MARK: Waiting for it

  /// Sees to it that it runs, and waits for its end, or for that of the own task.
  final func outcome() async -> RequestOutcome {
    let (outcome, waiter) = shared.withLock { ($0.outcome, $0.outcome == nil ? $0.life.newWaiter() : 0) }
    if let outcome { return outcome }
    return await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let (early, action): (RequestOutcome?, RequestLife.Action) = shared.withLock { shared in
          if let outcome = shared.outcome { return (outcome, .nothing) }
          guard shared.life.join(waiter) else {
            // Nobody has ever waited: then nobody is left now.
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

  /// What a failure to connect means for a request that waits for the network.
  final func decide(after error: NetworkingError, _ connectivity: Connectivity) -> ConnectivityPatience.Decision {
    let obstacle = connectivity.obstacle
    return shared.withLock { $0.connectivity.decide(after: error) { obstacle } }
  }

  /// Sends a request over the engine, once.
  final func transfer(_ request: TransferRequest) async -> Result<TransferResponse, NetworkingError> {
    let result = await withUnsafeContinuation { continuation in
      launch(request) { continuation.resume(returning: $0) }
    }
    shared.withLock { $0.handle = nil }
    return result
  }

  /// The same with a closure, which is called on the thread that sends it.
  final func launch(_ request: TransferRequest, completion: @escaping @Sendable (Result<TransferResponse, NetworkingError>) -> Void) {
    let progress: @Sendable (TransferProgress) -> Void = { [uploads, downloads] progress in
      if progress.sent > 0 { uploads.update(progress.sent, of: progress.toSend) }
      if progress.received > 0 { downloads.update(progress.received, of: progress.toReceive) }
    }
    let handle = session.engine.prepare(request, progress: progress, completion: completion)
    let mayBegin = shared.withLock { shared in
      if shared.life.isCancelled { return false }
      shared.handle = handle
      // Under the lock, so that a suspension can't come in between.
      if shared.life.isSuspended { handle.suspendBeforeBegin() }
      return true
    }
    if mayBegin { handle.begin() } else { completion(.failure(NetworkingError(.cancelled, url: request.url))) }
  }

  /// Ends the transfer that runs, and not the request.
  final func stopTransfer() { shared.withLock { $0.handle }?.cancel() }

  /// Has the transfer that runs keep what came of a download when it is cancelled.
  final func keepPartial() { shared.withLock { $0.handle }?.keepPartial() }

  /// Tells the monitors, if there are any.
  final func tell(_ event: @autoclosure () -> RequestEvent) {
    if session.monitors.isEmpty { return }
    let event = event()
    for monitor in session.monitors { monitor.request(self, did: event) }
  }
}

extension Request: Hashable {
  /// Whether they are the same request.
  public static func == (left: Request, right: Request) -> Bool { left === right }
  /// By identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
