import GarlandRunner
import Synchronization

/// A run that a signal can end.
protocol EndableRun: Sendable {
  /// Stops the run as Ctrl-C does.
  func interrupt(signal: String)
  /// Ends the run at once.
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

  /// The signal that has arrived; nil if no signal has arrived.
  var signal: String? { state.withLock { $0.signal } }

  /// Makes another run the current run. Returns false if a signal has arrived before, in which case no other run may begin.
  func advance(to run: any EndableRun) -> Bool {
    state.withLock { state in
      guard state.signal == nil else { return false }
      state.run = run
      return true
    }
  }

  /// Interrupts the current run. Its cleanups still run.
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
