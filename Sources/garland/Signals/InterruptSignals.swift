import Glibc
import Synchronization

/// Handles SIGINT, SIGTERM, SIGHUP and SIGXCPU by calling a handler, instead of ending the process. Signals that the parent process ignores
/// stay ignored.
final class InterruptSignals {
  enum Signal: String, Sendable, CaseIterable {
    case interrupt = "SIGINT"
    case terminate = "SIGTERM"
    case hangUp = "SIGHUP"
    case processorTime = "SIGXCPU"

    var number: Int32 {
      switch self {
      case .interrupt: SIGINT
      case .terminate: SIGTERM
      case .hangUp: SIGHUP
      case .processorTime: SIGXCPU
      }
    }
    /// The exit status that shells report for a process that was ended by this signal.
    var exitStatus: Int32 { 128 + number }
  }

  /// Whether SIGHUP has arrived. When a terminal is closed, both the kernel and the shell send SIGHUP, which counts as only one signal.
  private static let hasHungUp = Atomic(false)
  /// The ID of the only process whose signals are handled. Signals from other processes, except SIGXCPU, are ignored. If the ID is 0,
  /// signals from all processes are handled.
  private static let sender = Atomic<pid_t>(0)
  private let taken: [Signal]
  private let timer: ProcessorTimer?

  /// Begins to handle signals.
  ///
  /// - Parameters:
  ///   - forwarded: whether the parent process sends each signal that it receives to this process, too. If true, this process handles only
  ///     these signals and SIGXCPU, until the parent ends. Thus a signal to the whole process group is handled only once.
  ///   - handler: called on the main thread, once for each signal that is handled.
  init(forwarded: Bool = false, handler: @escaping @Sendable (Signal) -> Void) {
    LastResort.prepare()
    Self.sender.store(forwarded ? getppid() : 0, ordering: .relaxed)
    Self.hasHungUp.store(false, ordering: .relaxed)
    MainLoop.shared.setSignalHandler { number in
      if let signal = Signal.allCases.first(where: { $0.number == number }) { handler(signal) }
    }
    taken = Signal.allCases.filter { !SignalDisposition.isIgnored($0.number) }
    for signal in taken {
      var action = sigaction()
      action.sa_flags = SA_SIGINFO | SA_RESTART
      action.__sigaction_handler.sa_sigaction = { number, info, _ in
        let sender = InterruptSignals.sender.load(ordering: .relaxed)
        if sender != 0, number != SIGXCPU, sender == getppid(), info?.pointee._sifields._kill.si_pid != sender { return }
        if number == SIGHUP, InterruptSignals.hasHungUp.exchange(true, ordering: .relaxed) { return }
        LastResort.note(number)
        MainLoop.shared.noteSignal(number)
      }
      sigaction(signal.number, &action, nil)
    }
    timer = ProcessorTimer()
  }

  deinit {
    for signal in taken { Glibc.signal(signal.number, SIG_DFL) }
    MainLoop.shared.setSignalHandler(nil)
  }
}
