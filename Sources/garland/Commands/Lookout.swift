import GarlandDiagnostics
import GarlandTransfer
import Synchronization

/// Waits for hosts, shows which ones it waits for, and ends at an interrupt.
final class Lookout: Sendable {
  private let workspaceNote: @Sendable (String) -> Void
  private let told = Mutex<[String: String]>([:])
  private let signal = Mutex<InterruptSignals.Signal?>(nil)

  /// - Parameter isQuiet: whether it says nothing while it waits.
  init(_ workspace: Workspace, isQuiet: Bool) {
    if isQuiet {
      workspaceNote = { _ in }
    } else {
      workspaceNote = { text in workspace.note(text) }
    }
  }

  /// Does the work, which reports failed attempts to its argument.
  ///
  /// - Returns: its result, and the signal that ended it early.
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

  /// A line for each target when it is waited for, and whenever the reason changes.
  private func tell(_ report: ProbeReport) {
    let isNews = told.withLock { $0.updateValue(report.summary, forKey: report.target.description) != report.summary }
    if isNews { workspaceNote("waiting for \(report.target): \(DisplayText.visible(report.summary))") }
  }
}
