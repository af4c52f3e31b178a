import Synchronization

/// A run, or a load test, that a signal can end.
package protocol EndableRun: Sendable {
  /// Stops the run as Ctrl-C does: the cleanups of its steps still run.
  func interrupt(signal: String)
  /// Ends the run immediately, without cleanups.
  func abort()
}

extension Run: EndableRun {}
extension LoadRun: EndableRun {}

/// Stores the run that is in progress, so that a signal can interrupt it. If a command runs the plan repeatedly, this object stores one run
/// after the other.
package final class CurrentRun: Sendable {
  private struct State {
    var run: any EndableRun
    var signal: String?
  }

  private let state: Mutex<State>

  /// Stores the first run.
  package init(_ run: any EndableRun) { state = Mutex(State(run: run)) }

  /// The signal that has arrived; nil if no signal has arrived.
  package var signal: String? { state.withLock { $0.signal } }

  /// Makes `run` the current run. Returns false if a signal has already arrived; the caller must then not start `run`.
  func advance(to run: any EndableRun) -> Bool {
    state.withLock { state in
      guard state.signal == nil else { return false }
      state.run = run
      return true
    }
  }

  /// Interrupts the current run. Its cleanups are still executed.
  package func interrupt(signal: String) {
    let run = state.withLock { state -> any EndableRun in
      state.signal = signal
      return state.run
    }
    run.interrupt(signal: signal)
  }

  /// Ends the current run immediately, without cleanups.
  package func abort() { state.withLock { $0.run }.abort() }
}
