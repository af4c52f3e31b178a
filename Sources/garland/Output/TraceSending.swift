import GarlandReports
import Synchronization

/// Sends traces to collectors. A signal can end the sending early.
final class TraceSending: Sendable {
  private struct State {
    var task: Task<[ReportError], Never>?
    var signal: InterruptSignals.Signal?
  }

  private let state = Mutex(State())

  /// The signal that has ended the sending of traces; nil if no signal has arrived.
  var signal: InterruptSignals.Signal? { state.withLock { $0.signal } }

  /// Sends the traces of reports, and returns the errors.
  func send(_ uploads: [TraceUpload], by sender: TraceSender) async -> [ReportError] {
    guard !uploads.isEmpty else { return [] }
    let task = Task { await sender.send(uploads) }
    state.withLock { $0.task = task }
    let problems = await task.value
    state.withLock { $0.task = nil }
    return problems
  }

  /// Cancels the sending of traces and records the signal, if traces are being sent. If an earlier signal was recorded, that signal is
  /// kept.
  func interrupt(_ signal: InterruptSignals.Signal) {
    state.withLock { state in
      guard let task = state.task else { return }
      state.signal = state.signal ?? signal
      task.cancel()
    }
  }
}
