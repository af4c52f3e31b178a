import Glibc

/// Keeps a background session's tasks and results. It is an actor with its own thread, because it
/// blocks while it writes to the disk.
actor BackgroundStore {
  private let thread: Engine
  private var journal: BackgroundJournal?
  /// The results of tasks whose end could not be recorded in the journal. This process still delivers these results. The next process runs
  /// the tasks again, since it does not find their end in the journal.
  private var unwritten: [BackgroundResult] = []
  /// The readers that wait for a result. The code that resumes a reader must first remove the reader from this dictionary, on this actor.
  /// So each reader is resumed exactly once.
  private var waiting: [Int: UnsafeContinuation<BackgroundResult?, Never>] = [:]
  private var lastWaiter = 0
  private var mayAdd = true
  private var idleWaiters: [UnsafeContinuation<Void, Never>] = []
  private var active: Set<Int> = []
  /// The numbers of the tasks whose results were delivered to the caller, but whose delivery could not be recorded in the journal.
  private var told: Set<Int> = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.unownedExecutor }

  init(_ journal: sending BackgroundJournal) {
    var configuration = EngineConfiguration()
    configuration.threadName = "garland-journal"
    thread = Engine(configuration: configuration)
    self.journal = journal
  }

  // MARK: Tasks

  var tasks: [BackgroundTask] { journal?.state.orderedTasks ?? [] }

  /// Returns the unfinished tasks of earlier processes, and marks them as running.
  func begin() -> [BackgroundTask] {
    // A task that was added in the meantime is already running.
    let tasks = tasks.filter { !active.contains($0.id) }
    for task in tasks { active.insert(task.id) }
    return tasks
  }

  func add(_ make: @Sendable (_ id: Int) -> BackgroundTask) throws(NetworkingError) -> BackgroundTask {
    guard mayAdd, let id = journal?.state.nextID else { throw NetworkingError(.invalidated) }
    let task = make(id)
    try journal?.append(.added(task))
    active.insert(id)
    return task
  }

  /// Returns the downloaded file of a task if the previous process ended after the download, but before it had moved the file to its target
  /// path; otherwise nil.
  func placement(of id: Int) -> BackgroundState.Placement? { journal?.state.placements[id] }

  /// Records in the journal that the file of a download is about to be moved to its target path.
  func note(_ id: Int, receivedAt path: String, _ response: BackgroundResult.Response) throws(NetworkingError) {
    try journal?.append(.received(id: id, temporaryPath: path, response))
  }

  /// Records that this process no longer works on a task. If `outcome` is nil, the task has not ended: it stays in the journal, and the
  /// next process continues it.
  func end(_ task: BackgroundTask, _ outcome: BackgroundResult.Outcome?) {
    if let outcome {
      do throws(NetworkingError) {
        try journal?.append(.ended(id: task.id, outcome))
      } catch {
        unwritten.append(BackgroundResult(task: task, outcome: outcome))
      }
    }
    active.remove(task.id)
    deliver()
    if active.isEmpty { becameIdle() }
  }

  // MARK: Results

  private func take() -> BackgroundResult? {
    if !unwritten.isEmpty { return unwritten.removeFirst() }
    guard let result = journal?.state.results.first else { return nil }
    do throws(NetworkingError) {
      try journal?.append(.delivered(id: result.task.id))
    } catch {
      // This process delivers each result at most once.
      return told.insert(result.task.id).inserted ? result : nil
    }
    return result
  }

  private func deliver() {
    while let waiter = waiting.keys.min(), let result = take() { waiting.removeValue(forKey: waiter)?.resume(returning: result) }
    if !mayAdd, active.isEmpty || journal == nil { finishWaiters() }
  }

  private func finishWaiters() {
    let all = waiting
    waiting = [:]
    for waiter in all.values { waiter.resume(returning: nil) }
  }

  /// Waits for the result of a background task. Returns nil if no more results will come, or if the waiting Swift task is cancelled.
  func next() async -> BackgroundResult? {
    if Task.isCancelled { return nil }
    if let result = take() { return result }
    if journal == nil || (!mayAdd && active.isEmpty) { return nil }
    lastWaiter += 1
    let waiter = lastWaiter
    return await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        waiting[waiter] = continuation
        deliver()
        if journal == nil { finishWaiters() }
      }
    } onCancel: {
      Task { await self.leave(waiter) }
    }
  }

  private func leave(_ waiter: Int) { waiting.removeValue(forKey: waiter)?.resume(returning: nil) }

  // MARK: Ending

  /// Refuses new tasks from now on.
  func refuseNew() {
    mayAdd = false
    deliver()
    if active.isEmpty { becameIdle() }
  }

  /// Waits until no task of the session is running.
  func waitUntilIdle() async {
    await withUnsafeContinuation { continuation in
      if active.isEmpty { continuation.resume() } else { idleWaiters.append(continuation) }
    }
  }

  private func becameIdle() {
    let all = idleWaiters
    idleWaiters = []
    for waiter in all { waiter.resume() }
  }

  /// Closes the journal. Tasks that wait for a result receive nil, and new tasks are refused.
  func close() {
    mayAdd = false
    journal = nil
    finishWaiters()
  }
}
