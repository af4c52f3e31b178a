import GarlandPlanner
import GarlandResults

/// The state in which a run of a plan begins, apart from its values: made once for all runs of the plan.
///
/// `@unchecked Sendable`: a value without a step at work, which each run copies; what it refers to is the plan's, or used only on the thread
/// of the runs.
struct RunFrame: @unchecked Sendable {
  let hosts: Hosts
  let detail: RunDetail
  let builder: RequestBuilder
  let identities: [StepIdentity]
  let resources: SharedResources
  let ledger: StepLedger
  let work: StepsAtWork
  private(set) var traits: StepTraitsTable
  /// The steps that name the URL of each step that listens.
  let listenersCallers: [Int: [Int]]
  let origins: RunOrigins
  let scheduler: Scheduler
  /// The beginning of the first run.
  let runBegan = ContinuousClock.now

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
      concurrency: configuration.concurrency, perOrigin: configuration.perOrigin, isSerial: configuration.isSerial,
      order: configuration.shuffleSeed.map { .shuffled(seed: $0) } ?? (configuration.isSerial ? .file : .longestPath),
      maxFailures: configuration.maxFailures, heldBytes: configuration.heldBytes, borrowsResources: caller?.hasResources == false)
    let resources = SharedResources(plan)
    self.resources = caller?.hasResources == true ? resources.oneOfEach : resources
    scheduler = Scheduler(
      graph: ScheduleGraph(plan, weights: configuration.expectedDurations, origins: hints, resources: self.resources), policy: policy)
  }

  /// Computes the traits of all steps now, and not again in each run.
  mutating func prepareTraits(of plan: Plan) {
    for planned in plan.steps { _ = traits.traits(of: planned.step, at: planned.index) }
  }
}
