import GarlandResults
import Synchronization

/// Collects the results of steps, in the order in which the steps ended.
final class ResultCollector: RunObserver {
  let detail: RunDetail
  private let ended = Mutex<[StepResult]>([])

  init(detail: RunDetail) { self.detail = detail }

  var results: [StepResult] { ended.withLock { $0 } }

  func receive(_ event: RunEvent) {
    if case .stepEnded(let result) = event { ended.withLock { $0.append(result) } }
  }
}
