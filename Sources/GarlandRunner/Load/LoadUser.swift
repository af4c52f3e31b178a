import GarlandDiagnostics
import GarlandResults

/// A simulated user of a load test, who carries out one repetition after another. Each repetition has cookies of its own.
///
/// `@unchecked Sendable`: the user is an observer of its runs. Like all observers of a run, it is used only on the executor of the runs.
final class LoadUser: RunObserver, @unchecked Sendable {
  let detail: RunDetail = []
  let jars: JarSet
  /// The redactor for the secrets of the current repetition. Each user has a redactor of its own, so that the run's redactor does not
  /// collect the secrets of all repetitions. The run's redactor receives only the secrets that can occur in the output.
  let redactor: Redactor
  let secrets: RedactorRegistry
  /// The current repetition; nil between two repetitions.
  private(set) var run: Run?
  /// The delay of the current repetition: the time between its planned and its actual beginning.
  private(set) var lateness = Duration.zero
  /// The time for which the beginning of the current repetition of the workflow was scheduled. The repetition may have begun later.
  private(set) var intended = Duration.zero
  /// Whether a step of the current repetition failed.
  private(set) var hasFailed = false
  /// Whether the current repetition was cancelled by an interrupt or the deadline of the run.
  private(set) var isCancelled = false
  private unowned let owner: LoadWorker

  init(_ jars: JarSet, _ redactor: Redactor, of owner: LoadWorker) {
    self.jars = jars
    self.redactor = redactor
    secrets = RedactorRegistry(redactor: redactor)
    self.owner = owner
  }

  func begins(_ run: Run, intended: Duration, lateness: Duration) {
    self.run = run
    self.intended = intended
    self.lateness = lateness
    hasFailed = false
    isCancelled = false
  }

  /// Notes that the current repetition is cancelled. Returns the run of the repetition, which the caller must stop; nil if no repetition is
  /// in progress.
  func cancel() -> Run? {
    isCancelled = run != nil
    return run
  }

  func ends() {
    run = nil
    jars.empty()
    redactor.forget()
  }

  func receive(_ event: RunEvent) {
    switch event {
    case .stepEnded(let result):
      if result.outcome.isProblem, !result.isFailureAllowed { hasFailed = true }
      if owner.record(result, lateness: lateness) { redactor.handOn() }
    case .notice(let notice):
      redactor.handOn()
      owner.isolated { $0.pass(notice) }
    default: break
    }
  }
}
