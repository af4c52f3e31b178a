import CCurl
import Glibc

/// A thread for work that waits, for the disk, the resolver or the kernel: neither the engine's thread nor those of Swift's tasks are held up
/// by it.
package enum WorkerThread {
  private final class Work: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// Runs `body` on a new thread, which receives no signals.
  ///
  /// - Parameter name: what debuggers and `top -H` show, cut after 15 bytes.
  /// - Returns: nil, or why the system has no thread to give.
  package static func start(name: String, _ body: @escaping @Sendable () -> Void) -> String? {
    let work = Unmanaged.passRetained(Work(name, body))
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // Signals belong to the main thread; and SIGPIPE, which a write to a closed connection raises, must reach nobody.
    var all = sigset_t()
    var previous = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &previous)
    let status = pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument else { return nil }
        let work = Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
        garland_name_thread(work.name)
        work.body()
        return nil
      }, work.toOpaque())
    pthread_sigmask(SIG_SETMASK, &previous, nil)
    guard status != 0 else { return nil }
    work.release()
    return systemMessage(status)
  }
}
