import GarlandPlanner
import GarlandResults

/// The caches and constant values that all runs of a plan share. The values are the same in each of these runs, since they depend only on
/// the plan and on settings that the runs have in common.
///
/// `@unchecked Sendable`: the caches are used only on the thread of the runs. All else is constant.
final class RunFrame: @unchecked Sendable {
  /// The reachability of hosts. The run of a called document uses the same object as the calling run.
  let hosts: Hosts
  let detail: RunDetail
  let builder: RequestBuilder
  let identities: [StepIdentity]
  /// The named resources that the steps share, and how many steps may use each at the same time.
  let resources: SharedResources
  /// For each listening step, its callers: the steps that use the URL of the listening step and do not wait for the end of the listening
  /// step.
  let listenersCallers: [Int: [Int]]
  private(set) var origins: RunOrigins
  /// For each step, its prepared checks; nil until they are first needed.
  private var checks: [PreparedChecks?]
  /// For each step, the time limit for evaluating its values; nil until it is first needed.
  private var limits: [EvaluationLimit?]

  /// Creates the caches and constant values that all runs of a plan share.
  ///
  /// - Parameter documents: the values of the plan's documents.
  init(_ plan: Plan, _ configuration: RunConfiguration, _ documents: [DocumentValues], caller: Caller? = nil) {
    hosts = caller?.run.hosts ?? Hosts()
    let detail = configuration.observers.reduce(RunDetail()) { $0.union($1.detail) }
    self.detail = detail
    builder = RequestBuilder(
      workingDirectory: configuration.workingDirectory, files: configuration.files, environment: configuration.environment,
      recordsSecurity: detail.contains(.fields))
    identities = plan.steps.map { StepIdentity($0, in: StepContext(document: documents[$0.workflowIndex], known: [])) }
    let resources = SharedResources(plan)
    self.resources = caller?.hasResources == true ? resources.oneOfEach : resources
    listenersCallers = plan.listeners().mapValues(\.calling)
    origins = RunOrigins(hosts)
    checks = Array(repeating: nil, count: plan.steps.count)
    limits = Array(repeating: nil, count: plan.steps.count)
  }

  /// Returns the prepared checks of a step, from a cache.
  func checks(of planned: PlannedStep) -> PreparedChecks {
    if let checks = checks[planned.index] { return checks }
    let prepared = PreparedChecks(of: planned.step, common: detail.contains(.extracts) ? .keepsFound : [])
    checks[planned.index] = prepared
    return prepared
  }

  /// Returns the time limit for evaluating a step's values, from a cache.
  func evaluationLimit(of planned: PlannedStep) -> EvaluationLimit {
    if let limit = limits[planned.index] { return limit }
    let limit = EvaluationLimit(of: planned.step)
    limits[planned.index] = limit
    return limit
  }

  /// Returns the number that identifies the origin of a step's request; nil if the origin is not known before the run.
  func origin(of planned: PlannedStep, in context: StepContext) -> Int? { origins.number(of: planned, in: context) }
}

/// The state with which a run begins: its scheduler, its list of outcomes, and the values that it takes from an earlier run. Each run
/// changes its own copy of this state.
struct InitialState: Sendable {
  private(set) var scheduler: Scheduler
  let ledger: StepLedger
  let kept: KeptResults
  /// A list that contains nil for each step, since no step is in progress when a run begins. Each run copies this list, which is faster
  /// than creating a new one.
  let steps: [ActiveStep?]

  init(_ plan: Plan, _ configuration: RunConfiguration, _ documents: [DocumentValues], _ frame: RunFrame, caller: Caller? = nil) {
    ledger = StepLedger(plan, prints: configuration.prints, isCalled: caller != nil)
    kept = KeptResults(plan, configuration)
    steps = Array(repeating: nil, count: plan.steps.count)
    let pace = configuration.pace
    let policy = SchedulerPolicy(
      concurrency: pace.concurrency, perOrigin: pace.perOrigin, isSerial: pace.isSerial,
      order: pace.shuffleSeed.map { .shuffled(seed: $0) } ?? (pace.isSerial ? .file : .longestPath),
      maxFailures: pace.maxFailures, heldBytes: pace.heldBytes, borrowsResources: caller?.hasResources == false)
    let contexts = documents.map { StepContext(document: $0, known: []) }
    let origins = plan.steps.map { frame.origin(of: $0, in: contexts[$0.workflowIndex]) }
    scheduler = Scheduler(
      graph: ScheduleGraph(plan, weights: pace.expectedDurations, origins: origins, resources: frame.resources), policy: policy)
  }

  /// Starts the scheduler, and returns its first actions. Each run that begins with a copy of this state must carry out these actions.
  mutating func startScheduler() -> [Scheduler.Action] { scheduler.start() }
}
