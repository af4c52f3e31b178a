import GarlandDiagnostics
import GarlandJSON
import GarlandPlanner
import GarlandWorkflow

/// Creates the runs of a load test. Each run is one repetition of the plan. Everything that depends only on the plan is created once and
/// shared by all these runs.
struct RepetitionMaker {
  private let plan: Plan
  private let frame: RunFrame
  private let start: InitialState
  /// The first actions of the scheduler, which are the same in each repetition.
  let firstActions: [Scheduler.Action]
  let transport: any Transport
  private let configuration: RunConfiguration
  private let part: (number: Int, count: Int)
  private let documents: [DocumentValues]
  private let services: [EvaluationServices]
  /// For each document, the variables and other inputs that every repetition evaluates again; nil for a document whose values stay the
  /// same.
  private let uses: [InputUses?]
  private let inputs: RunInputs
  private let makesUpData: Bool

  /// Returns the current time of a clock that never goes backwards.
  var clock: @Sendable () -> Duration { configuration.clock }
  /// The redactor of the load test.
  var redactor: Redactor { configuration.redactor }

  /// Creates the state that all repetitions share.
  ///
  /// - Parameters:
  ///   - run: the prepared run of the plan, which is not started.
  ///   - part: the number of this machine among the machines that share the repetitions, and how many such machines there are.
  init(_ run: Run, _ part: (number: Int, count: Int)) {
    plan = run.plan
    transport = run.transport
    self.part = part
    documents = run.documents
    var configuration = run.configuration
    configuration.observers = []
    configuration.prints = []
    configuration.recording.wholeBodyOf = nil
    configuration.pace.deadline = nil
    configuration.pace.maxFailures = nil
    configuration.sending.diagnosesHosts = false
    configuration.reuse.kept = [:]
    self.configuration = configuration
    frame = RunFrame(plan, configuration, documents)
    var start = InitialState(plan, configuration, documents, frame)
    firstActions = start.startScheduler()
    self.start = start
    services = documents.map(\.services)
    uses = zip(documents, Run.inputUses(of: plan)).map { document, uses in
      guard !document.isFixed else { return nil }
      var uses = uses
      uses.close()
      return uses
    }
    inputs = RunInputs(environment: configuration.environment, secrets: configuration.secrets)
    makesUpData = plan.makesUpData
  }

  /// Creates the run of a repetition. The scheduler of the run has already been started; ``firstActions`` are the actions that the
  /// scheduler has returned.
  ///
  /// - Parameters:
  ///   - count: the number of the repetition on this machine, from 1.
  ///   - user: the user who carries out the repetition.
  ///   - explainsFailures: whether the result of a step that does not pass contains all details of its requests.
  func make(_ count: Int, by user: LoadUser, explainsFailures: Bool) -> Run {
    var configuration = configuration
    configuration.series = configuration.series.again((count - 1) * part.count + part.number)
    configuration.observers = [user]
    configuration.redactor = user.redactor
    configuration.explainsFailures = explainsFailures
    let documents = documents.indices.map { values(of: $0, configuration, user) }
    return Run(frame, start, plan, configuration, transport: transport, documents: documents, jars: user.jars)
  }

  private func values(of index: Int, _ configuration: RunConfiguration, _ user: LoadUser) -> DocumentValues {
    var services = services[index]
    services.runID = configuration.series.id
    services.iteration = configuration.series.iteration
    services.secrets = user.secrets
    // Each repetition generates different test data.
    if makesUpData { services.seed = EvaluationServices.seed(services.seed, for: "repetition", UInt64(configuration.series.iteration)) }
    guard let uses = uses[index] else { return DocumentValues(like: documents[index], services: services) }
    let longest = HeavyWork.longestBuilding
    let computation = Computation(
      patience: longest, interrupt: configuration.interrupt, limitInWords: "the time limit of \(longest.inWords)")
    return computation.run {
      DocumentValues(documents[index].workflow, uses: uses, inputs: inputs, services: services, given: configuration.givenInputs)
    }
  }
}
