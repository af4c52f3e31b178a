import GarlandDiagnostics
import GarlandTransfer
import Synchronization

/// Waits for hosts and shows the hosts that are not yet reachable. The wait ends when all hosts are reachable or a signal
/// arrives.
final class Lookout: Sendable {
  private let workspaceNote: @Sendable (String) -> Void
  private let told = Mutex<[String: String]>([:])
  private let signal = Mutex<InterruptSignals.Signal?>(nil)

  /// Creates an object that can wait until hosts are reachable.
  ///
  /// - Parameter isQuiet: whether nothing is shown while waiting.
  init(_ workspace: Workspace, isQuiet: Bool) {
    if isQuiet {
      workspaceNote = { _ in }
    } else {
      workspaceNote = { text in workspace.note(text) }
    }
  }

  /// Executes `work` until it ends or a signal cancels it.
  ///
  /// `work` receives a function. After each failed attempt to reach a host, `work` must call this function with the report of the attempt.
  ///
  /// - Returns: the result of `work`, and the first signal that arrived; nil if no signal arrived.
  func carryOut<Value: Sendable>(
    _ work: @escaping @Sendable (@escaping @Sendable (ProbeReport) -> Void) async -> Value
  ) async -> (Value, InterruptSignals.Signal?) {
    let task = Task { await work { self.tell($0) } }
    let signals = InterruptSignals { signal in
      self.signal.withLock { $0 = $0 ?? signal }
      task.cancel()
    }
    let value = await task.value
    withExtendedLifetime(signals) {}
    return (value, signal.withLock { $0 })
  }

  /// Handles the report of a failed attempt to reach a target. Shows a line for the first report about the target, and whenever the reason
  /// differs from the reason in the previous report.
  private func tell(_ report: ProbeReport) {
    let isNews = told.withLock { $0.updateValue(report.summary, forKey: report.target.description) != report.summary }
    if isNews { workspaceNote("waiting for \(report.target): \(DisplayText.visible(report.summary))") }
  }
}
