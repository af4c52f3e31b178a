import GarlandDiagnostics
import GarlandResults

/// A simulated user of a load test, who carries out one repetition after another. Each repetition has cookies of its own.
///
/// `@unchecked Sendable`: the user is used only on the executor of the runs, as all observers of a run are.
final class LoadUser: RunObserver, @unchecked Sendable {
  let detail: RunDetail = []
  let jars: JarSet
  /// The redactor for the secrets of the current repetition. It is separate from the run's redactor, since secrets of a repetition hardly
  /// ever occur in the output.
  let redactor: Redactor
  let secrets: RedactorRegistry
  /// The current repetition; nil between two repetitions.
  private(set) var run: Run?
  /// The delay of the current repetition: the time between its planned and its actual beginning.
  private(set) var lateness = Duration.zero
  /// The time at which the current repetition should have begun.
  private(set) var intended = Duration.zero
  /// Whether a step of the current repetition failed.
  private(set) var hasFailed = false
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
      if owner.assumeIsolated({ $0.record(result, by: self) }) { redactor.handOn() }
    case .notice(let notice):
      redactor.handOn()
      owner.assumeIsolated { $0.pass(notice) }
    default: break
    }
  }
}
