import GarlandAuth
import GarlandDiagnostics
import GarlandTransfer
import GarlandPlanner
import GarlandResults

/// The execution of a plan.
///
/// ```swift
/// let preparation = Run.prepare(plan, configuration)
/// guard let run = preparation.run else { return show(preparation.diagnostics) }   // nothing was sent, status 2
/// let report = await run.start()
/// exit(report.summary.exitStatus)
/// ```
/// The run uses the engine's thread, where responses arrive, so that threads are never switched between two requests. Expensive work (large
/// bodies, patterns, schemas, files) runs on other threads.
package actor Run: TransportActor {
  /// The result of a run: its totals, the values for `--print`, and the values that another run can use.
  package struct Report: Sendable {
    /// The numbers of steps by outcome, and the other totals of the run.
    package var summary: RunSummary
    /// The values of the expressions in ``RunConfiguration/prints`` as text. The summary has an error for each expression without a value.
    package var prints: [String]
    /// The values that another run can use, by ``PlannedStep/address``. Empty unless ``RunConfiguration/Reuse/keepsResults`` is true.
    package var kept: [String: KeptStep] = [:]
  }

  let plan: Plan
  let configuration: RunConfiguration
  let transport: any Transport
  /// The executor of the engine's thread, stored here because it is read very often.
  private let executor: UnownedSerialExecutor
  let documents: [DocumentValues]
  let stores: Stores
  let recorder: ExchangeRecorder
  /// The caches and constant values that the run shares with other runs of the plan.
  private let frame: RunFrame

  var scheduler: Scheduler
  var queue = ActionQueue()
  var work: StepsAtWork
  var ledger: StepLedger
  var kept: KeptResults
  var stage: RunStage
  var summary = RunSummary()
  var output = Output()
  var logins = Logins()
  /// For the run of a called document, the calling run and its step; nil for any other run.
  let caller: Caller?
  var calls = Calls()
  var listeners: Listeners

  /// The executor of the engine's thread, on which this actor runs.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor }

  init(
    _ plan: Plan, _ configuration: RunConfiguration, transport: any Transport, documents: [DocumentValues], caller: Caller? = nil
  ) {
    let jars = JarSet(documentCount: plan.workflows.count, files: configuration.files, caller: caller?.run.stores.jars)
    let frame = RunFrame(plan, configuration, documents, caller: caller)
    self.init(
      frame, InitialState(plan, configuration, documents, frame, caller: caller), plan, configuration, transport: transport,
      documents: documents, jars: jars, caller: caller)
  }

  /// Creates a run from state that it shares with other runs of the same plan.
  init(
    _ frame: RunFrame, _ start: InitialState, _ plan: Plan, _ configuration: RunConfiguration, transport: any Transport,
    documents: [DocumentValues], jars: JarSet,
    caller: Caller? = nil
  ) {
    self.caller = caller
    self.plan = plan
    self.configuration = configuration
    self.transport = transport
    executor = transport.unownedExecutor
    self.documents = documents
    stores = Stores(jars: jars)
    self.frame = frame
    ledger = start.ledger
    kept = start.kept
    work = StepsAtWork(steps: start.steps)
    scheduler = start.scheduler
    listeners = Listeners(callers: frame.listenersCallers)
    stage = RunStage(beganAt: configuration.clock())
    recorder = ExchangeRecorder(
      detail: frame.detail, keptBodyBytes: configuration.recording.keptBodyBytes,
      runBegan: caller?.run.recorder.runBegan ?? ContinuousClock.now)
  }

  /// Executes the plan and returns when every step has ended. Call this function only once.
  package func start() async -> Report {
    announce()
    joinHosts()
    if let deadline = configuration.pace.deadline, let limit = configuration.pace.timeLimit {
      if limit == .zero { stage.stops(atStartFor: .deadline(deadline)) }
      stage.deadlineTimer = transport.perform(after: limit) { [weak self] in
        self?.assumeIsolated { $0.isOutOfTime(deadline) }
      }
    }
    openPorts()
    await withCheckedContinuation { continuation in
      stage.begins(until: continuation)
      if let reason = stage.stopAtStart { post(.stop(reason)) }
      perform(scheduler.start())
    }
    await fetchPrintedTokens()
    // Objects that these runs have created at the provider are cleaned up, like those of this run's own steps.
    for run in logins.runs { await run.waitForEnd() }
    removeWholeBodyFolder()
    assert(scheduler.hasAllSlots, "a slot was not given back")
    stage.deadlineTimer?.cancel()
    leaveHosts()
    let prints = configuration.prints.compactMap(evaluate)
    for error in await stores.jars.writeBack() { summary.add(error) }
    for error in summary.runErrors { tell(.notice(error)) }
    summary.wallTime = now
    tell(.runEnded(summary))
    stage.end()
    let kept = kept.result(of: plan, ledger.outcomes) { !stores.jars.shared(by: $0.workflowIndex).cookies.isEmpty }
    return Report(summary: summary, prints: prints, kept: kept)
  }

  /// Stops the run in the same way as Ctrl-C: running steps are cancelled, only `always` and `cleanup` steps still start, and reports are
  /// complete.
  ///
  /// - Parameter signal: the signal's name, such as `SIGINT`, which determines the exit status.
  package nonisolated func interrupt(signal: String) {
    configuration.interrupt.raise(.stop, signal: SignalName.number(of: signal))
    transport.perform { self.assumeIsolated { $0.interrupted(signal) } }
  }

  /// Ends the run immediately, in the same way as a second Ctrl-C. Even `cleanup` steps do not run any more. `start()` still returns a
  /// report of the steps that have run.
  package nonisolated func abort() {
    configuration.interrupt.raise(.abort)
    transport.perform { self.assumeIsolated { $0.aborted() } }
  }

  func interrupted(_ signal: String) {
    guard !stage.isFinished || logins.waits.isAwaited else { return }
    if summary.earlyEnd?.cause != .interrupt { tell(.interrupted(signal: signal, at: now)) }
    summary.endedEarly(EarlyEnd(.interrupt, signal))
    if stage.isFinished {
      for run in logins.runs { run.interrupt(signal: signal) }
      logins.waits.arrived(.failure(.cancelled))
      return
    }
    post(.stop(.interrupt(signal: signal)))
  }

  func isOutOfTime(_ deadline: Duration) {
    if stage.isFinished {
      logins.waits.arrived(.failure(.timeUp(StopReason.deadline(deadline).inWords)))
    } else {
      post(.stop(.deadline(deadline)))
    }
  }

  func aborted() {
    guard !stage.isFinished || logins.waits.isAwaited else { return }
    stage.isAborted = true
    for run in logins.runs { run.abort() }
    summary.endedEarly(EarlyEnd(.interrupt, "SIGINT"))
    if stage.isFinished {
      logins.waits.arrived(.failure(.cancelled))
      return
    }
    post(.abort)
  }

  /// Stops this inner run, such as a login, because the outer run is being stopped. If the reason is too many failures, does nothing: the
  /// outer run still executes its `always` and `cleanup` steps, which may need the token of the login.
  func stop(_ reason: StopReason) {
    guard reason.cancelsTransfers else { return }
    if stage.hasStarted {
      post(.stop(reason))
    } else if !stage.isFinished {
      stage.stops(atStartFor: reason)
    }
  }

  /// Waits until `start()` has finished all its work.
  func waitForEnd() async {
    guard !stage.hasEnded else { return }
    await withCheckedContinuation { stage.wait($0) }
  }

  /// The time since the start of the run.
  var now: Duration { configuration.clock() - stage.beganAt }

  nonisolated var hosts: Hosts { frame.hosts }
  nonisolated var detail: RunDetail { frame.detail }
  nonisolated var identities: [StepIdentity] { frame.identities }
  nonisolated var resources: SharedResources { frame.resources }
  var builder: RequestBuilder { frame.builder }
  var origins: RunOrigins { frame.origins }

  /// Returns the prepared checks of a step. The run needs them for each request of the step.
  func checks(of planned: PlannedStep) -> PreparedChecks { frame.checks(of: planned) }

  /// Returns the properties of a step's expectations, such as whether one of them is about the status.
  func traits(of planned: PlannedStep) -> StepTraits { checks(of: planned).traits }

  /// Returns the time limit for evaluating a step's values.
  func evaluationLimit(of planned: PlannedStep) -> EvaluationLimit { frame.evaluationLimit(of: planned) }

  /// The URL to which the provider redirected at the end of the login; nil if there was no such redirect.
  var capturedRedirect: String? { logins.waits.capturedRedirect }
}
