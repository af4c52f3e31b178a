import GarlandReports
import Glibc
import Synchronization

/// Forces the process to end if it does not end by itself. Otherwise the process could hang unnoticed, for example while a report waits for
/// a program that no longer reads its output.
///
/// After a second interrupt, such as Ctrl-C, the process has three seconds to end. A third interrupt ends it immediately.
enum LastResort {
  private static let grace: UInt32 = 3
  private static let count = Atomic<Int>(0)
  private static let status = Atomic<Int32>(0)

  /// Sets the number of received signals and the stored exit status to 0. Call this function before any signal can arrive, since a signal
  /// handler must not initialise these variables.
  static func prepare() {
    count.store(0, ordering: .relaxed)
    status.store(0, ordering: .relaxed)
  }

  /// Records a signal. A signal handler calls this function, so it uses only atomics and system calls, which are allowed there.
  static func note(_ number: Int32) {
    let count = count.wrappingAdd(1, ordering: .relaxed).newValue
    guard count > 1 else { return }
    status.store(128 + number, ordering: .relaxed)
    guard count == 2 else { end() }
    Glibc.signal(SIGALRM) { _ in LastResort.end() }
    alarm(grace)
  }

  private static func end() -> Never {
    TerminalRestoration.suspend()
    _exit(status.load(ordering: .relaxed))
  }
}
