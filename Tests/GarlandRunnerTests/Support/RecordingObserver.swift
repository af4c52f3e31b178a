import GarlandResults
import Synchronization

/// An observer that stores all events, and can react to them.
final class RecordingObserver: RunObserver {
  private let events = Mutex<[RunEvent]>([])
  private let reaction = Mutex<(@Sendable (RunEvent) -> Void)?>(nil)
  let detail: RunDetail

  init(detail: RunDetail = .everything) { self.detail = detail }

  func receive(_ event: RunEvent) {
    events.withLock { $0.append(event) }
    reaction.withLock { $0 }?(event)
  }

  func react(_ body: @escaping @Sendable (RunEvent) -> Void) { reaction.withLock { $0 = body } }

  var all: [RunEvent] { events.withLock { $0 } }

  var results: [StepResult] {
    all.compactMap { if case .stepEnded(let result) = $0 { result } else { nil } }
  }

  var notices: [String] {
    all.compactMap { if case .notice(let diagnostic) = $0 { diagnostic.message } else { nil } }
  }
}
