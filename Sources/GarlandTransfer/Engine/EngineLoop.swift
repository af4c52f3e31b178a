import CCurl
import COpenSSL
import Glibc
import Synchronization

/// An engine's thread: its inbox, its loop, and the Swift executor.
///
/// `@unchecked Sendable`: a lock protects `inbox`; `core` is created, used and released on the
/// loop's thread only. Every method that uses `core` is private and called from ``run()``, or checks
/// ``isCurrent`` first. Without a running thread, no code uses `core`.
final class EngineLoop: SerialExecutor, TransferLoop, @unchecked Sendable {
  let configuration: EngineConfiguration
  /// Whether the event loop has no thread of its own and runs on the thread that calls ``run(while:)``.
  let isHosted: Bool

  private enum Entry {
    case job(UnownedJob)
    case taskJob(UnownedJob, UnownedTaskExecutor)
    case action(@Sendable () -> Void)
    case start(Transfer)
    case cancel(Transfer)
    case cancelUnlessConnected(Transfer)
    case conclude(Transfer, after: Duration)
    case schedule(LoopTimer)
    case unschedule(LoopTimer)
    case resumeSending(Transfer)
    case suspend(Transfer)
    case resume(Transfer)
    case stop
  }

  private struct Inbox {
    var entries: [Entry] = []
    var isThreadRunning = false
    /// Whether the thread waits for events, or is about to wait. If true, a new entry must wake the thread through the event descriptor.
    var isAsleep = false
    var isStopped = false
  }

  private let inbox = Mutex(Inbox())
  private let thread = Atomic<UInt>(0)
  /// A gate that opens when the thread has ended. ``Engine/shutDown()`` waits until this gate is open.
  private let ended = Gate()
  /// The descriptor of an event counter (eventfd). Writing a number to it, even in a signal handler, wakes the event loop while the loop
  /// waits for its sockets.
  let event: Int32
  private var core: TransferCore?

  init(configuration: EngineConfiguration, isHosted: Bool = false) {
    self.configuration = configuration
    self.isHosted = isHosted
    event = garland_eventfd()
  }

  deinit { close(event) }

  // MARK: From any thread

  var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  func enqueue(_ job: consuming ExecutorJob) { post(.job(UnownedJob(job))) }

  func enqueue(_ job: consuming ExecutorJob, of executor: UnownedTaskExecutor) { post(.taskJob(UnownedJob(job), executor)) }

  func checkIsolated() {
    precondition(isCurrent, "not on the engine's thread")
  }

  func isIsolatingCurrentContext() -> Bool? { isCurrent }

  func perform(_ action: @escaping @Sendable () -> Void) { post(.action(action)) }

  func start(_ transfer: Transfer) {
    if isCurrent, let core {
      core.enqueue(transfer)
    } else {
      post(.start(transfer))
    }
  }

  func cancel(_ transfer: Transfer) { post(.cancel(transfer)) }

  func cancelUnlessConnected(_ transfer: Transfer) { post(.cancelUnlessConnected(transfer)) }

  func conclude(_ transfer: Transfer, after time: Duration) { post(.conclude(transfer, after: time)) }

  func schedule(_ timer: LoopTimer, after delay: Duration) {
    timer.due = MonotonicClock.now &+ delay.nanoseconds
    post(.schedule(timer))
  }

  /// Continues a transfer after its partial file was read. Call it on the event loop's thread only.
  func loaded(_ result: Result<PartialFile?, NetworkingError>, for transfer: Transfer) {
    if isCurrent { core?.loaded(result, for: transfer) }
  }

  /// Calls `body` with the ``TransferCore``. Does nothing if there is no core; a core exists only while transfers or streams run. Call it
  /// on the event loop's thread only.
  func withCore(_ body: (TransferCore) -> Void) {
    if isCurrent, let core { body(core) }
  }

  /// Passes an event from the thread that reads a file to the transfer of the file. Call this method on the event loop's thread only.
  func take(_ event: FileSource.Event, for transfer: Transfer) {
    if isCurrent { core?.take(event, for: transfer) }
  }

  func resumeSending(_ transfer: Transfer) { post(.resumeSending(transfer)) }

  func suspend(_ transfer: Transfer) { post(.suspend(transfer)) }

  func resume(_ transfer: Transfer) { post(.resume(transfer)) }

  func cancel(_ timer: LoopTimer) { post(.unschedule(timer)) }

  func stop() {
    let isRunning = inbox.withLock { inbox in
      inbox.isStopped = true
      return inbox.isThreadRunning
    }
    if isRunning { post(.stop) }
  }

  func join() {
    if isCurrent { return }
    ended.wait { inbox.withLock { !$0.isThreadRunning } }
  }

  private func post(_ entry: Entry) {
    let (mustStart, mustWake) = inbox.withLock { inbox in
      inbox.entries.append(entry)
      let mustWake = inbox.isAsleep
      inbox.isAsleep = false
      if inbox.isThreadRunning || isHosted { return (false, mustWake) }
      inbox.isThreadRunning = true
      return (true, false)
    }
    if mustStart {
      startThread()
    } else if mustWake {
      garland_eventfd_signal(event)
    }
  }

  // MARK: On the thread

  private func startThread() {
    let refusal = WorkerThread.start(name: configuration.threadName) { self.run() }
    precondition(refusal == nil, "no thread could be started: \(refusal ?? "")")
  }

  private func run() {
    EngineRegistry.shared.add(ObjectIdentifier(self)) {
      self.stop()
      self.join()
    }
    let core = takeOver()
    var batch: [Entry] = []
    repeat {
      turn(core, &batch)
      sleep(core)
    } while !hasEnded(core)
  }

  /// Runs the event loop on the calling thread while `goesOn` returns true. `goesOn` is called once per iteration of the event loop. The
  /// thread must block `SIGPIPE`. This method may be called only if ``isHosted`` is true, since any other event loop has its own thread.
  func run(while goesOn: () -> Bool) {
    precondition(isHosted, "it has a thread of its own")
    inbox.withLock { $0.isThreadRunning = true }
    let core = takeOver()
    var batch: [Entry] = []
    turn(core, &batch)
    while goesOn() {
      sleep(core)
      turn(core, &batch)
    }
    if core.isIdle, inbox.withLock({ $0.isStopped && $0.entries.isEmpty }) {
      core.close()
      self.core = nil
    }
    thread.store(0, ordering: .relaxed)
    inbox.withLock { $0.isThreadRunning = false }
    ended.open()
  }

  private func takeOver() -> TransferCore {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    let core = self.core ?? TransferCore(configuration: configuration, loop: self)
    self.core = core
    if inbox.withLock({ $0.isStopped }) { core.stop() }
    return core
  }

  private func turn(_ core: TransferCore, _ batch: inout [Entry]) {
    swapBatch(&batch)
    core.context.now = MonotonicClock.now
    for entry in batch { handle(entry, core) }
    batch.removeAll(keepingCapacity: true)
    core.turn()
  }

  private func swapBatch(_ batch: inout [Entry]) {
    inbox.withLock { inbox in
      inbox.isAsleep = false
      swap(&inbox.entries, &batch)
    }
  }

  private func handle(_ entry: Entry, _ core: TransferCore) {
    switch entry {
    // Each job runs on the executor it was enqueued for. A job on another executor than its task
    // expects would suspend at each continuation.
    case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
    case .taskJob(let job, let executor): job.runSynchronously(on: executor)
    case .action(let action): action()
    case .start(let transfer): core.enqueue(transfer)
    case .cancel(let transfer): core.cancel(transfer)
    case .cancelUnlessConnected(let transfer): if transfer.phase <= .securing { core.cancel(transfer) }
    case .conclude(let transfer, let time): core.conclude(transfer, after: time)
    case .schedule(let timer): if !timer.isCancelled { core.timers.insert(timer) }
    case .unschedule(let timer):
      timer.isCancelled = true
      core.timers.remove(timer)
    case .resumeSending(let transfer): core.resumeSending(transfer)
    case .suspend(let transfer): core.suspend(transfer)
    case .resume(let transfer): core.resume(transfer)
    case .stop: core.stop()
    }
  }

  private func sleep(_ core: TransferCore) {
    let mayWait = inbox.withLock { inbox in
      guard inbox.entries.isEmpty, !core.hasReadyWork, !(inbox.isStopped && core.isIdle) else { return false }
      inbox.isAsleep = true
      return true
    }
    core.wait(event: event, mayWait: mayWait)
  }

  /// Returns whether the thread can end: the loop was stopped and has no work left. If the thread can end, releases the ``TransferCore``. A
  /// later entry in the inbox starts another thread.
  private func hasEnded(_ core: TransferCore) -> Bool {
    guard core.isIdle else { return false }
    let isDone = inbox.withLock { $0.isStopped && $0.entries.isEmpty }
    guard isDone else { return false }
    let usedLibrary = core.handles.multi != nil
    core.close()
    // Called before the thread ends: nothing waits for that end, so the process could already be in OpenSSL's
    // exit handler.
    if usedLibrary { OPENSSL_thread_stop() }
    EngineRegistry.shared.remove(ObjectIdentifier(self))
    let mayLeave = inbox.withLock { inbox in
      // Between the two locks an entry may have arrived: then this thread continues.
      guard inbox.entries.isEmpty else { return false }
      self.core = nil
      thread.store(0, ordering: .relaxed)
      inbox.isThreadRunning = false
      return true
    }
    if mayLeave { ended.open() }
    return mayLeave
  }
}
