import GarlandDiagnostics

/// The events of a run. Reports are created only from these events.
///
/// `runStarted` comes first and `runEnded` last, even if the run was interrupted. Between them, there is one `stepEnded` for each step. A
/// step with a loop has one `stepEnded` for each iteration instead, and only the last one has ``StepResult/endsStep`` set. In a run that
/// sends load (``RunStart/load``), each step has one result, which represents all repetitions. Times are counted from the run's start.
public enum RunEvent: Sendable {
  /// The run begins.
  case runStarted(RunStart)
  /// All dependencies of a step have ended, and the step waits for a free slot.
  case stepReady(StepIdentity, at: Duration)
  /// The first transfer of a step, or of one of its iterations, begins.
  case stepStarted(StepIdentity, StepStart)
  /// A transfer has made progress. Sent at most ten times a second for each step, and only for transfers that take some time. `iteration`
  /// is the index of the loop's item, counted from 0; nil without a loop.
  case stepProgressed(StepIdentity, iteration: Int?, TransferProgress)
  /// A step pauses before its next attempt, for example after a failure or between polls. `until` is the end of the pause.
  case stepWaits(StepIdentity, iteration: Int?, reason: String, until: Duration)
  /// A step, or one iteration of it, has ended.
  case stepEnded(StepResult)
  /// New measurements of a load test are available. The event is sent every second.
  case loadProgressed(LoadProgress)
  /// A message to the user that is not about the outcome of one step.
  case notice(Diagnostic)
  /// The user stopped the run. Running steps are cancelled. If a step with a cleanup is sending a request, this request is completed first.
  case interrupted(signal: String, at: Duration)
  /// The run has ended.
  case runEnded(RunSummary)
}
