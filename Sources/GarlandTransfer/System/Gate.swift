import Glibc

/// A condition that one thread waits for and another thread signals.
///
/// `@unchecked Sendable`: the system's mutex and condition variable may be used from several threads if their addresses do not change. Both
/// are allocated separately, so their addresses are fixed.
final class Gate: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Wakes the threads that wait in ``wait(until:)``, so that each of them calls `isOpen` again.
  func open() {
    pthread_mutex_lock(mutex)
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Waits until `isOpen` returns true. The thread that changes the condition must call ``open()``
  /// afterwards.
  func wait(until isOpen: () -> Bool) {
    pthread_mutex_lock(mutex)
    while !isOpen() { pthread_cond_wait(condition, mutex) }
    pthread_mutex_unlock(mutex)
  }
}
