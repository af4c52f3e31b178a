import Glibc
import HTTPTypes
import Synchronization

/// Runs the tasks of a background session.
final class BackgroundRunner: Sendable {
  let store: BackgroundStore
  private let session: Session

  private struct Shared {
    var requests: [Int: Request] = [:]
    var cancelled: Set<Int> = []
    var isClosing = false
  }
  private let shared = Mutex(Shared())

  /// The maximum number of bytes that the journal stores of the response to an upload.
  private static let contentLimit = 64 << 10

  init(_ configuration: SessionConfiguration, store: BackgroundStore) {
    self.store = store
    var configuration = configuration
    // No body is kept in memory, so no limit is needed.
    configuration.settings.maximumBodyBytes = nil
    configuration.waitsForConnectivity = true
    if configuration.interceptor == nil {
      // Retries of uploads are allowed, since a server may receive an upload twice anyway, and their number is not limited, since the
      // deadline is days away. A response with any status ends the task.
      configuration.interceptor = RetryPolicy(limit: .max, methods: RetryPolicy.idempotentMethods.union([.post, .patch]), statuses: [])
    }
    session = Session(configuration)
  }

  // MARK: From the session

  func start() {
    Task { [self] in
      for task in await store.begin() { run(task) }
    }
  }

  func add(
    _ work: BackgroundTask.Work, _ url: String, _ method: HTTPRequest.Method, _ headers: HTTPFields, _ tag: String?,
    _ priority: TransferPriority,
    _ delay: Duration?
  ) async throws(NetworkingError) -> BackgroundTask {
    guard let scheme = (try? URLReference(url))?.scheme, ["http", "https", "ftp"].contains(scheme) else {
      throw NetworkingError(.invalidRequest("\(url) is not a URL to transfer something from or to in the background"), url: url)
    }
    let now = session.configuration.clock.secondsSince1970()
    let begin = delay.map { now + max(0, $0.components.seconds) + ($0.components.attoseconds > 0 ? 1 : 0) }
    let task = try await store.add { id in
      BackgroundTask(
        id: id, work: work, method: method, url: url, headerFields: headers, tag: tag, priority: priority, created: now,
        earliestBegin: begin)
    }
    run(task)
    return task
  }

  func cancel(_ id: Int) {
    let request = shared.withLock { shared in
      shared.cancelled.insert(id)
      return shared.requests[id]
    }
    request?.cancel()
  }

  func progress(of id: Int) -> AsyncStream<RequestProgress>? {
    guard let request = shared.withLock({ $0.requests[id] }) else { return nil }
    return request is UploadRequest ? request.uploadProgress : request.downloadProgress
  }

  func finish() async {
    await store.refuseNew()
    await store.waitUntilIdle()
    session.finishAndInvalidate()
    await store.close()
  }

  func cancelAll() async {
    await store.refuseNew()
    for task in await store.tasks { cancel(task.id) }
    await finish()
  }

  func close() async {
    let requests = shared.withLock { shared in
      shared.isClosing = true
      return shared.requests.values.map { $0 }
    }
    await store.refuseNew()
    for request in requests { request.cancel() }
    await finish()
  }

  // MARK: A task

  private func run(_ task: BackgroundTask) {
    Task { [self] in
      let outcome = await outcome(of: task)
      shared.withLock { shared in
        shared.requests[task.id] = nil
        shared.cancelled.remove(task.id)
      }
      await store.end(task, outcome)
    }
  }

  /// Runs a task and returns its outcome. Returns nil if the session is closed before the task ends; the next process then continues the
  /// task.
  private func outcome(of task: BackgroundTask) async -> BackgroundResult.Outcome? {
    if let placement = await store.placement(of: task.id), let path = placement.response.path, access(path, F_OK) == 0,
      access(placement.temporaryPath, F_OK) != 0
    {
      // The file was moved to its target path, but the journal could not record the move.
      return .finished(placement.response)
    }
    let made: Request
    do throws(NetworkingError) {
      made = try request(for: task)
    } catch {
      return failed(error)
    }
    let mayRun = shared.withLock { shared in
      shared.requests[task.id] = made
      return !shared.isClosing && !shared.cancelled.contains(task.id)
    }
    if !mayRun { made.cancel() }
    let result: Result<BackgroundResult.Response, NetworkingError>
    switch task.work {
    case .upload: result = await made.outcome().result.map(Self.response)
    case .download: result = await place(made, task)
    }
    switch result {
    case .success(let response): return .finished(response)
    case .failure(let error):
      let (isClosing, isCancelled) = shared.withLock { ($0.isClosing, $0.cancelled.contains(task.id)) }
      if isClosing, !isCancelled, error.reason.kind == .cancelled { return nil }
      // Remove the partial file, since no session will continue the download.
      if case .download(let target) = task.work { PartialFile.remove(for: target, url: ResumeData.resource(of: task.url)) }
      return failed(error)
    }
  }

  private func failed(_ error: NetworkingError) -> BackgroundResult.Outcome {
    .failed(.init(kind: error.reason.kind, description: error.description, status: error.partialResponse?.status.code))
  }

  private func request(for task: BackgroundTask) throws(NetworkingError) -> Request {
    var transfer = session.transferRequest(task.url, method: task.method, headers: task.headerFields)
    transfer.settings.priority = task.priority
    let now = session.configuration.clock.secondsSince1970()
    if let deadline = session.configuration.settings.deadline {
      let left = deadline - .seconds(max(0, now - task.created))
      guard left > .zero else {
        throw NetworkingError(.timeout(.init(limit: .deadline, phase: .waiting, duration: deadline)), url: task.url)
      }
      transfer.settings.deadline = left
    }
    let request: Request
    switch task.work {
    case .upload(let file):
      transfer.body = .file(path: file)
      transfer.destination = .prefix(Self.contentLimit, computesDigest: false)
      request = UploadRequest(session: session, original: .success(transfer), interceptor: nil)
    case .download(let target):
      transfer.destination = .file(target)
      request = DataRequest(session: session, original: .success(transfer), interceptor: nil).validate(statuses: 200..<300)
    }
    if let begin = task.earliestBegin, begin > now { request.begins(after: .seconds(begin - now)) }
    return request
  }

  private static func response(_ response: TransferResponse) -> BackgroundResult.Response {
    var content = response.bytes
    if case .prefix(let bytes, _) = response.body { content = bytes }
    return BackgroundResult.Response(status: response.status.code, headerFields: response.headerFields, path: nil, content: content)
  }

  /// Waits for the end of a download, and moves its file to the target path. The journal records the move before it is made, so that the
  /// next process can complete an interrupted move.
  private func place(_ request: Request, _ task: BackgroundTask) async -> Result<BackgroundResult.Response, NetworkingError> {
    do throws(NetworkingError) {
      let received = try await request.outcome().result.get()
      guard case .file(let file) = received.body else { throw NetworkingError(.cancelled, url: task.url) }
      let response = BackgroundResult.Response(
        status: received.status.code, headerFields: received.headerFields, path: file.targetPath, content: [])
      try await store.note(task.id, receivedAt: file.temporaryPath, response)
      try file.commit()
      return .success(response)
    } catch {
      return .failure(error)
    }
  }
}
