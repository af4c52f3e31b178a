import GarlandResults
import Glibc
import Synchronization

/// A queue that passes the events of a run to the thread that writes the reports.
///
/// Waking a thread costs more than reporting a request, so the consumer gathers events for 20 ms before it handles them. This limits the
/// number of wake-ups to 50 in a second, regardless of the speed of the run.
///
/// `@unchecked Sendable`: all mutable state is read and written only between `lock()` and `unlock()`.
final class EventQueue: @unchecked Sendable {
  /// The limits of the queue, such as the limits for the number and the size of the waiting events.
  struct Limits: Sendable {
    /// The maximum number of waiting events at which the run still starts further steps. `softBytes` is the limit for the size of the
    /// bodies in these events.
    var softCount = 4_096
    /// The number of bytes in the queue above which the run should start no further step; see `softCount`.
    var softBytes = 8 << 20
    /// The factor by which the hard limits of the queue exceed its soft limits. At a hard limit, the thread that adds an event is blocked.
    var hardFactor = 4
    /// The maximum time for which the consumer waits for further events before it takes the events in the queue.
    var gathering = Duration.milliseconds(20)
  }

  struct Batch {
    var events: [RunEvent]
    /// Whether the queue was closed, so that this is the last batch.
    var isLast: Bool
  }

  private enum Consumer { case busy, waitsForAny, gathers }

  private let limits: Limits
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let consumerWakes: UnsafeMutablePointer<pthread_cond_t>
  private let producerWakes: UnsafeMutablePointer<pthread_cond_t>
  private let behind = Atomic<Bool>(false)
  private var events: [RunEvent] = []
  private var bytes = 0
  private var isClosed = false
  private var consumer = Consumer.busy
  private var waiters: [CheckedContinuation<Void, Never>] = []

  init(limits: Limits = Limits()) {
    self.limits = limits
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    consumerWakes = .allocate(capacity: 1)
    consumerWakes.initialize(to: pthread_cond_t())
    producerWakes = .allocate(capacity: 1)
    producerWakes.initialize(to: pthread_cond_t())
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(consumerWakes, &attributes)
    pthread_cond_init(producerWakes, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(consumerWakes)
    pthread_cond_destroy(producerWakes)
    pthread_mutex_destroy(mutex)
    consumerWakes.deallocate()
    producerWakes.deallocate()
    mutex.deallocate()
  }

  /// Whether so many events are waiting that the run should start no further step.
  var isBehind: Bool { behind.load(ordering: .relaxed) }

  /// Adds an event to the queue; drops the event if the queue is closed. If the waiting events exceed a hard limit of the queue
  /// (`hardFactor` times its soft limit), this call blocks until the consumer has taken a batch.
  ///
  /// - Parameter weight: the number of bytes of the bodies that the event contains.
  func put(_ event: RunEvent, bytes weight: Int) {
    pthread_mutex_lock(mutex)
    while !isClosed, exceeds(limits.hardFactor) { pthread_cond_wait(producerWakes, mutex) }
    if !isClosed {
      events.append(event)
      bytes += weight
      if exceeds(1) { behind.store(true, ordering: .relaxed) }
      switch consumer {
      case .waitsForAny: pthread_cond_signal(consumerWakes)
      case .gathers: if isBehind { pthread_cond_signal(consumerWakes) }
      case .busy: break
      }
    }
    pthread_mutex_unlock(mutex)
  }

  /// Closes the queue: later events are dropped, and the consumer's next batch is the last one.
  func close() {
    pthread_mutex_lock(mutex)
    isClosed = true
    pthread_cond_broadcast(consumerWakes)
    pthread_cond_broadcast(producerWakes)
    pthread_mutex_unlock(mutex)
  }

  /// If too many events wait (``isBehind``), waits until the consumer has taken them. Otherwise returns immediately.
  func waitUntilTaken() async {
    guard isBehind else { return }
    await withCheckedContinuation { continuation in
      pthread_mutex_lock(mutex)
      let stillBehind = isBehind && !isClosed
      if stillBehind { waiters.append(continuation) }
      pthread_mutex_unlock(mutex)
      if !stillBehind { continuation.resume() }
    }
  }

  /// Waits until the queue contains events, and removes all of them from the queue. The wait takes at most the time `patience`, or has no
  /// limit if `patience` is nil.
  func take(within patience: Duration?) -> Batch {
    pthread_mutex_lock(mutex)
    if events.isEmpty, !isClosed {
      consumer = .waitsForAny
      wait(until: patience.map(EventQueue.deadline(in:))) { !events.isEmpty }
    }
    if !events.isEmpty, !isBehind, !isClosed {
      consumer = .gathers
      wait(until: EventQueue.deadline(in: min(limits.gathering, patience ?? limits.gathering))) { isBehind }
    }
    consumer = .busy
    var taken: [RunEvent] = []
    taken.reserveCapacity(min(events.count, limits.softCount))
    swap(&taken, &events)
    bytes = 0
    behind.store(false, ordering: .relaxed)
    let resumable = waiters
    waiters = []
    let isLast = isClosed
    pthread_cond_broadcast(producerWakes)
    pthread_mutex_unlock(mutex)
    for waiter in resumable { waiter.resume() }
    return Batch(events: taken, isLast: isLast)
  }

  private func exceeds(_ factor: Int) -> Bool {
    events.count >= limits.softCount * factor || bytes >= limits.softBytes * factor
  }

  /// Waits until `condition` is true, the queue is closed, or the deadline is reached. The caller must hold the mutex.
  private func wait(until deadline: timespec?, _ condition: () -> Bool) {
    while !condition(), !isClosed {
      guard var deadline else {
        pthread_cond_wait(consumerWakes, mutex)
        continue
      }
      if pthread_cond_timedwait(consumerWakes, mutex, &deadline) == ETIMEDOUT { return }
    }
  }

  private static func deadline(in duration: Duration) -> timespec {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let microseconds = time.tv_nsec / 1_000 + max(0, Readable.microseconds(duration))
    return timespec(tv_sec: time.tv_sec + microseconds / 1_000_000, tv_nsec: microseconds % 1_000_000 * 1_000)
  }
}
