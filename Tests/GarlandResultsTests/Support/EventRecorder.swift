import GarlandResults
import Synchronization

/// An observer that stores the events of a run.
final class EventRecorder: RunObserver {
  private let received = Mutex<[RunEvent]>([])

  var events: [RunEvent] { received.withLock { $0 } }

  var start: RunStart? {
    events.lazy.compactMap { event in
      guard case .runStarted(let start) = event else { return nil }
      return start
    }.first
  }

  var results: [StepResult] {
    events.compactMap { event in
      guard case .stepEnded(let result) = event else { return nil }
      return result
    }
  }

  func receive(_ event: RunEvent) { received.withLock { $0.append(event) } }
}
