import GarlandTransfer
import Glibc

/// Whether the system has threads for this process. Where it may not have much address space (`ulimit -v`) there may be none left, since each reserves as much for
/// its stack as that may grow to; and libdispatch, which Swift's tasks run on, waits for one without end.
enum ThreadSupply {
  /// The seconds for which an idle process may be unable to start a thread.
  private static let patience = 10

  /// Looks whether there are as many threads as a command may have at once, and sees to it that it ends where there are none later.
  ///
  /// - Throws: if there are too few.
  static func check() throws(CommandFailure) {
    guard AddressSpace.isLimited else { return }
    AddressSpace.share()
    let wanted = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) * 2 + 4
    let status = start(wanted)
    guard status == 0 else {
      throw .local(
        "there is not enough memory for \(wanted) threads: \(String(cString: strerror(status))); the process may have more address space (`ulimit -v`)"
      )
    }
    watch()
  }

  /// Starts so many threads that are all there at once, and end then; 0, or why there are no more.
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

  /// Ends the process when for some seconds no thread can be had, and nothing is done: then it waits for one, and for ever.
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
          // Less than 50 ms of CPU time in a second: the process did nothing but this check.
          let isIdle = now - before < 50_000
          before = now
          failures = isIdle && ThreadSupply.start(1) != 0 ? failures + 1 : 0
        }
        let words = "error: there is no memory for another thread: the process may have more address space (`ulimit -v`)\n"
        _ = words.utf8.withContiguousStorageIfAvailable { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        _exit(4)
      }, nil)
    if status == 0 { pthread_detach(thread) }
  }
}
