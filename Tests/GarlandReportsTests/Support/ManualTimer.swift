import Synchronization

@testable import GarlandReports

/// A timer that calls a pipeline when a test requests it.
final class ManualTimer: Sendable {
  private struct State {
    var actions: [@Sendable () -> Void] = []
    var count = 0
  }

  private let state = Mutex(State())

  /// The number of times that the timer was set.
  var count: Int { state.withLock { $0.count } }

  var schedule: ReportPipeline.Schedule {
    { [self] _, action in
      state.withLock { state in
        state.count += 1
        state.actions.append(action)
      }
    }
  }

  /// Calls all waiting callbacks.
  func fire() {
    let actions = state.withLock { state in
      defer { state.actions = [] }
      return state.actions
    }
    for action in actions { action() }
  }
}
