import GarlandTransfer
import Glibc

/// Checks whether the system can create threads for this process.
///
/// A limit of the address space or of the data segment (`ulimit -v`, `ulimit -d`) may prevent new threads, since each thread reserves the
/// maximum size of its stack. The number of a user's threads may be limited too (`ulimit -u`). If no thread can be created, libdispatch,
/// which runs Swift's tasks, waits for a thread forever.
enum ThreadSupply {
  /// The time limit in seconds for starting a thread. If the process is idle and cannot start a thread during this time, the process is
  /// ended.
  private static let patience = 10

  /// The resource limits of this process that may prevent new threads. If the current value of a limit is at most `largest`, an error
  /// message asks for a higher limit, with the text `words`.
  ///
  /// Nearly every system limits the number of threads, usually to some thousands. For this limit, `largest` is low, so that only an
  /// unusually low limit is mentioned.
  private static let limits: [(resource: UInt32, largest: rlim_t, words: String)] = [
    (RLIMIT_AS.rawValue, rlim_t.max - 1, "more address space (`ulimit -v`)"),
    (RLIMIT_DATA.rawValue, rlim_t.max - 1, "more data memory (`ulimit -d`)"),
    (__RLIMIT_NPROC.rawValue, 1024, "more threads (`ulimit -u`)"),
  ]

  /// A phrase for an error message that asks for higher limits, such as "more threads (`ulimit -u`)". It names each limit of this process
  /// that may be too low, joined by "or". Empty if no limit is too low.
  private static let remedy = limits.filter { limit -> Bool in
    var value = rlimit()
    return getrlimit(__rlimit_resource_t(limit.resource), &value) == 0 && value.rlim_cur <= limit.largest
  }.map { $0.words }.joined(separator: " or ")

  /// Checks whether the process can create as many threads as a command may need at the same time. Also prepares the process so that it
  /// ends if a thread cannot be created later.
  ///
  /// - Throws: an error if too few threads can be created.
  static func check() throws(CommandFailure) {
    AddressSpace.watch()
    guard !remedy.isEmpty else { return }
    let wanted = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) * 2 + 4
    let status = start(wanted)
    guard status == 0 else {
      throw .local("\(wanted) threads can't be created: \(String(cString: strerror(status))); allow the process \(remedy)")
    }
    watch()
  }

  /// Starts a number of threads, waits until all of them exist at the same time, and ends them. Returns 0, or the system's error
  /// number.
  private static func start(_ count: Int) -> Int32 {
    var gate = pthread_mutex_t()
    pthread_mutex_init(&gate, nil)
    defer { pthread_mutex_destroy(&gate) }
    var threads: [pthread_t] = []
    var status: Int32 = 0
    withUnsafeMutablePointer(to: &gate) { gate in
      pthread_mutex_lock(gate)
      while threads.count < count, status == 0 {
        var thread = pthread_t()
        status = pthread_create(
          &thread, nil,
          { gate in
            if let gate = gate?.assumingMemoryBound(to: pthread_mutex_t.self) {
              pthread_mutex_lock(gate)
              pthread_mutex_unlock(gate)
            }
            return nil
          }, gate)
        if status == 0 { threads.append(thread) }
      }
      pthread_mutex_unlock(gate)
      for thread in threads { pthread_join(thread, nil) }
    }
    return status
  }

  /// Ends the process if the process is idle for some seconds and no thread can be created in that time. Otherwise, the process would wait
  /// for a thread forever.
  private static func watch() {
    var all = sigset_t()
    var previous = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { _ in
        var failures = 0
        var before = clock()
        while failures < ThreadSupply.patience {
          sleep(1)
          let now = clock()
          // A CPU time of less than 50 ms in a second means that the process did nothing except this check.
          let isIdle = now - before < 50_000
          before = now
          failures = isIdle && ThreadSupply.start(1) != 0 ? failures + 1 : 0
        }
        let words = "error: no further thread can be created: allow the process \(ThreadSupply.remedy)\n"
        _ = words.utf8.withContiguousStorageIfAvailable { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        _exit(4)
      }, nil)
    if status == 0 { pthread_detach(thread) }
  }
}
