import Dispatch
import GarlandJSON
import GarlandResults
import GarlandTransfer
import HTTPTypes
import Synchronization

@testable import GarlandRunner
@testable import GarlandTransfer

/// Responds to requests, probes and WebSocket connections from memory, in simulated time, so that an hour takes no real time.
///
/// When there is no more work to do, the time advances to that of the next timer. All work of the run must be done on this transport's
/// thread: otherwise the time could advance by an hour before another thread has finished.
final class MemoryTransport: Transport, SerialExecutor {
  /// Returns the reason why a host can't be reached at a time, for requests and probes; nil if the host can be reached.
  typealias Obstacle = @Sendable (_ host: String, _ time: Duration) -> NetworkingError.Reason?

  /// The simulated response to a request.
  struct Answer: Sendable {
    var status = 200
    var after = Duration.zero
    /// The body, in JSON.
    var body = ""
  }

  private struct Timer {
    let id: Int
    let time: Duration
    let action: @Sendable () -> Void
  }

  private struct State {
    var now = Duration.zero
    var pending = 0
    var timers: [Timer] = []
    var nextID = 0
    var sent: [(url: String, at: Duration)] = []
    var probes: [(target: String, at: Duration)] = []
    var messages: [(text: String, at: Duration)] = []
    var underWay = 0
    var most = 0
  }

  private static let isHere = DispatchSpecificKey<ObjectIdentifier>()
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "MemoryTransport")
  private let obstacle: Obstacle
  private let talk: [MemoryLink.Move]
  private let answer: @Sendable (_ path: String, _ number: Int) -> Answer
  private let beginning = ContinuousClock.now
  private let waits = Mutex<WaitExecutor?>(nil)

  /// Creates the transport.
  ///
  /// - Parameters:
  ///   - answer: returns the response to a request for a URL. Its second argument is the number of earlier requests for that URL.
  ///   - obstacle: returns the reason why a host can't be reached. By default, all hosts can be reached.
  ///   - talk: the script of the server for each WebSocket connection.
  init(
    answer: @escaping @Sendable (_ url: String, _ number: Int) -> Answer = { _, _ in Answer() },
    obstacle: @escaping Obstacle = { _, _ in nil }, talk: [MemoryLink.Move] = []
  ) {
    self.obstacle = obstacle
    self.talk = talk
    self.answer = answer
    queue.setSpecific(key: Self.isHere, value: ObjectIdentifier(self))
  }

  /// The current simulated time.
  var now: Duration { state.withLock { $0.now } }
  /// The requested URLs, with the time of each request.
  var sent: [(url: String, at: Duration)] { state.withLock { $0.sent } }
  /// The probed targets, with the time of each probe.
  var probes: [(target: String, at: Duration)] { state.withLock { $0.probes } }
  /// The messages and close frames that the servers of WebSocket connections have received, with the time of each.
  var messages: [(text: String, at: Duration)] { state.withLock { $0.messages } }
  /// The maximum number of transfers that were in progress at the same time.
  var mostUnderWay: Int { state.withLock { $0.most } }

  // MARK: Executor

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    perform { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

  func isIsolatingCurrentContext() -> Bool? { isCurrent }

  var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.isHere) == ObjectIdentifier(self) }

  var unownedExecutor: UnownedSerialExecutor { asUnownedSerialExecutor() }

  var waitExecutor: (any TaskExecutor)? {
    waits.withLock { waits in
      let executor = waits ?? WaitExecutor(self)
      waits = executor
      return executor
    }
  }

  /// Executes the tasks in which a run waits, on the thread of the transport.
  private final class WaitExecutor: TaskExecutor {
    private unowned let transport: MemoryTransport

    init(_ transport: MemoryTransport) { self.transport = transport }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      transport.perform { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  // MARK: Time

  func perform(_ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.pending += 1 }
    queue.async {
      action()
      self.goOn()
    }
  }

  func perform(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellable {
    state.withLock { state in
      state.nextID += 1
      state.timers.append(Timer(id: state.nextID, time: state.now + delay, action: action))
      return Sent(id: state.nextID, transport: self, completion: nil)
    }
  }

  var clock: SessionClock {
    SessionClock(now: { self.beginning.advanced(by: self.now) }, sleep: { try await self.sleep($0) })
  }

  /// Waits until a duration has passed. Throws an error if the task is cancelled.
  func sleep(_ duration: Duration) async throws(CancellationError) {
    guard await ends(ResultSlot(), within: duration) != .cancelled else { throw CancellationError() }
  }

  /// Waits until a slot is filled, the time limit is reached or the task is cancelled, and returns which of them has happened.
  func ends(_ slot: ResultSlot<ChangeWaits.Wake>, within limit: Duration?) async -> ChangeWaits.Wake {
    let timer = limit.map { perform(after: $0) { slot.fill(.timeUp) } }
    let wake = await withTaskCancellationHandler {
      await slot.value()
    } onCancel: {
      slot.fill(.cancelled)
    }
    timer?.cancel()
    return wake
  }

  private func goOn() {
    let next = state.withLock { state -> Timer? in
      state.pending -= 1
      guard state.pending == 0, let next = state.timers.min(by: { ($0.time, $0.id) < ($1.time, $1.id) }) else { return nil }
      state.timers.removeAll { $0.id == next.id }
      state.now = max(state.now, next.time)
      return next
    }
    if let next { perform(next.action) }
  }

  /// Removes a timer. Returns whether it existed.
  fileprivate func remove(_ id: Int) -> Bool {
    state.withLock { state in
      let count = state.timers.count
      state.timers.removeAll { $0.id == id }
      return state.timers.count < count
    }
  }

  fileprivate struct Sent: SentTransfer {
    let id: Int
    let transport: MemoryTransport
    /// The callback for the cancellation of a transfer; nil for other timers.
    let completion: (@Sendable (Result<TransferResponse, NetworkingError>) -> Void)?

    func cancel() {
      guard transport.remove(id), let completion else { return }
      transport.perform { completion(.failure(NetworkingError(.cancelled))) }
    }

    func cancelUnlessConnected() { cancel() }

    func conclude(after time: Duration) { cancel() }
  }

  // MARK: Transfers

  func send(
    _ request: TransferRequest, until stop: TransferStop, progress: (@Sendable (GarlandTransfer.TransferProgress) -> Void)?,
    completion: @escaping @Sendable (Result<TransferResponse, NetworkingError>) -> Void
  ) -> any SentTransfer {
    let number = state.withLock { state in
      state.underWay += 1
      state.most = max(state.most, state.underWay)
      state.sent.append((request.url, state.now))
      return state.sent.count { $0.url == request.url } - 1
    }
    let (answer, obstacle) = (answer(request.url, number), obstacle(to: request.url))
    let ended: @Sendable (Result<TransferResponse, NetworkingError>) -> Void = { result in
      self.state.withLock { $0.underWay -= 1 }
      completion(result)
    }
    let timer = perform(after: obstacle.map { $0.timeout?.duration ?? .zero } ?? answer.after) {
      ended(obstacle.map { .failure(NetworkingError($0, url: request.url)) } ?? .success(Self.response(to: request, answer)))
    }
    guard let timer = timer as? Sent else { return Sent(id: -1, transport: self, completion: nil) }
    return Sent(id: timer.id, transport: self, completion: ended)
  }

  func response(for request: TransferRequest) async throws(NetworkingError) -> TransferResponse {
    let result: Result<TransferResponse, NetworkingError> = await withCheckedContinuation { continuation in
      _ = send(request, until: TransferStop(ComputationInterrupt(), at: .abort), progress: nil) { continuation.resume(returning: $0) }
    }
    return try result.get()
  }

  /// Returns the reason why the host of a URL can't be reached now; nil if it can be reached.
  private func obstacle(to url: String) -> NetworkingError.Reason? { obstacle((try? URLReference(url))?.host ?? url, now) }

  private static func response(to request: TransferRequest, _ answer: Answer) -> TransferResponse {
    let sent = SentRequest(
      method: request.method, url: request.url, credentialFields: [], hasBody: false, ticketProblem: nil, given: request.headerFields,
      additions: .init(removed: [], acceptEncoding: nil))
    var transaction = TransactionMetrics(start: .now)
    transaction.total = answer.after
    let fields: HTTPFields = answer.body.isEmpty ? [:] : [.contentType: "application/json"]
    return TransferResponse(
      status: HTTPResponse.Status(code: answer.status), version: .http1_1, fields: ReceivedFields(fields), trailerFields: [:],
      body: .bytes(Array(answer.body.utf8)), request: sent, redirects: [],
      metrics: TransferMetrics(transactions: [transaction], total: answer.after), decodedBodyBytes: Int64(answer.body.utf8.count))
  }

  // MARK: Probes

  func hostProbe() -> any HostProbe { Probe(transport: self) }

  private struct Probe: HostProbe {
    let transport: MemoryTransport
    var settings = TransferSettings()
    var limit = Duration.seconds(10)

    func run(_ target: ProbeTarget, depth: ReachabilityProbe.Depth, method: ProbeMethod) async -> ProbeReport {
      let began = transport.now
      transport.state.withLock { $0.probes.append((target.description, began)) }
      var reason = transport.obstacle(target.host, began)
      if let timeout = reason?.timeout {
        let duration = min(timeout.duration, limit)
        reason = .timeout(.init(limit: timeout.limit, phase: timeout.phase, duration: duration))
        try? await transport.sleep(duration)
      }
      var path = ProbePath(.ipv4, address: "192.0.2.1")
      path.failure = reason.flatMap { ProbeFailure(NetworkingError($0)) }
      // The failure is in a later phase than those of the probe.
      if depth == .connection, path.failure?.kind == .noHTTP { path.failure = nil }
      return ProbeReport(target: target, lookup: nil, paths: [path], duration: transport.now - began)
    }
  }

  // MARK: WebSocket connections

  func webSocket(_ request: TransferRequest, _ options: WebSocketOptions) -> any WebSocketLink {
    MemoryLink(talk, transport: self, response: Self.response(to: request, Answer(status: 101)))
  }

  /// Records that a WebSocket connection is opened, and throws an error if the host of its URL can't be reached.
  func connect(to url: String) async throws(NetworkingError) {
    state.withLock { $0.sent.append((url, $0.now)) }
    guard let reason = obstacle(to: url) else { return }
    try? await sleep(reason.timeout?.duration ?? .zero)
    throw NetworkingError(reason, url: url)
  }

  /// Records a message or a close frame from the client of a WebSocket connection.
  func note(message text: String) { state.withLock { $0.messages.append((text, $0.now)) } }
}

extension TestRun {
  /// Runs steps, whose base URL is `http://in.memory`, on a transport in memory and in its time.
  static func simulate(
    _ steps: String, _ transport: MemoryTransport, configure: (inout RunConfiguration) -> Void = { _ in },
    react: (@Sendable (Run, RunEvent) -> Void)? = nil
  ) async throws -> TestRun {
    try await carryOut(
      document(steps),
      configure: { configuration in
        configuration.simulate(transport)
        configure(&configuration)
      }, react: react)
  }

  /// Prepares a run of steps on a transport in memory; see ``simulate(_:_:configure:react:)``.
  static func prepare(_ steps: String, _ transport: MemoryTransport) throws -> Prepared {
    try prepare(document(steps)) { $0.simulate(transport) }
  }

  private static func document(_ steps: String) -> String {
    """
    garland: 1
    defaults: { base_url: http://in.memory }
    steps:
      \(steps.replacing("\n", with: "\n  "))
    """
  }
}

extension RunConfiguration {
  /// Sends requests through a transport in memory, and takes the time from it.
  fileprivate mutating func simulate(_ transport: MemoryTransport) {
    sending.transport = transport
    clock = { transport.now }
  }
}
