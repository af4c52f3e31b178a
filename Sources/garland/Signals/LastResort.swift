import GarlandReports
import Glibc
import Synchronization

/// Ends the process if it does not end by itself: reports can't be written while the output has no
/// reader, and no other code would notice.
///
/// After the second signal, the process has three seconds to end; a third signal ends it at once.
enum LastResort {
  private static let grace: UInt32 = 3
  private static let count = Atomic<Int>(0)
  private static let status = Atomic<Int32>(0)

  /// Initialises the state before any signal can arrive: a handler must not initialise it lazily.
  static func prepare() {
    count.store(0, ordering: .relaxed)
    status.store(0, ordering: .relaxed)
  }

  /// Notes a signal, from within its handler: only atomics and system calls, since any code may
  /// have been interrupted.
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
