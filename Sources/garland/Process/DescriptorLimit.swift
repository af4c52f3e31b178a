import Glibc
import Synchronization

/// The operating system's limit on the number of files and connections that the process can have open.
enum DescriptorLimit {
  private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  /// The maximum number of open files and connections to which the process raises its limit. It is more than a run can use, and less than
  /// the billion that some systems allow.
  private static let most: rlim_t = 1 << 20
  /// The minimum number of free file descriptors. With fewer, no command can send a request.
  private static let least = 16
  /// A sufficient number of descriptors for everything that a command opens, except for its transfers.
  private static let plenty = 256
  private static let inherited = Mutex<rlimit?>(nil)

  /// The current limit on the number of open descriptors.
  static var current: Int {
    var limit = rlimit()
    return getrlimit(resource, &limit) == 0 ? Int(clamping: min(limit.rlim_cur, most)) : 1_024
  }

  /// The number of open descriptors. Only the first 4,096 are counted.
  static var openCount: Int { (0..<Int32(min(current, 4_096))).count { fcntl($0, F_GETFD) >= 0 } }

  /// Raises the limit on open descriptors to the system's maximum. The usual default of 1,024 exists only for programs that use
  /// `select(2)`.
  ///
  /// - Throws: an error if the system's maximum leaves too few free descriptors for any command to send a request.
  static func raise() throws(CommandFailure) {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    let allowed = min(limit.rlim_max, most)
    if limit.rlim_cur < allowed {
      inherited.withLock { $0 = limit }
      limit.rlim_cur = allowed
      _ = setrlimit(resource, &limit)
    }
    guard current < plenty else { return }
    let left = current - openCount
    if left < least { throw tooFew(atLeast: current - left + least) }
  }

  /// Makes the Swift runtime run its first task now, on another thread, while a descriptor is free. The runtime opens a descriptor for its
  /// first task. If no descriptor were free at that moment, libdispatch would end the process.
  ///
  /// - Parameter isScarce: whether descriptors may run out during the run, even if the process's limit for descriptors is high.
  static func provideForTasks(isScarce: Bool = false) async {
    guard isScarce || current < plenty else { return }
    await Task.detached { try? await Task.sleep(for: .nanoseconds(1), clock: .continuous) }.value
  }

  /// Calls `start`, which starts a program. During the call, this process has its original limit on open files, so that the program
  /// inherits this limit. The program may use `select(2)`, which does not work with high descriptors.
  static func asInherited<Value: Sendable>(_ start: () -> Value) -> Value {
    // Only one start at a time is allowed, since a second one would save the lowered limit as the original.
    inherited.withLock { before in
      guard var before else { return start() }
      var raised = rlimit()
      // For a moment, no descriptor above the lowered limit can be opened. Descriptors that are already open stay open.
      guard getrlimit(resource, &raised) == 0, setrlimit(resource, &before) == 0 else { return start() }
      defer { _ = setrlimit(resource, &raised) }
      return start()
    }
  }

  static func tooFew(atLeast least: Int) -> CommandFailure {
    .local("too few files and connections may be open at once: \(current) (`ulimit -n`), at least \(least) are needed")
  }
}
