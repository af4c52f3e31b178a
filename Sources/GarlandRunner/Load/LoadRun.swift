import GarlandDiagnostics
import GarlandPlanner
import GarlandResults
import GarlandTransfer
import GarlandWorkflow

/// Repeats a plan to send load, either by several users at once or at a rate.
///
/// ```swift
/// let load = LoadRun(run, LoadSettings(rate: 200, users: 100, duration: .seconds(60)))
/// let report = await load.start()
/// ```
/// Each repetition is a separate run that the observers do not see. The observers receive the measurements every second, and at the end one
/// result for each step. The load run keeps only the times of the repetitions, and a few results that did not pass.
package actor LoadRun {
  private let first: Run
  private let transport: any Transport
  private let executor: UnownedSerialExecutor
  private let configuration: RunConfiguration
  private let repetitions: RepetitionMaker
  private let observers: [any RunObserver]
  private var schedule: LoadSchedule
  private var recorder: LoadRecorder
  private var users: [LoadUser] = []
  /// The simulated users that are free to begin another repetition.
  private var idle: [LoadUser] = []
  private var stage = LoadStage()
  private var beganAt = Duration.zero
  private var timer: (any Cancellable)?
  private var ticker: (any Cancellable)?
  private var deadlineTimer: (any Cancellable)?
  /// The time of the last progress event, and the number of repetitions that had ended by then.
  private var lastTick = (at: Duration.zero, ended: 0)
  private var summary = RunSummary()

  /// The maximum number of repetitions that begin in a row before the engine processes network events again.
  private static let beginsPerTurn = 64

  /// The executor of the engine's thread, on which this actor runs.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor }

  /// Creates a load test.
  ///
  /// - Parameters:
  ///   - run: a prepared run of the plan, from which each repetition is created. The run itself is not started.
  ///   - settings: the settings of the load.
  ///   - expectations: the limits for the measurements, such as `p95 < 300ms`.
  ///   - part: the number of this machine, and the number of all machines that share the load, so that
  ///     ``RunConfiguration/Series/iteration`` is different on each machine.
  package init(_ run: Run, _ settings: LoadSettings, expectations: [LoadExpectation] = [], part: (number: Int, count: Int) = (1, 1)) {
    first = run
    transport = run.transport
    executor = run.unownedExecutor
    configuration = run.configuration
    observers = run.configuration.observers
    repetitions = RepetitionMaker(run, part)
    schedule = LoadSchedule(settings)
    let graph = run.plan.graph
    recorder = LoadRecorder(
      settings, isFirst: run.plan.steps.map { graph.predecessors(of: $0.index).isEmpty }, expectations: expectations)
  }

  /// Carries out the load test, and returns when the last repetition has ended. Call this function only once.
  package func start() async -> Run.Report {
    beganAt = configuration.clock()
    await first.announce(load: schedule.settings)
    if let deadline = configuration.pace.deadline {
      deadlineTimer = transport.perform(after: deadline) { [weak self] in self?.assumeIsolated { $0.isOutOfTime(deadline) } }
    }
    tickLater()
    await withCheckedContinuation { continuation in
      stage.begins(until: continuation)
      pump()
    }
    for timer in [timer, ticker, deadlineTimer] { timer?.cancel() }
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

  // MARK: Repetitions

  /// Begins all repetitions that are due. After ``beginsPerTurn`` repetitions, it lets the engine process network events before it
  /// continues.
  private func pump() {
    guard !stage.isPumping, !stage.hasEnded else { return }
    stage.isPumping = true
    defer { stage.isPumping = false }
    timer?.cancel()
    timer = nil
    for _ in 0..<Self.beginsPerTurn {
      let now = now
      switch schedule.next(at: now) {
      case .begin(let intended): begin(intended: intended, at: now)
      case .wait(let time):
        timer = transport.perform(after: time - now) { [weak self] in self?.assumeIsolated { $0.pump() } }
        return
      case .waitForEnd: return
      case .done:
        if schedule.underWay == 0 { stage.end() }
        return
      }
    }
    transport.perform { [weak self] in self?.assumeIsolated { $0.pump() } }
  }

  private func begin(intended: Duration, at now: Duration) {
    let user = idle.popLast() ?? newUser()
    let run = repetitions.make(schedule.begun, by: user, explainsFailures: recorder.wantsSamples)
    user.begins(run, intended: intended, at: now)
    recorder.began(lateness: user.lateness)
    let actions = repetitions.firstActions
    run.assumeIsolated { run in
      run.startCalled(actions) { [weak self] in self?.assumeIsolated { $0.ended(user) } }
    }
  }

  private func newUser() -> LoadUser {
    let user = LoadUser(JarSet(like: first.stores.jars), Redactor(for: configuration.redactor), of: self)
    users.append(user)
    return user
  }

  private func ended(_ user: LoadUser) {
    let now = now
    recorder.ended(after: now - user.intended, hasFailed: user.hasFailed, elapsed: now)
    if let counts = user.run?.assumeIsolated({ $0.summary.requestCount }) { summary.requestCount += counts }
    let hasFailed = user.hasFailed
    user.ends()
    idle.append(user)
    schedule.ended()
    if hasFailed, let most = configuration.pace.maxFailures, recorder.load.failed >= most, !schedule.isStopped {
      schedule.stop()
      summary.stoppedEarly = most == 1 ? "a repetition failed" : "\(most) repetitions failed"
    }
    pump()
  }

  /// Adds a result to the measurements. Returns whether the result is kept as a sample of a new kind of error.
  func record(_ result: StepResult, by user: LoadUser) -> Bool { recorder.record(result, lateness: user.lateness) }

  /// Passes a notice of a repetition to the observers, unless an earlier repetition had the same notice.
  func pass(_ notice: Diagnostic) { if recorder.isNew(notice.message) { tell(.notice(notice)) } }

  // MARK: Stopping

  private func interrupted(_ signal: String) {
    guard !stage.hasEnded, summary.interruptedBy == nil else { return }
    summary.interruptedBy = signal
    tell(.interrupted(signal: signal, at: now))
    stopRepetitions { $0.interrupted(signal) }
  }

  private func isOutOfTime(_ deadline: Duration) {
    guard !stage.hasEnded, summary.interruptedBy == nil else { return }
    summary.isOutOfTime = true
    summary.stoppedEarly = StopReason.deadline(deadline).inWords
    stopRepetitions { $0.post(.stop(.deadline(deadline))) }
  }

  private func aborted() {
    guard !stage.hasEnded else { return }
    summary.interruptedBy = summary.interruptedBy ?? "SIGINT"
    stopRepetitions { $0.aborted() }
  }

  private func stopRepetitions(_ body: @Sendable (isolated Run) -> Void) {
    schedule.stop()
    for user in users { user.run?.assumeIsolated(body) }
    pump()
  }

  // MARK: Figures

  private func tickLater() {
    ticker = transport.perform(after: .seconds(1)) { [weak self] in self?.assumeIsolated { $0.tick() } }
  }

  private func tick() {
    guard !stage.hasEnded else { return }
    let now = now
    let load = recorder.load
    let passed = (now - lastTick.at) / .seconds(1)
    tell(
      .loadProgressed(
        LoadProgress(
          elapsed: now, ended: load.ended, failed: load.failed, late: load.late,
          perSecond: passed > 0 ? Double(load.ended - lastTick.ended) / passed : 0, latency: load.latency)))
    lastTick = (now, load.ended)
    tickLater()
  }

  private func tell(_ event: RunEvent) { for observer in observers { observer.receive(event) } }

  private func finish() async -> Run.Report {
    let load = recorder.load
    for result in await first.results(of: load) {
      let requests = summary.requestCount
      summary.count(result)
      summary.requestCount = requests
      tell(.stepEnded(result))
    }
    summary.requestCount = load.requests
    summary.sumOfStepTimes = .zero
    summary.load = load
    summary.fileErrors = await first.stores.jars.writeBack()
    for error in summary.fileErrors { tell(.notice(error)) }
    summary.wallTime = now
    tell(.runEnded(summary))
    return Run.Report(summary: summary, prints: [])
  }
}

/// Whether a load test is starting repetitions or has ended, and the caller that waits for its end.
struct LoadStage {
  /// Whether repetitions are being started. A repetition that ends immediately while this is true does not start another repetition
  /// recursively.
  var isPumping = false
  /// Whether the final repetition of the load test has ended.
  private(set) var hasEnded = false
  private var continuation: CheckedContinuation<Void, Never>?

  mutating func begins(until continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }

  mutating func end() {
    hasEnded = true
    continuation?.resume()
    continuation = nil
  }
}
