import GarlandAuth
public import GarlandDiagnostics
import GarlandTransfer
import GarlandPlanner
public import GarlandResults
import GarlandWorkflow

/// A plan being carried out.
///
/// ```swift
/// let preparation = Run.prepare(plan, configuration)
/// guard let run = preparation.run else { return show(preparation.diagnostics) }   // nothing was sent, status 2
/// let report = await run.start()
/// exit(report.summary.exitStatus)
/// ```
/// It lives on the engine's thread, where responses arrive: between two requests there is no change of threads. Long work (large bodies, patterns, schemas, files) runs on other threads.
public actor Run {
  /// The outcome of a run.
  public struct Report: Sendable {
    /// The run in numbers.
    public var summary: RunSummary
    /// The text of each of ``RunConfiguration/prints``, or the reason why there is none.
    public var prints: [Result<String, PrintFailure>]
    /// The values that another run can use, by ``PlannedStep/address``: with ``RunConfiguration/keepsResults``.
    public var kept: [String: KeptStep] = [:]
  }

  /// Why an expression has no value after the run.
  public struct PrintFailure: Error, Sendable {
    /// The mistake, with its place.
    public let diagnostic: Diagnostic
    /// The exit status that follows, unless another reason takes precedence.
    public let exitStatus: Int32
  }

  let plan: Plan
  let configuration: RunConfiguration
  let transport: any Transport
  /// The executor of the run, read very often.
  private let executor: UnownedSerialExecutor
  let documents: [DocumentValues]
  let jars: JarSet
  let caches: CacheSet
  let builder: RequestBuilder
  let recorder: ExchangeRecorder
  let detail: RunDetail
  let identities: [StepIdentity]
  /// The resources that steps share.
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
  /// The state of hosts, shared with the run that called this one.
  let hosts: Hosts
  /// The notices that were shown already, so that a thousand similar steps show one.
  var noticed: Set<String> = []
  var summary = RunSummary()
  var tokenWaits = TokenWaits()
  /// Runs that walk a provider's pages.
  var innerRuns: [Run] = []
  /// The calling run, if this run is that of a called document.
  let caller: Caller?
  /// The runs of documents that steps call, by these steps.
  var calledRuns: [ObjectIdentifier: Run] = [:]
  var lending = Lending()
  var listeners: Listeners
  /// The folder for the body that is kept whole.
  var wholeBodyFolder: String?

  /// The engine's thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor }

  init(
    _ plan: Plan, _ configuration: RunConfiguration, transport: any Transport, documents: [DocumentValues], caller: Caller? = nil
  ) {
    let jars = JarSet(documentCount: plan.workflows.count, files: configuration.files.files, caller: caller?.run.jars)
    self.init(
      RunFrame(plan, configuration, documents, caller: caller), plan, configuration, transport: transport, documents: documents, jars: jars,
      caller: caller)
  }

  /// A run within a frame, which many runs of the plan can have in common.
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

  /// Carries out the plan and returns when every step has ended. Call it once.
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
    // Things that they have made at the provider are cleaned up, like those of this run's own
    // steps.
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

  /// Stops the run as Ctrl-C does: what runs is cancelled, nothing new starts but `always` and `cleanup` steps, and reports are complete.
  ///
  /// - Parameter signal: its name, such as `SIGINT`, which decides the exit status.
  public nonisolated func interrupt(signal: String) {
    configuration.interrupt.raise(.stop, signal: SignalName.number(of: signal))
    transport.perform { self.assumeIsolated { $0.interrupted(signal) } }
  }

  /// Ends the run at once, as a second Ctrl-C does: not even `cleanup` steps run any more. `start()` still returns, with what there is.
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

  /// Stops a run that belongs to another, for the same reason. After failures it continues to its
  /// end: steps that always run may need its token.
  func stop(_ reason: StopReason) {
    guard reason.cancelsTransfers else { return }
    if stage.hasStarted {
      post(.stop(reason))
    } else if !stage.isFinished {
      stage.stops(atStartFor: reason)
    }
  }

  /// Returns when `start()` has nothing more to do.
  func waitForEnd() async {
    guard !stage.hasEnded else { return }
    await withCheckedContinuation { stage.wait($0) }
  }

  /// The time since the run began.
  var now: Duration { configuration.clock() - beganAt }

  /// The number of steps that have begun and not ended.
  var activeCount: Int { work.steps.count { $0 != nil } }

  /// The number of steps with stored values.
  var keptCount: Int { ledger.keptCount }

  /// Returns the traits of a step's expectations.
  func traits(of planned: PlannedStep) -> StepTraits { traitsTable.traits(of: planned.step, at: planned.index) }

  /// The redirect to which a provider has sent its user.
  var capturedRedirect: String? { tokenWaits.capturedRedirect }
}
