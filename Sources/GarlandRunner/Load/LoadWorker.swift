import GarlandDiagnostics
import GarlandResults
import Synchronization

/// The part of a load test that one thread carries out: the repetitions of some of the simulated users.
///
/// The thread has its own engine, so threads do not share connections. All threads use the same plan, which does not change.
actor LoadWorker: TransportActor {
  let transport: any Transport
  private let executor: UnownedSerialExecutor
  private let repetitions: RepetitionMaker
  private let jars: JarSet
  private let failures: FailureCount
  /// The measurements of this worker's repetitions. The load test also reads them, on its own thread.
  private let recorder: Mutex<LoadRecorder>
  private var schedule: LoadSchedule
  private var users: [LoadUser] = []
  /// The simulated users that are free to begin another repetition.
  private var idle: [LoadUser] = []
  private var stage = Stage()
  private var beganAt = Duration.zero
  private var timer: (any Cancellable)?
  private var notices = NewNotices()
  /// The load test whose repetitions this worker runs; nil before the first repetition and after the last one.
  private var owner: LoadRun?

  /// The state of a worker: whether it will begin repetitions soon, and whether its last repetition has ended.
  private struct Stage {
    /// Whether a call of `pump()` is queued.
    var isPumpQueued = false
    /// Whether the final repetition of the worker has ended.
    var hasEnded = false
  }

  /// The number of repetitions that begin in a row, even if fewer users are idle, before the engine processes network events again.
  private static let beginsPerTurn = 64

  /// The executor of the engine's thread, on which this actor runs.
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor }

  /// Creates a worker.
  ///
  /// - Parameters:
  ///   - repetitions: creates the repetitions.
  ///   - schedule: decides when this worker begins repetitions.
  ///   - recorder: counts the results.
  ///   - jars: the model for the users' cookie jars. Each user gets separate jars with the same settings and cookie files.
  ///   - failures: counts the failed repetitions of all workers.
  init(
    _ repetitions: RepetitionMaker, _ schedule: LoadSchedule, _ recorder: LoadRecorder, _ jars: JarSet, _ failures: FailureCount
  ) {
    self.repetitions = repetitions
    self.jars = jars
    self.failures = failures
    self.recorder = Mutex(recorder)
    transport = repetitions.transport
    executor = transport.unownedExecutor
    self.schedule = schedule
  }

  /// A copy of the measurements so far. Any thread may read it.
  nonisolated var load: RunLoad { recorder.withLock { $0.load } }

  /// Begins the repetitions of the plan. When the last repetition has ended, the worker calls ``LoadRun/workerEnded()``.
  ///
  /// - Parameters:
  ///   - owner: the load test.
  ///   - time: the time at which the load test began.
  func begin(for owner: LoadRun, at time: Duration) {
    self.owner = owner
    beganAt = time
    // An interrupt may have stopped the worker before it began.
    if stage.hasEnded { end() } else { pump() }
  }

  /// Begins no further repetition. Repetitions that have begun are completed.
  func stop() {
    schedule.stop()
    pumpSoon()
  }

  /// Begins no further repetition, and calls `body` with the run of each repetition in progress, so that `body` can stop the run. These
  /// repetitions count as cancelled.
  func stopRepetitions(_ body: @Sendable (isolated Run) -> Void) {
    schedule.stop()
    for user in users { user.cancel()?.assumeIsolated(body) }
    pumpSoon()
  }

  private var now: Duration { repetitions.clock() - beganAt }

  /// Calls `pump()` after the current actions of the engine, once for all repetitions that end in one iteration of the event loop. The
  /// processor then runs the code that ends a repetition for all of them, and after that the code that begins one. Alternating between the
  /// two evicts each from the processor's instruction cache.
  private func pumpSoon() {
    guard !stage.isPumpQueued else { return }
    stage.isPumpQueued = true
    transport.perform { [weak self] in
      self?.assumeIsolated { worker in
        worker.stage.isPumpQueued = false
        worker.pump()
      }
    }
  }

  /// Begins repetitions that are due: at most one for each idle user, or ``beginsPerTurn`` if fewer users are idle. Further repetitions
  /// begin after the engine has processed network events.
  private func pump() {
    guard !stage.hasEnded else { return }
    timer?.cancel()
    timer = nil
    for _ in 0..<max(Self.beginsPerTurn, idle.count) {
      let now = now
      switch schedule.next(at: now) {
      case .begin(let number, let intended): begin(number, intended: intended, at: now)
      case .wait(let time):
        timer = transport.perform(after: time - now) { [weak self] in self?.assumeIsolated { $0.pump() } }
        return
      case .waitForEnd: return
      case .done:
        if schedule.underWay == 0 { end() }
        return
      }
    }
    pumpSoon()
  }

  private func begin(_ number: Int, intended: Duration, at now: Duration) {
    let user = idle.popLast() ?? newUser()
    let lateness = max(.zero, now - intended)
    let explainsFailures = recorder.withLock { recorder in
      recorder.began(lateness: lateness)
      return recorder.wantsSamples
    }
    let run = repetitions.make(number, by: user, explainsFailures: explainsFailures)
    user.begins(run, intended: intended, lateness: lateness)
    let actions = repetitions.firstActions
    run.isolated { run in
      run.startCalled(actions) { self.isolated { $0.ended(user) } }
    }
  }

  private func newUser() -> LoadUser {
    let user = LoadUser(JarSet(like: jars), Redactor(for: repetitions.redactor), of: self)
    users.append(user)
    return user
  }

  private func ended(_ user: LoadUser) {
    let now = now
    let (hasFailed, isCancelled) = (user.hasFailed, user.isCancelled)
    let time = now - user.intended
    recorder.withLock { recorder in
      if isCancelled { recorder.cancelled(elapsed: now) } else { recorder.ended(after: time, hasFailed: hasFailed, elapsed: now) }
    }
    user.ends()
    idle.append(user)
    schedule.ended()
    if hasFailed, let limit = failures.reachedLimit() {
      schedule.stop()
      owner?.perform(from: transport) { $0.failedTooOften(limit) }
    }
    pumpSoon()
  }

  /// Adds a result to the measurements. Returns whether the result was kept as the sample of a new kind of error. Any thread may call this
  /// method.
  nonisolated func record(_ result: StepResult, lateness: Duration) -> Bool { recorder.withLock { $0.record(result, lateness: lateness) } }

  /// Passes a notice of a repetition to the load test, unless an earlier repetition of this worker had the same notice.
  func pass(_ notice: Diagnostic) {
    guard notices.isNew(notice.message) else { return }
    owner?.perform(from: transport) { $0.pass(notice) }
  }

  private func end() {
    stage.hasEnded = true
    timer?.cancel()
    owner?.perform(from: transport) { $0.workerEnded() }
    owner = nil
  }
}

/// Counts the failed repetitions of all workers of a load test.
final class FailureCount: Sendable {
  private let limit: Int?
  private let count = Atomic(0)

  init(limit: Int?) { self.limit = limit }

  /// Counts a failed repetition. If the number of failed repetitions has reached the limit, returns the limit; otherwise nil.
  func reachedLimit() -> Int? {
    guard let limit, count.add(1, ordering: .relaxed).newValue >= limit else { return nil }
    return limit
  }
}

/// Remembers the notices that a load test has shown, so that a notice that several repetitions cause is shown only once. At most 100
/// different notices are shown.
struct NewNotices {
  private var messages: Set<String> = []

  private static let limit = 100

  /// Returns whether a notice must be shown: it was not shown before, and fewer than 100 different notices were shown.
  mutating func isNew(_ message: String) -> Bool { messages.count < Self.limit && messages.insert(message).inserted }
}
