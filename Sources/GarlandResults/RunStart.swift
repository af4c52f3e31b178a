public import GarlandDiagnostics

/// What is known when a run begins.
public struct RunStart: Sendable {
  /// `run.id` of the language.
  public var runID: String
  /// Seconds since 1970, UTC.
  public var startedAt: Double
  /// Every step that is part of the run, in plan order.
  public var steps: [StepIdentity]
  /// Indexes of steps (`StepIdentity.index`) that each step waits for, in the order of `steps`.
  public var dependencies: [[Int]]
  /// What the documents say of each step, in the order of `steps`; empty unless an observer asked for it (``RunDetail/sources``).
  public var sources: [StepDefinition] = []
  /// How many transfers may run at once.
  public var concurrency: Int
  /// Whether nothing will be sent, and every step end at once: the user has been told why. Default: false.
  public var sendsNothing = false

  /// A start of a run that sends; every other property is a parameter, see there.
  public init(runID: String, startedAt: Double, steps: [StepIdentity], dependencies: [[Int]], concurrency: Int) {
    self.runID = runID
    self.startedAt = startedAt
    self.steps = steps
    self.dependencies = dependencies
    self.concurrency = concurrency
  }
}

/// What a document says of a step.
public struct StepDefinition: Sendable {
  /// One thing that the step expects of its response.
  public struct Check: Sendable {
    /// What is looked at, as the document writes it: `status`, `json $.id`.
    public var subject: String
    /// Where the expectation stands.
    public var range: SourceRange

    /// - Parameters:
    ///   - subject: what is looked at.
    ///   - range: where the expectation stands.
    public init(_ subject: String, at range: SourceRange) {
      self.subject = subject
      self.range = range
    }
  }

  /// The step's own lines: its id and all that belongs to it.
  public var range: SourceRange
  /// Everything that it expects, in document order; what every step expects without saying so is not among them.
  public var checks: [Check]

  /// - Parameters:
  ///   - range: the step's own lines.
  ///   - checks: what it expects.
  public init(_ range: SourceRange, checks: [Check] = []) {
    self.range = range
    self.checks = checks
  }
}
