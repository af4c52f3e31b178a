import Glibc
import Synchronization

/// The signals of a process that waits for changes. Each signal is written as a byte to a pipe, so that `poll` can wait for it.
final class WatchSignals {
  /// A signal that has arrived.
  struct Arrival {
    let number: Int32
    /// Whether the terminal sent the signal. In this case, the child process has received it, too.
    let isFromTerminal: Bool
  }

  private static let writing = Atomic<Int32>(-1)
  private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGCHLD]
  /// The descriptor that becomes readable when a signal arrives.
  let descriptor: Int32
  private let end: Int32

  init() throws(CommandFailure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw .local("signals can't be received: \(String(cString: strerror(errno)))")
    }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (descriptor, end) = (ends[0], ends[1])
    Self.writing.store(end, ordering: .relaxed)
    for number in Self.numbers where number == SIGCHLD || !SignalDisposition.isIgnored(number) {
      var action = sigaction()
      action.sa_flags = SA_SIGINFO | SA_RESTART
      action.__sigaction_handler.sa_sigaction = { number, info, _ in
        let before = errno
        // The kernel's own signals have positive codes, those of kill(2) have none.
        let isFromTerminal: UInt8 = (info?.pointee.si_code ?? 0) > 0 ? 1 : 0
        var bytes: (UInt8, UInt8) = (UInt8(truncatingIfNeeded: number), isFromTerminal)
        // Both bytes are written or none, since two bytes are fewer than PIPE_BUF.
        _ = Glibc.write(WatchSignals.writing.load(ordering: .relaxed), &bytes, 2)
        errno = before
      }
      sigaction(number, &action, nil)
    }
  }

  deinit {
    for number in Self.numbers where !SignalDisposition.isIgnored(number) { signal(number, SIG_DFL) }
    Self.writing.store(-1, ordering: .relaxed)
    close(descriptor)
    close(end)
  }

  /// Returns and removes the pending signals.
  func take() -> [Arrival] {
    var found: [Arrival] = []
    var bytes: [UInt8] = [0, 0]
    while read(descriptor, &bytes, 2) == 2 { found.append(Arrival(number: Int32(bytes[0]), isFromTerminal: bytes[1] == 1)) }
    return found
  }
}
