import GarlandDiagnostics

/// What a run tells, in order. Reports are made of nothing else.
///
/// `runStarted` comes first and `runEnded` last, also when the run was interrupted. Times are counted from the run's start.
/// In between, each step ends with one `stepEnded`, or, in a loop, with one for each iteration, the last of which says so
/// (``StepResult/endsStep``).
public enum RunEvent: Sendable {
  /// The run begins.
  case runStarted(RunStart)
  /// A step's dependencies are done; it waits for a free slot.
  case stepReady(StepIdentity, at: Duration)
  /// A step's transfer begins.
  case stepStarted(StepIdentity, StepStart)
  /// A transfer has moved on. Sent at most ten times a second for each step, and only for transfers that last.
  case stepProgressed(StepIdentity, iteration: String?, TransferProgress)
  /// A step waits before it tries again.
  case stepWaits(StepIdentity, iteration: String?, reason: String, until: Duration)
  /// A step, or one iteration of it, has ended.
  case stepEnded(StepResult)
  /// Something the user should know that concerns no single step's outcome.
  case notice(Diagnostic)
  /// The user asked to stop; what runs is being cancelled, but for steps that have a cleanup, which come to their end.
  case interrupted(signal: String, at: Duration)
  /// The run is over.
  case runEnded(RunSummary)
}
