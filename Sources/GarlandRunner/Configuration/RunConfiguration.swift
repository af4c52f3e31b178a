public import GarlandDiagnostics
public import GarlandJSON
public import GarlandTransfer
public import GarlandPlanner
public import GarlandResults
public import GarlandWorkflow

/// The input of a run in addition to its plan: limits, values from outside, and observers.
///
/// ```swift
/// var configuration = RunConfiguration(environment: ProcessInfo.processInfo.environment, workingDirectory: "/work", files: files)
/// configuration.maxFailures = 1   // --fail-fast
/// configuration.observers = [console]
/// ```
public struct RunConfiguration: Sendable {
  /// The maximum number of concurrent transfers. Default: 16.
  public var concurrency = 16
  /// The maximum number of concurrent transfers to the same origin. Default: 6.
  public var perOrigin = 6
  /// Whether steps run one after another. Their order is that of the documents, as far as dependencies allow. Default: false.
  public var isSerial = false
  /// The seed of a random order in which steps start, within their dependencies. Default: nil, which starts the step with the longest
  /// remaining path first.
  public var shuffleSeed: UInt64?
  /// The seed of generated test data such as `fake_name()`. Default: 0.
  public var seed: UInt64 = 0
  /// The options of the command line that a rerun of the failed steps also needs, for reports. Default: no options.
  public var rerunOptions: [String] = []
  /// The number of failures after which no further step starts: 1 for `--fail-fast`. Default: nil, which means no limit.
  public var maxFailures: Int?
  /// The time limit of the whole run. Default: nil, which means no limit.
  public var deadline: Duration?
  /// The duration of each step in an earlier run, in plan order. The scheduler uses the durations to find the longest path. Default: nil,
  /// which means that all steps take equally long.
  public var expectedDurations: [Double]?
  /// The environment variables.
  public var environment: [String: String]
  /// Secrets by name. They take precedence over environment variables with the same name.
  public var secrets: [String: String] = [:]
  /// The absolute path of the folder to which the paths of downloads and caches are relative.
  public var workingDirectory: String
  /// The file system, limited to the files that documents may use.
  public var files: FileAccess
  /// The redactor, to which every secret is registered before it is used.
  public var redactor: Redactor
  /// The observers of the run.
  public var observers: [any RunObserver] = []
  /// The number of bytes of a body that an exchange keeps. Default: 64 KiB.
  public var keptBodyBytes = 64 << 10
  /// The index of the step whose whole body is kept, because the output consists only of this body. Default: nil, which keeps no whole
  /// body.
  public var wholeBodyOf: Int?
  /// The total size of bodies and values that the run keeps for later steps. Above this size, steps that use such values start before all
  /// other steps, so that the memory is released. The limit is ignored with ``isSerial`` or ``shuffleSeed``. Default: 16 MiB.
  public var heldBytes = 16 << 20
  /// The engine that sends requests. If nil, the run creates an engine with at most `perOrigin` connections to an origin, and releases it
  /// at its end.
  public var engine: Engine?
  /// The transport that sends requests instead of ``engine``. Runs within another run use it, and tests without a network.
  var transport: (any Transport)?
  /// The shard that the run executes, for reports; nil for a run of the whole plan.
  public var shard: RunShard?
  /// The part of the items that the run has of each divided loop, by ``PlannedStep/number``. Default: all items of every loop.
  public var items: [Int: ItemShare] = [:]
  /// The value of `run.id`, an identifier of the run. Default: random.
  public var runID: String
  /// The value of `run.iteration`: the number of this execution of the plan, or of a part of it. Default: 1.
  public private(set) var iteration = 1
  /// The `run.id` of the first run in a series of runs.
  private var firstRunID: String?
  /// The id of the trace, which all runs of a series share.
  var traceID: String { firstRunID ?? runID }
  /// Returns the current time in seconds since 1970, UTC.
  public var now: @Sendable () -> Double
  /// Returns a random number for `random()` and `uuid()`.
  public var random: @Sendable () -> UInt64
  /// Returns the time of a monotonic clock, for the times of events.
  public var clock: @Sendable () -> Duration
  /// Whether snapshots that are missing or differ are written, as long as the response meets all other expectations of the step. Default:
  /// false.
  public var updatesSnapshots = false
  /// Interrupts the expression that the engine's thread is evaluating, in this run and in runs within it. ``Run/interrupt(signal:)`` and
  /// ``Run/abort()`` raise it. A signal handler may raise it too, even before the thread can notice the signal.
  public var interrupt = ComputationInterrupt()
  /// The tokens for the documents' `auth`, one for each identity. Several runs with the same object share their tokens.
  public var tokens = RunTokens()
  /// A URL to which redirects are not followed. A step that is redirected to this URL passes. Runs that log in on a provider's pages use
  /// it.
  var redirectBoundary: String?
  /// The values of the documents' inputs, by their index. Runs of `authorize` steps use it, since these have the inputs of the enclosing
  /// document.
  var givenInputs: [Int: Value] = [:]
  /// The values from an earlier run, by ``PlannedStep/address``. Default: none.
  ///
  /// A step that only reads or fetches credentials uses these values and sends no request, if all steps that it waits for do the same.
  public var kept: [String: KeptStep] = [:]
  /// Whether ``Run/Report/kept`` contains values for another run. Default: false.
  public var keepsResults = false
  /// Whether a host is probed after a failed transfer. While the host does not respond, steps that use it are not sent. Default: true.
  var diagnosesHosts = true
  /// Whether the result of a step that did not pass contains a full record of its requests. Default: true.
  var explainsFailures = true
  /// Expressions that are evaluated after the last step, each in the scope of a document of the plan.
  public var prints: [RunPrint] = []

  /// Returns the configuration for another run of the plan, or of a part of it. The `run.id` is different, so that names that both runs
  /// create do not collide.
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

  /// The configuration of a run within this run. Such a run keeps nothing for later runs.
  var forInnerRun: RunConfiguration {
    var configuration = self
    configuration.kept = [:]
    configuration.keepsResults = false
    configuration.items = [:]
    return configuration
  }

  /// Creates a configuration with the defaults, the system's clock and its random numbers.
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

/// An expression that is evaluated after the run: `--print '${login.token}'`.
public struct RunPrint: Sendable {
  /// The index of the document in the plan.
  public var workflow: Int
  /// The template to evaluate.
  public var template: Template
  /// The steps that the template uses, as indexes of ``Workflow/steps``, once for each use.
  public var stepOrdinals: [Int] { template.expressions.flatMap(\.stepOrdinals) }
  /// Whether the template contains no expression.
  public var isConstant: Bool { template.expressions.isEmpty }

  /// Creates an expression to print.
  ///
  /// - Parameters:
  ///   - template: the template to evaluate.
  ///   - workflow: the index of the template's document in the plan.
  public init(_ template: Template, workflow: Int) {
    self.template = template
    self.workflow = workflow
  }
}
