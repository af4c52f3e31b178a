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
/// It lives on the engine's thread, where responses arrive: between two requests there is no change of threads. What takes long (large bodies, patterns,
/// schemas, files) is done elsewhere.
public actor Run {
  /// What a run leaves behind.
  public struct Report: Sendable {
    /// The run in numbers.
    public var summary: RunSummary
    /// For each of ``RunConfiguration/prints`` its text, or why there is none.
    public var prints: [Result<String, PrintFailure>]
  }

  /// Why an expression has no value after the run.
  public struct PrintFailure: Error, Sendable {
    /// What went wrong, with its place.
    public let diagnostic: Diagnostic
    /// What the command ends with because of it, unless something else weighs more.
    public let exitStatus: Int32
  }

  let plan: Plan
  let configuration: RunConfiguration
  let engine: Engine
  let documents: [DocumentValues]
  let jars: JarSet
  let caches: CacheSet
  let builder: RequestBuilder
  let recorder: ExchangeRecorder
  let detail: RunDetail
  let identities: [StepIdentity]
  /// The indexes of the steps whose values each step uses, each once.
  let sources: [[StepSource]]
  /// What steps share.
  let resources: SharedResources
  /// Steps that a print names: all of their response is kept.
  let printed: Set<Int>
  let beganAt: Duration

  var scheduler: Scheduler
  var actions: [Scheduler.Action] = []
  var isCarryingOut = false
  var origins: RunOrigins
  var active: [ActiveStep?]
  /// Loops at work, by their steps.
  var loops: [Int: ActiveLoop] = [:]
  var readyAt: [Duration]
  /// Of each step, once it has sent.
  private var knownTraits: [StepTraits]
  /// Those that were found out last, and of which step.
  private var lastTraits: (step: Step, traits: StepTraits)?
  var outcomes: [Outcome?]
  var stored: [StoredStep?]
  /// How many of those that use a step's values have not ended.
  var userCounts: [Int32]
  /// Steps that may begin as soon as the observers have caught up.
  var heldBack: [Int] = []
  /// Loops whose next items may begin then.
  var heldBackLoops: [ActiveLoop] = []
  var isWaitingForObservers = false
  var isAborted = false
  /// What is known of hosts, in common with the run that called this one.
  let hosts: Hosts
  /// What was told already, so that a thousand alike steps tell it once.
  var noticed: Set<String> = []
  var deadlineTimer: ScheduledAction?
  var summary = RunSummary()
  /// Where a provider has sent its user back to.
  var capturedRedirect: String?
  /// Runs that walk a provider's pages.
  var innerRuns: [Run] = []
  /// Why there is no token, by the entry; kept for prints.
  var tokenFailures: [TokenPlace: Ending] = [:]
  /// Waits for a token that is to be printed, when every step has ended.
  var tokenWaiter: CheckedContinuation<Result<Void, OAuthError>, Never>?
  /// Why a run is to stop that has not started.
  private var stopAtStart: StopReason?
  /// Whether `start()` has nothing more to do, and who waits for that.
  private(set) var hasEnded = false
  private var endWaiters: [CheckedContinuation<Void, Never>] = []
  var finishing: CheckedContinuation<Void, Never>?
  /// Who has called this run, if it is that of a called document.
  let caller: Caller?
  /// Called when every step has ended, in a run that was called.
  var whenFinished: (@Sendable () -> Void)?
  /// Slots that steps of called documents wait for, by their ticket.
  var slotRequests: [Int: SlotRequest] = [:]
  /// Loans of resources that documents called by this one wait for.
  var loanRequests: [Int: @Sendable () -> Void] = [:]
  var nextTicket = 0
  var isFinished = false
  /// Steps that listen.
  var listeners: [Int: StepListener] = [:]
  /// Those whose URL a step names, by that step.
  var listenersByCaller: [Int: [Int]] = [:]
  /// Whose port each is.
  var listenPorts: [Int: Int] = [:]
  var listenServer: ListenServer?
  let listenRouter = ListenRouter()
  /// Where the body lies that is to be had whole.
  var wholeBodyFolder: String?

  /// The engine's thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { engine.unownedExecutor }

  init(
    _ plan: Plan, _ configuration: RunConfiguration, engine: Engine, documents: [DocumentValues], caller: Caller? = nil
  ) {
    self.caller = caller
    hosts = caller?.run.hosts ?? Hosts()
    self.plan = plan
    self.configuration = configuration
    self.engine = engine
    self.documents = documents
    let count = plan.steps.count
    detail = configuration.observers.reduce([]) { $0.union($1.detail) }
    jars = JarSet(
      documentCount: plan.workflows.count, files: configuration.files.files, caller: caller?.run.jars)
    caches = CacheSet()
    builder = RequestBuilder(
      workingDirectory: configuration.workingDirectory, files: configuration.files, environment: configuration.environment,
      recordsSecurity: detail.contains(.fields))
    let contexts = documents.map { StepContext(document: $0, known: []) }
    identities = plan.steps.map { StepIdentity($0, in: contexts[$0.workflowIndex]) }
    sources = Run.sources(of: plan)
    userCounts = Run.userCounts(of: sources, plan, prints: configuration.prints, isCalled: caller != nil)
    printed = Set(
      configuration.prints.flatMap { print in
        print.template.expressions.flatMap(\.stepOrdinals).compactMap { plan.step($0, of: print.workflow)?.index }
      })
    active = Array(repeating: nil, count: count)
    readyAt = Array(repeating: .zero, count: count)
    knownTraits = Array(repeating: [], count: count)
    outcomes = Array(repeating: nil, count: count)
    stored = Array(repeating: nil, count: count)
    var origins = RunOrigins(hosts)
    let hints = plan.steps.map { origins.number(of: $0, in: contexts[$0.workflowIndex]) }
    self.origins = origins
    let policy = SchedulerPolicy(
      concurrency: configuration.concurrency, perOrigin: configuration.perOrigin, isSerial: configuration.isSerial,
      order: configuration.shuffleSeed.map { .shuffled(seed: $0) } ?? (configuration.isSerial ? .file : .longestPath),
      maxFailures: configuration.maxFailures, heldBytes: configuration.heldBytes, borrowsResources: caller?.hasResources == false)
    let resources = SharedResources(plan)
    self.resources = caller?.hasResources == true ? resources.oneOfEach : resources
    scheduler = Scheduler(
      graph: ScheduleGraph(plan, weights: configuration.expectedDurations, origins: hints, resources: self.resources), policy: policy)
    beganAt = configuration.clock()
    recorder = ExchangeRecorder(
      detail: detail, keptBodyBytes: configuration.keptBodyBytes, runBegan: caller?.run.recorder.runBegan ?? .now)
    for (index, users) in plan.listeners() {
      listeners[index] = StepListener(callers: users.calling)
      for caller in users.calling { listenersByCaller[caller, default: []].append(index) }
    }
  }

  /// Carries out the plan and returns when every step has ended. Call it once.
  public func start() async -> Report {
    announce()
    hosts.began(self)
    if let deadline = configuration.deadline {
      deadlineTimer = engine.schedule(after: deadline) { [weak self] in
        self?.assumeIsolated { $0.isOutOfTime(deadline) }
      }
    }
    openPorts()
    await withCheckedContinuation { continuation in
      finishing = continuation
      perform(scheduler.start())
      if let reason = stopAtStart, !isFinished { post(.stop(reason)) }
    }
    await fetchPrintedTokens()
    // What they have made at the provider is cleaned up, as what the steps of this run have made.
    for run in innerRuns { await run.waitForEnd() }
    removeWholeBodyFolder()
    assert(scheduler.hasAllSlots, "a slot was not given back")
    deadlineTimer?.cancel()
    hosts.ended(self)
    let prints = configuration.prints.map(evaluate)
    summary.fileErrors = await jars.writeBack()
    for error in summary.fileErrors { tell(.notice(error)) }
    summary.wallTime = now
    tell(.runEnded(summary))
    hasEnded = true
    for waiter in endWaiters { waiter.resume() }
    endWaiters = []
    return Report(summary: summary, prints: prints)
  }

  /// Stops the run as Ctrl-C does: what runs is cancelled, nothing new starts but `always` and `cleanup` steps, and reports are complete.
  ///
  /// - Parameter signal: its name, such as `SIGINT`, which decides the exit status.
  public nonisolated func interrupt(signal: String) {
    configuration.interrupt.raise(.stop, signal: SignalName.number(of: signal))
    engine.perform { self.assumeIsolated { $0.interrupted(signal) } }
  }

  /// Ends the run at once, as a second Ctrl-C does: not even `cleanup` steps run any more. `start()` still returns, with what there is.
  public nonisolated func abort() {
    configuration.interrupt.raise(.abort)
    engine.perform { self.assumeIsolated { $0.aborted() } }
  }

  func interrupted(_ signal: String) {
    guard !isFinished || tokenWaiter != nil else { return }
    if summary.interruptedBy == nil {
      summary.interruptedBy = signal
      tell(.interrupted(signal: signal, at: now))
    }
    if isFinished {
      for run in innerRuns { run.interrupt(signal: signal) }
      tokenArrived(.failure(.cancelled))
      return
    }
    post(.stop(.interrupt(signal: signal)))
  }

  func isOutOfTime(_ deadline: Duration) {
    if isFinished {
      tokenArrived(.failure(.timeUp(StopReason.deadline(deadline).inWords)))
    } else {
      post(.stop(.deadline(deadline)))
    }
  }

  func aborted() {
    guard !isFinished || tokenWaiter != nil else { return }
    isAborted = true
    for run in innerRuns { run.abort() }
    if isFinished {
      if summary.interruptedBy == nil { summary.interruptedBy = "SIGINT" }
      tokenArrived(.failure(.cancelled))
      return
    }
    if summary.interruptedBy == nil { summary.interruptedBy = "SIGINT" }
    post(.abort)
  }

  /// Stops a run that belongs to another, for the same reason. After failures it goes on to its end: what runs always may need its token.
  func stop(_ reason: StopReason) {
    guard reason.cancelsTransfers else { return }
    if finishing != nil {
      post(.stop(reason))
    } else if !isFinished {
      stopAtStart = stopAtStart ?? reason
    }
  }

  /// Returns when `start()` has nothing more to do.
  func waitForEnd() async {
    guard !hasEnded else { return }
    await withCheckedContinuation { endWaiters.append($0) }
  }

  /// The time since the run began.
  var now: Duration { configuration.clock() - beganAt }

  /// How many steps have begun and not ended.
  var activeCount: Int { active.count { $0 != nil } }

  /// What a step's expectations come to.
  func traits(of planned: PlannedStep) -> StepTraits {
    let known = knownTraits[planned.index]
    if known.contains(.isKnown) { return known }
    let step = planned.step
    let traits: StepTraits
    if let last = lastTraits, StepTraits.areSame(last.step, step) { traits = last.traits } else { traits = StepTraits(of: step) }
    lastTraits = (step, traits)
    knownTraits[planned.index] = traits
    return traits
  }

  // MARK: Preparing

  private static func sources(of plan: Plan) -> [[StepSource]] {
    plan.steps.map { planned in
      var sources: [StepSource] = []
      for reference in planned.step.references where reference.target != planned.step.ordinal && reference.member != .address {
        guard let source = plan.step(reference.target, of: planned.workflowIndex)?.index else { continue }
        let ordinal = Int32(reference.target)
        if !sources.contains(where: { $0.ordinal == ordinal }) { sources.append(StepSource(index: Int32(source), ordinal: ordinal)) }
      }
      return sources
    }
  }

  private static func userCounts(of sources: [[StepSource]], _ plan: Plan, prints: [RunPrint], isCalled: Bool) -> [Int32] {
    var counts = [Int32](repeating: 0, count: plan.steps.count)
    for list in sources { for source in list { counts[Int(source.index)] += 1 } }
    for ordinal in isCalled ? plan.workflows.first?.outputs.flatMap(\.stepOrdinals) ?? [] : [] {
      if let step = plan.step(ordinal, of: 0) { counts[step.index] += 1 }
    }
    for print in prints {
      for ordinal in print.template.expressions.flatMap(\.stepOrdinals) {
        if let step = plan.step(ordinal, of: print.workflow) { counts[step.index] += 1 }
      }
    }
    return counts
  }
}

/// A step whose values another one uses.
struct StepSource {
  /// Its index in the plan.
  let index: Int32
  /// The ordinal by which the document of the other knows it.
  let ordinal: Int32
}

extension Template {
  /// Its expressions, in order.
  var expressions: [Expression] {
    switch content {
    case .constant: []
    case .expression(let expression): [expression]
    case .text(let pieces):
      pieces.compactMap { if case .expression(let expression) = $0 { expression } else { nil } }
    }
  }
}

extension Workflow {
  /// Its name, or that of its file.
  var shownName: String { name?.value ?? baseName }

  /// The name of its file without folder and extension.
  var baseName: String {
    let name = file.name.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return String(name) }
    return String(name[..<dot])
  }
}
