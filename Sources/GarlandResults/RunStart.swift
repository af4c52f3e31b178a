public import GarlandDiagnostics

/// The data that is known about a run when the run begins.
public struct RunStart: Sendable {
  /// The value of `run.id` in expressions: an identifier of the run.
  public var runID: String
  /// The time of the start, in seconds since 1970, UTC.
  public var startedAt: Double
  /// Every step that is part of the run, in plan order.
  public var steps: [StepIdentity]
  /// For each step, in the order of `steps`, the indexes (`StepIdentity.index`) of the steps that it waits for.
  public var dependencies: [[Int]]
  /// The definitions of the steps, in the order of `steps`; empty unless an observer asked for them
  /// (``RunDetail/sources``).
  public var sources: [StepDefinition] = []
  /// The maximum number of transfers at the same time.
  public var concurrency: Int
  /// The maximum number of concurrent transfers to one origin (scheme, host and port). 0 if it is unknown, as in reports of earlier
  /// releases.
  public var perOrigin = 0
  /// Whether the steps run one after another (`--serial`). Default: false.
  public var isSerial = false
  /// Whether the run consists of repetitions (`--repeat`, `--until-failure`). The name of each result (``StepResult/iteration``) then begins
  /// with the number of its repetition, such as `#2`. Default: false.
  public var isRepeated = false
  /// The options of the command line that a rerun of the failed steps also needs, such as `--sandbox`. They never contain secrets. Default:
  /// no options.
  public var rerunOptions: [String] = []
  /// The seed of generated test data; nil if the run generates no test data.
  public var seed: UInt64?
  /// The seed of the random order of the steps (`--shuffle`); nil for any other order.
  public var shuffleSeed: UInt64?
  /// The settings of the load test; nil if the run is not a load test.
  public var load: LoadSettings?
  /// Whether the run ends before any request is sent, because hosts are unreachable or the user interrupted the check of the hosts. The
  /// user was already informed of this.
  public var sendsNothing = false
  /// The part of a plan that the run executes; nil for a run of the whole plan.
  public var shard: RunShard?
  /// Information about the merged shards, if this run was merged from the reports of several shards; otherwise nil.
  public var merge: RunMerge?

  /// For each loop whose items are divided among several shards, the index of the first item that this run executes. The key is the index
  /// of the step that has the loop.
  package var firstIterations: [Int: Int] {
    guard let loops = shard?.loops, !loops.isEmpty else { return [:] }
    var places: [Int: Int] = [:]
    for step in steps {
      if let loop = loops.first(where: { $0.id == step.id && $0.file == step.file }) { places[step.index] = loop.range.lowerBound }
    }
    return places
  }

  /// Creates the data about a run that sends requests. Each parameter sets the property of the same name.
  public init(runID: String, startedAt: Double, steps: [StepIdentity], dependencies: [[Int]], concurrency: Int) {
    self.runID = runID
    self.startedAt = startedAt
    self.steps = steps
    self.dependencies = dependencies
    self.concurrency = concurrency
  }
}

/// The position of a step and of its expectations in the document.
public struct StepDefinition: Sendable {
  /// One expectation of the step.
  public struct Check: Sendable {
    /// The checked part of the response, as written in the document: `status`, `json $.id`.
    public var subject: String
    /// The source range of the expectation.
    public var range: SourceRange

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - subject: The checked part of the response.
    ///   - range: The source range of the expectation.
    public init(_ subject: String, at range: SourceRange) {
      self.subject = subject
      self.range = range
    }
  }

  /// The source range of the whole step, including its id.
  public var range: SourceRange
  /// The step's expectations in document order, without the default expectations that every step has.
  public var checks: [Check]

  /// Creates a definition.
  ///
  /// - Parameters:
  ///   - range: The lines of the step.
  ///   - checks: The step's expectations.
  public init(_ range: SourceRange, checks: [Check] = []) {
    self.range = range
    self.checks = checks
  }
}
