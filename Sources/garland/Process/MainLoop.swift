import GarlandJSON
import GarlandTransfer
import Glibc
import Synchronization

/// The main thread as an executor. A command runs here, so that no other thread has to be created first.
///
/// In a command that sends requests, the engine works here, too (``host(_:)``), since waking another thread takes longer than handling a
/// response.
///
/// `@unchecked Sendable`: the semaphore is a system semaphore, which is made for several threads, and its address does not change;
/// everything else is protected by a lock.
final class MainLoop: TaskExecutor, @unchecked Sendable {
  static let shared = MainLoop()

  private struct State {
    var jobs: [UnownedJob] = []
    var guest: Engine?
    var signalHandler: (@Sendable (Int32) -> Void)?
  }

  private let state = Mutex(State())
  private let wakeups: UnsafeMutablePointer<sem_t>
  private let isStopped = Atomic(false)
  /// The descriptor that wakes this thread while an engine on this thread waits in `poll`; -1 while no engine works on this thread.
  private let guestDescriptor = Atomic<Int32>(-1)
  private let interrupts = Atomic<Int>(0)
  private let terminations = Atomic<Int>(0)
  private let hangUps = Atomic<Int>(0)
  private let processorTimes = Atomic<Int>(0)
  /// An interrupt that stops the evaluation of an expression on this thread. The signal handler triggers the interrupt directly, because
  /// ``run()`` sees a signal only after the evaluation has ended.
  let interrupt = ComputationInterrupt()

  private init() {
    // The memory is never freed, since the object exists as long as the process.
    wakeups = .allocate(capacity: 1)
    sem_init(wakeups, 0, 0)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let guest = state.withLock { state in
      if state.guest == nil { state.jobs.append(job) }
      return state.guest
    }
    if let guest { guest.enqueue(ExecutorJob(job), of: asUnownedTaskExecutor()) } else { sem_post(wakeups) }
  }

  /// Lets an engine work on the main thread from now on, alternating with the command's own work. Call this method on the main thread, and
  /// only once.
  func host(_ engine: Engine) {
    let waiting = state.withLock { state in
      state.guest = engine
      defer { state.jobs = [] }
      return state.jobs
    }
    guestDescriptor.store(engine.wakeDescriptor, ordering: .relaxed)
    for job in waiting { engine.enqueue(ExecutorJob(job), of: asUnownedTaskExecutor()) }
  }

  /// Runs jobs on the calling thread until ``stop()``.
  func run() {
    while !isStopped.load(ordering: .relaxed) {
      // The call fails only if a signal interrupts it.
      while sem_wait(wakeups) != 0 {}
      tellOfSignals()
      let jobs = state.withLock { state in
        defer { state.jobs.removeAll(keepingCapacity: true) }
        return state.jobs
      }
      for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
      guard let guest = state.withLock({ $0.guest }) else { continue }
      tellOfSignals()
      return guest.run { [self] in
        tellOfSignals()
        return !isStopped.load(ordering: .relaxed)
      }
    }
  }

  /// Ends ``run()``. Call this function in a job of the main loop, and thus on the main thread.
  func stop() {
    isStopped.store(true, ordering: .relaxed)
    sem_post(wakeups)
  }

  // MARK: Signals

  /// Sets the handler that is called on the main thread for each signal passed to
  /// ``noteSignal(_:)``.
  func setSignalHandler(_ handler: (@Sendable (Int32) -> Void)?) {
    state.withLock { $0.signalHandler = handler }
  }

  /// Records a signal. It performs only operations that are allowed in a signal handler: atomic additions, `sem_post` and `write`.
  func noteSignal(_ number: Int32) {
    let before = errno
    switch number {
    case SIGINT: interrupts.add(1, ordering: .relaxed)
    case SIGHUP: hangUps.add(1, ordering: .relaxed)
    case SIGXCPU: processorTimes.add(1, ordering: .relaxed)
    default: terminations.add(1, ordering: .relaxed)
    }
    interrupt.raise(interrupt.urgency == nil ? .stop : .abort, signal: number)
    sem_post(wakeups)
    let guest = guestDescriptor.load(ordering: .relaxed)
    if guest >= 0 {
      // The write adds 1 to the count of the event descriptor. If the count is at its maximum, the descriptor is signalled already.
      var one: UInt64 = 1
      _ = write(guest, &one, 8)
    }
    errno = before
  }

  private func tellOfSignals() {
    let waiting =
      interrupts.load(ordering: .relaxed) | terminations.load(ordering: .relaxed) | hangUps.load(ordering: .relaxed)
      | processorTimes.load(ordering: .relaxed)
    guard waiting != 0, let handler = state.withLock({ $0.signalHandler }) else { return }
    for (number, count) in [
      (SIGINT, interrupts.exchange(0, ordering: .relaxed)), (SIGTERM, terminations.exchange(0, ordering: .relaxed)),
      (SIGHUP, hangUps.exchange(0, ordering: .relaxed)), (SIGXCPU, processorTimes.exchange(0, ordering: .relaxed)),
    ] {
      for _ in 0..<count { handler(number) }
    }
  }
}
