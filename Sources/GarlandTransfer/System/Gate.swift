import Glibc

/// Where a thread waits for another to end something.
///
/// `@unchecked Sendable`: a mutex and a condition of the system's, made for use from several threads, at an address that does not change.
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

  /// Wakes those who wait, so that they look again.
  func open() {
    pthread_mutex_lock(mutex)
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Waits until `isOpen` holds. Whoever makes it hold must call ``open()`` afterwards.
  func wait(until isOpen: () -> Bool) {
    pthread_mutex_lock(mutex)
    while !isOpen() { pthread_cond_wait(condition, mutex) }
    pthread_mutex_unlock(mutex)
  }
}
