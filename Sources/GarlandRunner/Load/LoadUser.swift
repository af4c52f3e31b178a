import GarlandDiagnostics
import GarlandResults

/// One of the users that repeat a plan: it carries out one repetition after another, each with cookies of its own.
///
/// `@unchecked Sendable`: used only where the run lives, as everything that a run tells its observers.
final class LoadUser: RunObserver, @unchecked Sendable {
  let detail: RunDetail = []
  let jars: JarSet
  /// Knows the secrets of the repetition under way, of which nothing is shown as a rule.
  let redactor: Redactor
  let secrets: RedactorRegistry
  /// The repetition under way.
  private(set) var run: Run?
  /// By how much it began late, and when it should have begun.
  private(set) var lateness = Duration.zero
  /// See ``lateness``.
  private(set) var intended = Duration.zero
  private(set) var hasFailed = false
  /// The place among the users.
  let number: Int
  private unowned let owner: LoadRun

  init(_ number: Int, _ jars: JarSet, _ redactor: Redactor, of owner: LoadRun) {
    self.number = number
    self.jars = jars
    self.redactor = redactor
    secrets = RedactorRegistry(redactor: redactor)
    self.owner = owner
  }

  func begins(_ run: Run, intended: Duration, at now: Duration) {
    self.run = run
    self.intended = intended
    lateness = max(.zero, now - intended)
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
