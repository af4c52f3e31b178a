import Glibc

/// A background session's tasks and results, kept by an actor on a thread of its own: it waits for the disk.
actor BackgroundStore {
  private let thread: Engine
  private var journal: BackgroundJournal?
  /// Results whose end could not be written down: they are told all the same, and their tasks are done again by the next process.
  private var unwritten: [BackgroundResult] = []
  /// These and the idle ones are resumed once: whoever takes them out, here on the actor, does it.
  private var waiting: [Int: UnsafeContinuation<BackgroundResult?, Never>] = [:]
  private var lastWaiter = 0
  private var mayAdd = true
  private var idleWaiters: [UnsafeContinuation<Void, Never>] = []
  private var active: Set<Int> = []
  /// Results that were told without its being written down.
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

  /// The tasks that are to be started now, which an earlier process left.
  func begin() -> [BackgroundTask] {
    // One that was added in the meantime runs already.
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

  /// A download that was about to be moved when the process before this one ended.
  func placement(of id: Int) -> BackgroundState.Placement? { journal?.state.placements[id] }

  /// Notes that a download is about to be moved.
  func note(_ id: Int, receivedAt path: String, _ response: BackgroundResult.Response) throws(NetworkingError) {
    try journal?.append(.received(id: id, temporaryPath: path, response))
  }

  /// A task has ended. Without an outcome it stays in the journal, for the next process.
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
      // Told once in this process at least.
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

  /// Waits for a result. Nil when there will be no more, or the task that waits is cancelled.
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

  /// Lets nothing new in.
  func refuseNew() {
    mayAdd = false
    deliver()
    if active.isEmpty { becameIdle() }
  }

  /// Waits until no task runs.
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

  /// Lets go of the journal.
  func close() {
    mayAdd = false
    journal = nil
    finishWaiters()
  }
}
