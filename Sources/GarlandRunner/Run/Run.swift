import GarlandAuth
public import GarlandDiagnostics
import GarlandTransfer
import GarlandPlanner
public import GarlandResults
import GarlandWorkflow

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
public actor Run {
  /// The result of a run.
  public struct Report: Sendable {
    /// The totals of the run.
    public var summary: RunSummary
    /// The text of each of ``RunConfiguration/prints``, or the reason why it has no value.
    public var prints: [Result<String, PrintFailure>]
    /// The values that another run can use, by ``PlannedStep/address``. Empty unless ``RunConfiguration/keepsResults`` is true.
    public var kept: [String: KeptStep] = [:]
  }

  /// The reason why an expression has no value after the run.
  public struct PrintFailure: Error, Sendable {
    /// The mistake, with its place.
    public let diagnostic: Diagnostic
    /// The exit status for this failure, unless another reason takes precedence.
    public let exitStatus: Int32
  }

  let plan: Plan
  let configuration: RunConfiguration
  let transport: any Transport
  /// The executor of the run. It is stored because it is read very often.
  private let executor: UnownedSerialExecutor
  let documents: [DocumentValues]
  let jars: JarSet
  let caches: CacheSet
  let builder: RequestBuilder
  let recorder: ExchangeRecorder
  let detail: RunDetail
  let identities: [StepIdentity]
  /// The resources that the steps share.
  let resources: SharedResources
  let beganAt: Duration

  var scheduler: Scheduler
  var queue = ActionQueue()
  var origins: RunOrigins
  var work: StepsAtWork
  var ledger: StepLedger
  var kept: KeptResults
  private var traitsTable: StepTraitsTable
  var stage = RunStage()
  /// The state of hosts, shared with the calling run.
  let hosts: Hosts
  /// The notices that have been shown. They are recorded so that a thousand similar steps do not show the same notice a thousand
  /// times.
  var noticed: Set<String> = []
  var summary = RunSummary()
  var tokenWaits = TokenWaits()
  /// The runs of `authorize` steps on a provider's pages.
  var innerRuns: [Run] = []
  /// The calling run; nil unless this is the run of a called document.
  let caller: Caller?
  /// The runs of called documents, by the steps that call them.
  var calledRuns: [ObjectIdentifier: Run] = [:]
  var lending = Lending()
  var listeners: Listeners
  /// The folder for the body that is kept completely; nil if no body is kept.
  var wholeBodyFolder: String?

  /// The executor of the engine's thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor }

  init(
    _ plan: Plan, _ configuration: RunConfiguration, transport: any Transport, documents: [DocumentValues], caller: Caller? = nil
  ) {
    let jars = JarSet(documentCount: plan.workflows.count, files: configuration.files.files, caller: caller?.run.jars)
    self.init(
      RunFrame(plan, configuration, documents, caller: caller), plan, configuration, transport: transport, documents: documents, jars: jars,
      caller: caller)
  }

  /// Creates a run from a frame, which many runs of the plan can share.
  init(
    _ frame: RunFrame, _ plan: Plan, _ configuration: RunConfiguration, transport: any Transport, documents: [DocumentValues], jars: JarSet,
    caller: Caller? = nil
  ) {
    self.caller = caller
    self.plan = plan
    self.configuration = configuration
    self.transport = transport
    executor = transport.unownedExecutor
    self.documents = documents
    self.jars = jars
    caches = CacheSet()
    hosts = frame.hosts
    detail = frame.detail
    builder = frame.builder
    identities = frame.identities
    ledger = frame.ledger
    kept = KeptResults(plan, configuration)
    work = frame.work
    traitsTable = frame.traits
    listeners = Listeners(callers: frame.listenersCallers)
    origins = frame.origins
    resources = frame.resources
    scheduler = frame.scheduler
    beganAt = configuration.clock()
    recorder = ExchangeRecorder(
      detail: detail, keptBodyBytes: configuration.keptBodyBytes, runBegan: caller?.run.recorder.runBegan ?? frame.runBegan)
  }

  /// Executes the plan and returns when every step has ended. Call this function only once.
  public func start() async -> Report {
    announce()
    joinHosts()
    if let deadline = configuration.deadline {
      stage.deadlineTimer = transport.perform(after: deadline) { [weak self] in
        self?.assumeIsolated { $0.isOutOfTime(deadline) }
      }
    }
    openPorts()
    await withCheckedContinuation { continuation in
      stage.begins(until: continuation)
      perform(scheduler.start())
      if let reason = stage.stopAtStart, !stage.isFinished { post(.stop(reason)) }
    }
    await fetchPrintedTokens()
    // Objects that these runs have created at the provider are cleaned up, like those of this run's own steps.
    for run in innerRuns { await run.waitForEnd() }
    removeWholeBodyFolder()
    assert(scheduler.hasAllSlots, "a slot was not given back")
    stage.deadlineTimer?.cancel()
    leaveHosts()
    let prints = configuration.prints.map(evaluate)
    summary.fileErrors = await jars.writeBack()
    for error in summary.fileErrors { tell(.notice(error)) }
    summary.wallTime = now
    tell(.runEnded(summary))
    stage.end()
    let kept = kept.result(of: plan, ledger.outcomes) { !jars.shared(by: $0.workflowIndex).cookies.isEmpty }
    return Report(summary: summary, prints: prints, kept: kept)
  }

  /// Stops the run in the same way as Ctrl-C: running steps are cancelled, only `always` and `cleanup` steps still start, and reports are
  /// complete.
  ///
  /// - Parameter signal: the signal's name, such as `SIGINT`, which determines the exit status.
  public nonisolated func interrupt(signal: String) {
    configuration.interrupt.raise(.stop, signal: SignalName.number(of: signal))
    transport.perform { self.assumeIsolated { $0.interrupted(signal) } }
  }

  /// Ends the run at once, in the same way as a second Ctrl-C. Even `cleanup` steps do not run any more. `start()` still returns a report
  /// of the steps that have run.
  public nonisolated func abort() {
    configuration.interrupt.raise(.abort)
    transport.perform { self.assumeIsolated { $0.aborted() } }
  }

  func interrupted(_ signal: String) {
    guard !stage.isFinished || tokenWaits.isAwaited else { return }
    if summary.interruptedBy == nil {
      summary.interruptedBy = signal
      tell(.interrupted(signal: signal, at: now))
    }
    if stage.isFinished {
      for run in innerRuns { run.interrupt(signal: signal) }
      tokenWaits.arrived(.failure(.cancelled))
      return
    }
    post(.stop(.interrupt(signal: signal)))
  }

  func isOutOfTime(_ deadline: Duration) {
    if stage.isFinished {
      tokenWaits.arrived(.failure(.timeUp(StopReason.deadline(deadline).inWords)))
    } else {
      post(.stop(.deadline(deadline)))
    }
  }

  func aborted() {
    guard !stage.isFinished || tokenWaits.isAwaited else { return }
    stage.isAborted = true
    for run in innerRuns { run.abort() }
    if stage.isFinished {
      if summary.interruptedBy == nil { summary.interruptedBy = "SIGINT" }
      tokenWaits.arrived(.failure(.cancelled))
      return
    }
    if summary.interruptedBy == nil { summary.interruptedBy = "SIGINT" }
    post(.abort)
  }

  /// Stops an inner run for the same reason as the run that it belongs to. If the reason is the number of failures, the inner run is not
  /// stopped, since steps that always run may need its token.
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
  var now: Duration { configuration.clock() - beganAt }

  /// The number of steps that are in progress.
  var activeCount: Int { work.steps.count { $0 != nil } }

  /// The number of steps with stored values.
  var keptCount: Int { ledger.keptCount }

  /// Returns the traits of a step's expectations.
  func traits(of planned: PlannedStep) -> StepTraits { traitsTable.traits(of: planned.step, at: planned.index) }

  /// The redirect with which the provider ended the login; nil if there was none.
  var capturedRedirect: String? { tokenWaits.capturedRedirect }
}
