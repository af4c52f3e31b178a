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
