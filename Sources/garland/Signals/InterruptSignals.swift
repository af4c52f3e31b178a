import Glibc
import Synchronization

/// Handles SIGINT, SIGTERM and SIGHUP by calling a handler, instead of ending the process. Signals that the parent process ignores stay
/// ignored.
final class InterruptSignals {
  enum Signal: String, Sendable, CaseIterable {
    case interrupt = "SIGINT"
    case terminate = "SIGTERM"
    case hangUp = "SIGHUP"

    var number: Int32 {
      switch self {
      case .interrupt: SIGINT
      case .terminate: SIGTERM
      case .hangUp: SIGHUP
      }
    }
    /// The exit status that shells report for a process that was ended by this signal.
    var exitStatus: Int32 { 128 + number }
  }

  /// Whether SIGHUP has arrived. When a terminal is closed, both the kernel and the shell send SIGHUP, which counts as only one signal.
  private static let hasHungUp = Atomic(false)
  private let taken: [Signal]

  /// Begins to handle signals.
  ///
  /// - Parameter handler: called on the main thread, once for each signal that arrives.
  init(handler: @escaping @Sendable (Signal) -> Void) {
    LastResort.prepare()
    Self.hasHungUp.store(false, ordering: .relaxed)
    MainLoop.shared.setSignalHandler { number in
      if let signal = Signal.allCases.first(where: { $0.number == number }) { handler(signal) }
    }
    taken = Signal.allCases.filter { !SignalDisposition.isIgnored($0.number) }
    for signal in taken {
      Glibc.signal(signal.number) { number in
        if number == SIGHUP, InterruptSignals.hasHungUp.exchange(true, ordering: .relaxed) { return }
        LastResort.note(number)
        MainLoop.shared.noteSignal(number)
      }
    }
  }

  deinit {
    for signal in taken { Glibc.signal(signal.number, SIG_DFL) }
    MainLoop.shared.setSignalHandler(nil)
  }
}
