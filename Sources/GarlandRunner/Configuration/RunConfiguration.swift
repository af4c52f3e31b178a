public import GarlandDiagnostics
public import GarlandJSON
public import GarlandTransfer
public import GarlandResults
public import GarlandWorkflow

/// The input of a run beside its plan: limits, values from outside, and observers.
///
/// ```swift
/// var configuration = RunConfiguration(environment: ProcessInfo.processInfo.environment, workingDirectory: "/work", files: files)
/// configuration.maxFailures = 1   // --fail-fast
/// configuration.observers = [console]
/// ```
public struct RunConfiguration: Sendable {
  /// Transfers at once. Default: 16.
  public var concurrency = 16
  /// Transfers at once to one origin. Default: 6.
  public var perOrigin = 6
  /// Whether steps run one after another, in the order of the documents as far as dependencies allow. Default: false.
  public var isSerial = false
  /// Starts steps in a random valid order, which follows from the seed. Default: nil, the longest remaining path first.
  public var shuffleSeed: UInt64?
  /// The seed of made-up data such as `fake_name()`. Default: 0.
  public var seed: UInt64 = 0
  /// The number of problems after which nothing new starts: 1 for `--fail-fast`. Default: nil, without limit.
  public var maxFailures: Int?
  /// The time for the whole run. Default: nil, without limit.
  public var deadline: Duration?
  /// How long each step took the last time, in plan order, to find the longest path. Default: nil, all alike.
  public var expectedDurations: [Double]?
  /// Environment variables.
  public var environment: [String: String]
  /// Secrets by name, in place of environment variables of that name.
  public var secrets: [String: String] = [:]
  /// The absolute path of the folder that downloads and caches are relative to.
  public var workingDirectory: String
  /// The files that documents may use.
  public var files: FileAccess
  /// Learns every secret before it is used.
  public var redactor: Redactor
  /// The observers of the run.
  public var observers: [any RunObserver] = []
  /// How many bytes of a body an exchange keeps. Default: 64 KiB.
  public var keptBodyBytes = 64 << 10
  /// The index of the step whose whole body an exchange keeps, because it is printed alone.
  /// Default: nil.
  public var wholeBodyOf: Int?
  /// The size of bodies and values, kept for steps that have not ended, from which those steps
  /// start before all others, so that the memory is released. Ignored with ``isSerial`` or
  /// ``shuffleSeed``. Default: 16 MiB.
  public var heldBytes = 16 << 20
  /// The engine that sends; nil makes one with as many connections to an origin as `perOrigin`
  /// says, which lives as long as the run.
  public var engine: Engine?
  /// The transport that sends in place of ``engine``: for runs within another run, and for tests
  /// without a network.
  var transport: (any Transport)?
  /// The part of a larger plan that the run's plan is, for reports. Default: nil.
  public var shard: RunShard?
  /// `run.id` of the language. Default: random.
  public var runID: String
  /// `run.iteration` of the language: how often the plan, or a part of it, was carried out. Default: 1.
  public private(set) var iteration = 1
  /// The `run.id` of the first run of several.
  private var firstRunID: String?
  /// The name of the trace, which several runs share.
  var traceID: String { firstRunID ?? runID }
  /// Seconds since 1970, UTC.
  public var now: @Sendable () -> Double
  /// Random numbers for `random()` and `uuid()`.
  public var random: @Sendable () -> UInt64
  /// A clock that never goes back, for the times of events.
  public var clock: @Sendable () -> Duration
  /// Whether snapshots that differ or are missing are written, if all else a step expects holds. Default: false.
  public var updatesSnapshots = false
  /// Ends what the engine's thread evaluates, in this run and those within: ``Run/interrupt(signal:)`` and ``Run/abort()`` raise it, and so may a signal
  /// handler, before the thread can learn of the signal.
  public var interrupt = ComputationInterrupt()
  /// The tokens that the documents' `auth` has, one for each identity: give the same to several runs, and they share them.
  public var tokens = RunTokens()
  /// The URL that no redirect is followed to: a step that is redirected there has passed. Of runs that walk a provider's pages.
  var redirectBoundary: String?
  /// The inputs of the documents, by their index: for runs of `authorize` steps, which use the
  /// inputs of the document around them.
  var givenInputs: [Int: Value] = [:]
  /// The values of an earlier run, by ``PlannedStep/address``: a step that only reads, or fetches credentials, ends with them and
  /// sends nothing, if all that it waits for does. Default: none.
  public var kept: [String: KeptStep] = [:]
  /// Whether ``Run/Report/kept`` has values for another run. Default: false.
  public var keepsResults = false
  /// Whether a host that fails is probed, and steps that go there are not sent until it answers again. Default: true.
  var diagnosesHosts = true
  /// Whether a step that did not pass has a full record of its requests. Default: true.
  var explainsFailures = true
  /// Expressions to evaluate when all is done, each in the scope of a document of the plan.
  public var prints: [RunPrint] = []

  /// The configuration of another run of the plan, or of a part of it. Its `run.id` is another: what both create must not collide.
  ///
  /// - Parameter iteration: the number of that run, from 2.
  public func again(_ iteration: Int) -> RunConfiguration {
    var configuration = self
    configuration.firstRunID = traceID
    configuration.runID = "\(traceID)-\(iteration)"
    configuration.iteration = iteration
    configuration.kept = [:]
    return configuration
  }

  /// The configuration of a run within this one, which keeps nothing for later runs.
  var forInnerRun: RunConfiguration {
    var configuration = self
    configuration.kept = [:]
    configuration.keepsResults = false
    return configuration
  }

  /// A configuration with the defaults, the system's clock and its random numbers.
  public init(
    environment: [String: String], workingDirectory: String, files: FileAccess, redactor: Redactor = Redactor()
  ) {
    self.environment = environment
    self.workingDirectory = workingDirectory
    self.files = files
    self.redactor = redactor
    now = SystemSources.now
    random = SystemSources.random
    clock = SystemSources.clock
    runID = SystemSources.runID()
  }
}

/// An expression to evaluate after the run: `--print '${login.token}'`.
public struct RunPrint: Sendable {
  /// The index of the document among the plan's.
  public var workflow: Int
  /// The template to evaluate.
  public var template: Template
  /// The steps that it uses, by their index in ``Workflow/steps``, each as often as it is used.
  public var stepOrdinals: [Int] { template.expressions.flatMap(\.stepOrdinals) }
  /// Whether there is nothing to evaluate.
  public var isConstant: Bool { template.expressions.isEmpty }

  /// - Parameters:
  ///   - template: what to evaluate.
  ///   - workflow: the index of its document among the plan's.
  public init(_ template: Template, workflow: Int) {
    self.template = template
    self.workflow = workflow
  }
}
