import GarlandReports
import Glibc

/// Shows the cursor again when Ctrl-Z stops the program or Ctrl-\ ends it immediately, and redraws
/// the live view when the program continues.
final class TerminalSignals {
  private let taken: [Int32]

  init() {
    taken = [SIGTSTP, SIGCONT, SIGQUIT].filter { !SignalDisposition.isIgnored($0) }
    // A signal handler may use only atomics and system calls, since any code may have been interrupted.
    for number in taken {
      switch number {
      case SIGTSTP:
        Glibc.signal(number) { _ in
          TerminalRestoration.restore()
          kill(getpid(), SIGSTOP)
          // This is done last, so that no frame hides the cursor in between.
          TerminalRestoration.noteContinuation()
        }
      case SIGCONT:
        // This is also called after SIGSTOP, which a process cannot handle.
        Glibc.signal(number) { _ in TerminalRestoration.noteContinuation() }
      default:
        Glibc.signal(number) { number in
          TerminalRestoration.restore()
          // The signal is blocked while it is handled, and then ends the process in the default way.
          Glibc.signal(number, SIG_DFL)
          kill(getpid(), number)
        }
      }
    }
  }

  deinit { for number in taken { Glibc.signal(number, SIG_DFL) } }
}
