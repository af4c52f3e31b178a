import GarlandDiagnostics
import GarlandPlanner
import GarlandResults

/// Repeats a plan to send load: either as often as a number of simulated users can, or at a fixed rate.
///
/// ```swift
/// let load = LoadRun(run, LoadSettings(rate: 200, users: 100, duration: .seconds(60)))
/// let report = await load.start()
/// ```
/// Each repetition is a separate run that the observers do not see. The observers receive the measurements every second, and at the end one
/// result for each step. The load run keeps only the times of the repetitions, and a few results that did not pass. The users may be
/// divided among several threads, each with its own engine (see ``LoadWorker``).
package actor LoadRun: TransportActor {
  private let first: Run
  let transport: any Transport
  private let executor: UnownedSerialExecutor
  private let configuration: RunConfiguration
  private let settings: LoadSettings
  private let workers: [LoadWorker]
  private let observers: [any RunObserver]
  private var notices = NewNotices()
  private var beganAt = Duration.zero
  private var ticker: (any Cancellable)?
  private var deadlineTimer: (any Cancellable)?
  /// The time of the last progress event, and the number of repetitions that had ended by then.
  private var lastTick = (at: Duration.zero, ended: 0)
  private var summary = RunSummary()
  /// The number of workers that still carry out repetitions, or have not begun yet.
  private var working: Int
  /// Whether the repetitions have begun, or are about to begin.
  private var hasBegun = false
  /// The signal that arrived before the repetitions began; nil if there was none.
  private var earlySignal: String?
  /// Continues ``start()`` after the last worker has ended.
  private var continuation: CheckedContinuation<Void, Never>?

  /// The executor of the first engine's thread, on which this actor runs.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor }

  /// Creates a load test.
  ///
  /// - Parameters:
  ///   - first: a prepared run of the plan, from which the repetitions of the first thread are created. The run itself is not started.
  ///   - others: for each further thread, a prepared run of the same plan with its own engine. The runs are not started. A load test with a
  ///     rate uses only the first thread, and any other load test uses at most one thread for each user.
  ///   - settings: the settings of the load.
  ///   - expectations: the limits for the measurements, such as `p95 < 300ms`.
  ///   - part: the number of this machine, and the number of all machines that share the load, so that
  ///     ``RunConfiguration/Series/iteration`` is different on each machine.
  package init(
    _ first: Run, and others: [Run] = [], _ settings: LoadSettings, expectations: [LoadExpectation] = [],
    part: (number: Int, count: Int) = (1, 1)
  ) {
    self.first = first
    self.settings = settings
    transport = first.transport
    executor = first.unownedExecutor
    configuration = first.configuration
    observers = first.configuration.observers
    let failures = FailureCount(limit: first.configuration.pace.maxFailures)
    let numbers = RepetitionNumbers(limit: settings.repetitions)
    let recorder = LoadRecorder(first.plan, settings, expectations: expectations)
    // With a rate, one thread decides when repetitions begin. Without a rate, each thread needs a user.
    let runs = ([first] + others).prefix(settings.rate == nil ? max(1, settings.users) : 1)
    workers = runs.enumerated().map { index, run in
      let jars = index == 0 ? first.stores.jars : JarSet(like: first.stores.jars)
      let schedule = LoadSchedule(settings, numbers, of: WorkerPlace(index: index, count: runs.count), part: part)
      return LoadWorker(RepetitionMaker(run, part), schedule, recorder, jars, failures)
    }
    working = workers.count
  }

  /// Carries out the load test, and returns when the last repetition has ended. Call this function only once.
  package func start() async -> Run.Report {
    beganAt = configuration.clock()
    await first.announce(load: settings)
    if let deadline = configuration.pace.deadline {
      deadlineTimer = transport.perform(after: deadline) { [weak self] in self?.assumeIsolated { $0.isOutOfTime(deadline) } }
    }
    tickLater()
    await withCheckedContinuation { continuation in
      self.continuation = continuation
      hasBegun = true
      if let earlySignal { interrupted(earlySignal) }
      for worker in workers { worker.perform(from: transport) { [self, beganAt] in $0.begin(for: self, at: beganAt) } }
    }
    for timer in [ticker, deadlineTimer] { timer?.cancel() }
    return await finish()
  }

  /// Stops the load test as Ctrl-C does: no further repetition begins, the current repetitions are cancelled and cleaned up, and reports
  /// are complete.
  ///
  /// - Parameter signal: the signal's name, such as `SIGINT`, which determines the exit status.
  package nonisolated func interrupt(signal: String) {
    configuration.interrupt.raise(.stop, signal: SignalName.number(of: signal))
    transport.perform { self.assumeIsolated { $0.interrupted(signal) } }
  }

  /// Ends the load test immediately, without cleanups, as a second Ctrl-C does.
  package nonisolated func abort() {
    configuration.interrupt.raise(.abort)
    transport.perform { self.assumeIsolated { $0.aborted() } }
  }

  private var now: Duration { configuration.clock() - beganAt }

  // MARK: Workers

  /// Notes that all repetitions of a worker have ended.
  func workerEnded() {
    working -= 1
    guard working == 0 else { return }
    continuation?.resume()
    continuation = nil
  }

  /// Stops all workers, since as many repetitions have failed as ``RunConfiguration/Pace/maxFailures`` permits. Repetitions that have begun
  /// are completed.
  func failedTooOften(_ limit: Int) {
    guard working > 0, summary.earlyEnd == nil else { return }
    summary.endedEarly(EarlyEnd(.failures, limit == 1 ? "a repetition failed" : "\(limit) repetitions failed"))
    for worker in workers { worker.perform(from: transport) { $0.stop() } }
  }

  /// Passes a notice of a repetition to the observers, unless an earlier repetition had the same notice.
  func pass(_ notice: Diagnostic) { if notices.isNew(notice.message) { tell(.notice(notice)) } }

  // MARK: Stopping

  private func interrupted(_ signal: String) {
    guard hasBegun else {
      earlySignal = signal
      return
    }
    guard working > 0, summary.earlyEnd?.cause != .interrupt else { return }
    summary.endedEarly(EarlyEnd(.interrupt, signal))
    tell(.interrupted(signal: signal, at: now))
    stopRepetitions { $0.interrupted(signal) }
  }

  private func isOutOfTime(_ deadline: Duration) {
    guard working > 0, summary.earlyEnd?.cause != .interrupt else { return }
    summary.endedEarly(StopReason.deadline(deadline).earlyEnd)
    stopRepetitions { $0.post(.stop(.deadline(deadline))) }
  }

  private func aborted() {
    guard hasBegun else {
      earlySignal = earlySignal ?? "SIGINT"
      return
    }
    guard working > 0 else { return }
    summary.endedEarly(EarlyEnd(.interrupt, "SIGINT"))
    stopRepetitions { $0.aborted() }
  }

  private func stopRepetitions(_ body: @escaping @Sendable (isolated Run) -> Void) {
    for worker in workers { worker.perform(from: transport) { $0.stopRepetitions(body) } }
  }

  // MARK: Figures

  private func tickLater() {
    ticker = transport.perform(after: .seconds(1)) { [weak self] in self?.assumeIsolated { $0.tick() } }
  }

  private func tick() {
    guard working > 0 else { return }
    let now = now
    let load = load
    let passed = (now - lastTick.at) / .seconds(1)
    tell(
      .loadProgressed(
        LoadProgress(
          elapsed: now, ended: load.ended, failed: load.failed, late: load.late,
          perSecond: passed > 0 ? Double(load.ended - lastTick.ended) / passed : 0, latency: load.latency)))
    lastTick = (now, load.ended)
    tickLater()
  }

  /// The measurements of all workers.
  private var load: RunLoad {
    let loads = workers.map(\.load)
    guard var load = loads.first else { return RunLoad(settings, stepCount: first.plan.steps.count) }
    for other in loads.dropFirst() { load.merge(other) }
    load.settings = settings
    load.elapsed = loads.map(\.elapsed).max() ?? .zero
    return load
  }

  private func tell(_ event: RunEvent) { for observer in observers { observer.receive(event) } }

  private func finish() async -> Run.Report {
    let load = load
    for result in await first.results(of: load) {
      summary.count(result)
      tell(.stepEnded(result))
    }
    summary.requestCount = load.requests
    summary.sumOfStepTimes = .zero
    summary.load = load
    summary.runErrors = await first.stores.jars.writeBack()
    for error in summary.runErrors { tell(.notice(error)) }
    summary.wallTime = now
    tell(.runEnded(summary))
    return Run.Report(summary: summary, prints: [])
  }
}
