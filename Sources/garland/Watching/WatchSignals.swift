import Glibc
import Synchronization

/// The signals of a process that waits for changes. Each signal is written as a byte to a pipe, so that `poll` can wait for it.
final class WatchSignals {
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
      action.sa_flags = SA_RESTART
      action.__sigaction_handler.sa_handler = { number in
        let before = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = Glibc.write(WatchSignals.writing.load(ordering: .relaxed), &byte, 1)
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

  /// Returns and removes the numbers of the pending signals.
  func take() -> [Int32] {
    var found: [Int32] = []
    var byte: UInt8 = 0
    while read(descriptor, &byte, 1) == 1 { found.append(Int32(byte)) }
    return found
  }
}
