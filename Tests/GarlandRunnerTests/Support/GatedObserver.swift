import GarlandResults
import Synchronization

/// An observer that is not ready at first, and becomes ready when the run waits for it.
final class GatedObserver: RunObserver {
  private let state = Mutex((isReady: false, waits: 0))

  func receive(_ event: RunEvent) {
    if case .stepEnded = event { state.withLock { $0.isReady = false } }
  }

  var isReady: Bool { state.withLock { $0.isReady } }
  var waits: Int { state.withLock { $0.waits } }

  func waitUntilReady() async {
    state.withLock {
      $0.isReady = true
      $0.waits += 1
    }
  }
}
