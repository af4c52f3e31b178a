import Synchronization

@testable import GarlandReports

/// Calls a pipeline back when a test says so.
final class ManualTimer: Sendable {
  private struct State {
    var actions: [@Sendable () -> Void] = []
    var count = 0
  }

  private let state = Mutex(State())

  /// How often it was set.
  var count: Int { state.withLock { $0.count } }

  var schedule: ReportPipeline.Schedule {
    { [self] _, action in
      state.withLock { state in
        state.count += 1
        state.actions.append(action)
      }
    }
  }

  /// Calls everybody who waits.
  func fire() {
    let actions = state.withLock { state in
      defer { state.actions = [] }
      return state.actions
    }
    for action in actions { action() }
  }
}
