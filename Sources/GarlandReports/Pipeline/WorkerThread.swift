import Glibc

/// Starts threads for work that may block, such as writing to a pipe.
enum WorkerThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs `body` on a new, detached thread. Returns 0, or the system's error number if the thread cannot be started.
  static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    guard status == 0 else {
      work.release()
      return status
    }
    pthread_detach(thread)
    return 0
  }
}
