import CCurl
import Glibc

/// A thread for work that waits for the disk, the resolver or the kernel. On the engine's thread or a thread of Swift's tasks, such work
/// would delay all other work of this thread.
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
  /// - Parameter name: The name in debuggers and `top -H`, truncated to 15 bytes.
  /// - Returns: Nil, or the reason why the system cannot create a thread.
  package static func start(name: String, _ body: @escaping @Sendable () -> Void) -> String? {
    let work = Unmanaged.passRetained(Work(name, body))
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // Signals belong to the main thread. SIGPIPE, which a write to a closed connection raises, must
    // reach no thread.
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
