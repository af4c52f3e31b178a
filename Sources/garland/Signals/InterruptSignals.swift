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

  /// - Parameter handler: called on the main thread, once for each signal that arrives.
  init(handler: @escaping @Sendable (Signal) -> Void) {
    LastResort.prepare()
    MainLoop.shared.setSignalHandler { handler($0 == SIGINT ? .interrupt : .terminate) }
    for signal in [Signal.interrupt, .terminate] {
      Glibc.signal(signal.number) { number in
        LastResort.note(number)
        MainLoop.shared.noteSignal(number)
      }
    }
  }

  deinit {
    Glibc.signal(SIGINT, SIG_DFL)
    Glibc.signal(SIGTERM, SIG_DFL)
    MainLoop.shared.setSignalHandler(nil)
  }
}
