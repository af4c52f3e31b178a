import GarlandPlanner
import GarlandResults

/// The initial state that all runs of a plan share, apart from their values. It is created once and copied by each run.
///
/// `@unchecked Sendable`: the state contains no step in progress. The objects that it refers to belong to the plan, or are used only on the
/// thread of the runs.
struct RunFrame: @unchecked Sendable {
  let hosts: Hosts
  let detail: RunDetail
  let builder: RequestBuilder
  let identities: [StepIdentity]
  let resources: SharedResources
  let ledger: StepLedger
  let work: StepsAtWork
  private(set) var traits: StepTraitsTable
  /// For each listening step, the steps that use its URL and do not wait for the listening step.
  let listenersCallers: [Int: [Int]]
  let origins: RunOrigins
  let scheduler: Scheduler
  /// The time at which the first run began.
  let runBegan = ContinuousClock.now

  /// Creates the state in which the runs of a plan begin.
  ///
  /// - Parameter documents: the values of the plan's documents.
  init(_ plan: Plan, _ configuration: RunConfiguration, _ documents: [DocumentValues], caller: Caller? = nil) {
    hosts = caller?.run.hosts ?? Hosts()
    let detail = configuration.observers.reduce(RunDetail()) { $0.union($1.detail) }
    self.detail = detail
    builder = RequestBuilder(
      workingDirectory: configuration.workingDirectory, files: configuration.files, environment: configuration.environment,
      recordsSecurity: detail.contains(.fields))
    let contexts = documents.map { StepContext(document: $0, known: []) }
    identities = plan.steps.map { StepIdentity($0, in: contexts[$0.workflowIndex]) }
    ledger = StepLedger(plan, prints: configuration.prints, isCalled: caller != nil)
    work = StepsAtWork(count: plan.steps.count)
    traits = StepTraitsTable(count: plan.steps.count, common: detail.contains(.extracts) ? .keepsFound : [])
    listenersCallers = plan.listeners().mapValues(\.calling)
    var origins = RunOrigins(hosts)
    let hints = plan.steps.map { origins.number(of: $0, in: contexts[$0.workflowIndex]) }
    self.origins = origins
    let policy = SchedulerPolicy(
      concurrency: configuration.pace.concurrency, perOrigin: configuration.pace.perOrigin, isSerial: configuration.pace.isSerial,
      order: configuration.pace.shuffleSeed.map { .shuffled(seed: $0) } ?? (configuration.pace.isSerial ? .file : .longestPath),
      maxFailures: configuration.pace.maxFailures, heldBytes: configuration.pace.heldBytes, borrowsResources: caller?.hasResources == false)
    let resources = SharedResources(plan)
    self.resources = caller?.hasResources == true ? resources.oneOfEach : resources
    scheduler = Scheduler(
      graph: ScheduleGraph(plan, weights: configuration.pace.expectedDurations, origins: hints, resources: self.resources), policy: policy)
  }

  /// Computes the traits of all steps now, so that the runs need not compute them again.
  mutating func prepareTraits(of plan: Plan) {
    for planned in plan.steps { _ = traits.traits(of: planned.step, at: planned.index) }
  }
}
