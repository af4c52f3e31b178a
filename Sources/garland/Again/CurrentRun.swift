import GarlandRunner
import Synchronization

/// A run that a signal can end.
protocol EndableRun: Sendable {
  /// Stops it as Ctrl-C does.
  func interrupt(signal: String)
  /// Ends it at once.
  func abort()
}

extension Run: EndableRun {}
extension LoadRun: EndableRun {}

/// The current run, which signals interrupt. Several runs follow one another if the plan is repeated.
final class CurrentRun: Sendable {
  private struct State {
    var run: any EndableRun
    var signal: String?
  }

  private let state: Mutex<State>

  init(_ run: any EndableRun) { state = Mutex(State(run: run)) }

  /// The signal that has arrived; nil if there was none.
  var signal: String? { state.withLock { $0.signal } }

  /// Makes another run the current one. Returns false if a signal has arrived before: no other run must begin then.
  func advance(to run: any EndableRun) -> Bool {
    state.withLock { state in
      guard state.signal == nil else { return false }
      state.run = run
      return true
    }
  }

  /// Interrupts the current run, which then still runs its cleanups.
  func interrupt(signal: String) {
    let run = state.withLock { state -> any EndableRun in
      state.signal = signal
      return state.run
    }
    run.interrupt(signal: signal)
  }

  /// Ends the current run at once.
  func abort() { state.withLock { $0.run }.abort() }
}
