import GarlandDiagnostics
import GarlandResults

/// Collects the results of the steps of a called document. These results become parts of the result of the calling step.
final class CallRecorder: RunObserver, @unchecked Sendable {
  // `@unchecked Sendable`: only one run sends events to this observer, on the engine's thread. The same thread reads it after that run has
  // ended.
  let detail: RunDetail
  private(set) var exchanges = SentExchanges()
  private(set) var omittedRequests = 0
  private(set) var failures: [CheckFailure] = []
  private(set) var checkCount = 0
  private(set) var problems: [String] = []
  private(set) var notices: [Diagnostic] = []

  init(detail: RunDetail) { self.detail = detail.subtracting([.lifecycle, .progress, .extracts]) }

  func receive(_ event: RunEvent) {
    switch event {
    case .stepEnded(let result):
      checkCount += result.checkCount
      omittedRequests += result.omittedRequests
      let name = result.iteration.map { "\(result.step.id) [\($0)]" } ?? result.step.id
      for var exchange in result.exchanges {
        exchange.label = exchange.label.map { "\(name), \($0)" } ?? name
        exchanges.append(exchange)
      }
      guard result.outcome.isProblem, !result.isFailureAllowed else { return }
      problems.append("the step `\(name)` \(Outcome.words(for: result.outcome))")
      failures += result.failures
    case .notice(let notice): notices.append(notice)
    default: break
    }
  }
}
