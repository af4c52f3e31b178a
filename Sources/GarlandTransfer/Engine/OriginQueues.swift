/// The queues of waiting transfers of an engine, by origin. A queue that can be forgotten
/// (``OriginQueue/isForgettable``) is removed when the queue of another origin is requested.
struct OriginQueues {
  private var queues: [Origin: OriginQueue] = [:]
  /// The queue that was requested last. The next caller usually requests the same queue.
  private var last: OriginQueue?

  /// Returns the queue of an origin; creates it if necessary.
  mutating func queue(of origin: Origin) -> OriginQueue {
    if let last {
      if last.origin == origin { return last }
      if last.isForgettable { queues[last.origin] = nil }
    }
    let queue = queues[origin] ?? OriginQueue(origin)
    queues[origin] = queue
    last = queue
    return queue
  }

  /// Removes the queue of an origin if no transfer is running or waiting in it and the origin has not negotiated HTTP/2. The queue that was
  /// requested last is always kept.
  mutating func release(_ queue: OriginQueue) {
    if queue.isForgettable, queue !== last { queues[queue.origin] = nil }
  }

  mutating func removeAll() {
    queues.removeAll()
    last = nil
  }
}
