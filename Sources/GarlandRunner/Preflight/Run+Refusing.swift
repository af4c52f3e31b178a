import GarlandTransfer
import GarlandPlanner
import GarlandResults

/// Reports a run that ends before any request is sent. The report contains a result for each step.
extension Run {
  /// Reports that a run does not start, since hosts are unreachable or the user has ended the probes. No request is sent. Call this
  /// function instead of ``start()``.
  ///
  /// Each step that uses one of the unreachable hosts is `unreachable`, and all other steps are `not run`. Not even `allow_failure` allows
  /// these failures, since they keep all steps from running. Existing report files are replaced, so that no report of an earlier run
  /// remains.
  ///
  /// - Parameters:
  ///   - down: the results of the probes of unreachable hosts; see ``preflight(wait:onFailure:)``.
  ///   - signal: the name of the signal with which the user ended the probes, such as `SIGINT`.
  package func refuse(down: [ProbeReport], signal: String? = nil) {
    announce(sendsNothing: true)
    if let signal {
      summary.endedEarly(EarlyEnd(.interrupt, signal))
      tell(.interrupted(signal: signal, at: now))
    }
    let reasons = Dictionary(down.map { ($0.target.description, $0.summary) }) { first, _ in first }
    let names = down.map(\.target.description).joined(separator: ", ")
    let words = signal.map { "interrupted by \($0) before anything was sent" } ?? "nothing was sent, because \(names) can't be reached"
    if signal == nil { summary.endedEarly(EarlyEnd(.other, words)) }
    let found = preflightTargetsBySteps()
    let at = now
    for index in plan.steps.indices {
      var result = StepResult(step: identities[index], outcome: .notRun, startedAt: at, endedAt: at)
      result.reason = words
      if let (target, reason) = found[index]?.lazy.compactMap({ target in reasons[target].map { (target, $0) } }).first {
        result.outcome = .unreachable
        result.reason = "\(target) can't be reached: \(reason)"
      }
      summary.count(result)
      tell(.stepEnded(result))
    }
    summary.wallTime = now
    tell(.runEnded(summary))
  }
}
