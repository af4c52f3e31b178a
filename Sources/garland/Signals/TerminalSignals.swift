import GarlandReports
import Glibc

/// Shows the cursor again when Ctrl-Z stops the program or Ctrl-\ ends it at once, and redraws the
/// live view when it continues.
final class TerminalSignals {
  private let taken: [Int32]

  init() {
    taken = [SIGTSTP, SIGCONT, SIGQUIT].filter { !SignalDisposition.isIgnored($0) }
    // Only atomics and system calls: any code may have been interrupted.
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
        // Also after SIGSTOP, which a process cannot notice.
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
