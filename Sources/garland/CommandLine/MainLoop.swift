import Glibc
import Synchronization

/// The main thread as an executor. What a command does runs here, and not on a thread that would have to be made first.
///
/// `@unchecked Sendable`: the semaphore is one of the system, made for several threads, and its place does not change; all else is locked.
final class MainLoop: TaskExecutor, @unchecked Sendable {
  static let shared = MainLoop()

  private struct State {
    var jobs: [UnownedJob] = []
    var isStopped = false
    var signalHandler: (@Sendable (Int32) -> Void)?
  }

  private let state = Mutex(State())
  private let wakeups: UnsafeMutablePointer<sem_t>
  private let interrupts = Atomic<Int>(0)
  private let terminations = Atomic<Int>(0)

  private init() {
    // Never freed: it lives as long as the process.
    wakeups = .allocate(capacity: 1)
    sem_init(wakeups, 0, 0)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
    sem_post(wakeups)
  }

  /// Runs jobs on the calling thread until ``stop()``.
  func run() {
    while true {
      // Fails only when a signal comes.
      while sem_wait(wakeups) != 0 {}
      tellOfSignals()
      let (jobs, isStopped) = state.withLock { state in
        defer { state.jobs.removeAll(keepingCapacity: true) }
        return (state.jobs, state.isStopped)
      }
      for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
      if isStopped { return }
    }
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    sem_post(wakeups)
  }

  // MARK: Signals

  /// Who is called, on the main thread, for each signal that ``noteSignal(_:)`` is told of.
  func setSignalHandler(_ handler: (@Sendable (Int32) -> Void)?) {
    state.withLock { $0.signalHandler = handler }
  }

  /// Does what may be done in a signal handler: an addition, and `sem_post`, which POSIX allows there.
  func noteSignal(_ number: Int32) {
    let before = errno
    if number == SIGINT { interrupts.add(1, ordering: .relaxed) } else { terminations.add(1, ordering: .relaxed) }
    sem_post(wakeups)
    errno = before
  }

  private func tellOfSignals() {
    guard let handler = state.withLock({ $0.signalHandler }) else { return }
    let interruptCount = interrupts.exchange(0, ordering: .relaxed)
    let terminationCount = terminations.exchange(0, ordering: .relaxed)
    for _ in 0..<interruptCount { handler(SIGINT) }
    for _ in 0..<terminationCount { handler(SIGTERM) }
  }
}
