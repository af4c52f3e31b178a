import Dispatch
import Glibc

/// Turns SIGINT and SIGTERM into calls, in place of ending the process.
final class InterruptSignals {
  enum Signal: String, Sendable {
    case interrupt = "SIGINT"
    case terminate = "SIGTERM"

    var number: Int32 { self == .interrupt ? SIGINT : SIGTERM }
    /// What a shell shows for a process that such a signal ended.
    var exitStatus: Int32 { 128 + number }
  }

  private let sources: [any DispatchSourceSignal]

  /// - Parameter handler: called on a queue of its own, once for each signal that arrives.
  init(handler: @escaping @Sendable (Signal) -> Void) {
    let queue = DispatchQueue(label: "garland.signals")
    sources = [Signal.interrupt, .terminate].map { signal in
      // The default action would end the process before the source sees the signal.
      Glibc.signal(signal.number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: signal.number, queue: queue)
      source.setEventHandler { handler(signal) }
      source.resume()
      return source
    }
  }

  deinit {
    for source in sources { source.cancel() }
    Glibc.signal(SIGINT, SIG_DFL)
    Glibc.signal(SIGTERM, SIG_DFL)
  }
}
