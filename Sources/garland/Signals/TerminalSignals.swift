import GarlandReports
import Glibc

/// Gives the terminal its cursor back when Ctrl-Z stops the program or Ctrl-\ ends it at once, and has the live view drawn anew when it goes on.
final class TerminalSignals {
  private let taken: [Int32]

  init() {
    taken = [SIGTSTP, SIGCONT, SIGQUIT].filter { !SignalDisposition.isIgnored($0) }
    // Nothing but atomics and system calls: anything may have been interrupted.
    for number in taken {
      switch number {
      case SIGTSTP:
        Glibc.signal(number) { _ in
          TerminalRestoration.restore()
          kill(getpid(), SIGSTOP)
          // Only now, so that no frame hides the cursor in between.
          TerminalRestoration.noteContinuation()
        }
      case SIGCONT:
        // Also after SIGSTOP, of which nobody is told.
        Glibc.signal(number) { _ in TerminalRestoration.noteContinuation() }
      default:
        Glibc.signal(number) { number in
          TerminalRestoration.restore()
          // Blocked while it is handled; then it ends the process as it would have.
          Glibc.signal(number, SIG_DFL)
          kill(getpid(), number)
        }
      }
    }
  }

  deinit { for number in taken { Glibc.signal(number, SIG_DFL) } }
}
