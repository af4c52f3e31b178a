import GarlandReports
import Glibc
import Synchronization

/// Ends the process when it does not end by itself: reports can't be written while nobody reads what is printed, and nothing else would notice.
///
/// After the second signal there are three seconds for the end that was asked for; a third signal does not wait.
enum LastResort {
  private static let grace: UInt32 = 3
  private static let count = Atomic<Int>(0)
  private static let status = Atomic<Int32>(0)

  /// To be called before any signal can come: what is made lazily must not be made in a handler.
  static func prepare() {
    count.store(0, ordering: .relaxed)
    status.store(0, ordering: .relaxed)
  }

  /// Takes note of a signal, from within its handler: nothing but atomics and system calls, since anything may have been interrupted.
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
