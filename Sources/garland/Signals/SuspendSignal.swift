import GarlandReports
import Glibc

/// Gives the terminal its cursor back when Ctrl-Z stops the program, and lets the live view be drawn anew when it goes on.
final class SuspendSignal {
  init() {
    let previous = Glibc.signal(SIGTSTP) { _ in
      // Nothing but an atomic and system calls: anything may have been interrupted.
      TerminalRestoration.suspend()
      kill(getpid(), SIGSTOP)
    }
    // A shell without job control has it ignored, and means that.
    if unsafeBitCast(previous, to: Int.self) == 1 { Glibc.signal(SIGTSTP, SIG_IGN) }
  }

  deinit { Glibc.signal(SIGTSTP, SIG_DFL) }
}
