import Synchronization

/// The time by which a run's clock is ahead of the system's clock.
final class Ahead: Sendable {
  private let state = Mutex(0.0)

  var seconds: Double { state.withLock { $0 } }

  func go(_ seconds: Double) { state.withLock { $0 += seconds } }
}
