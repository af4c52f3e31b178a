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

/// The run that is under way, for signals: one after another, if there are several.
final class CurrentRun: Sendable {
  private struct State {
    var run: any EndableRun
    var signal: String?
  }

  private let state: Mutex<State>

  init(_ run: any EndableRun) { state = Mutex(State(run: run)) }

  /// The signal that has come; nil if none has.
  var signal: String? { state.withLock { $0.signal } }

  /// Makes another run the one under way; false if a signal has come meanwhile, after which no other begins.
  func advance(to run: any EndableRun) -> Bool {
    state.withLock { state in
      guard state.signal == nil else { return false }
      state.run = run
      return true
    }
  }

  /// Interrupts the run under way.
  func interrupt(signal: String) {
    let run = state.withLock { state -> any EndableRun in
      state.signal = signal
      return state.run
    }
    run.interrupt(signal: signal)
  }

  /// Ends the run under way at once.
  func abort() { state.withLock { $0.run }.abort() }
}
