/// The queues of an engine by origin. A queue without any information is dropped when another one
/// is requested.
struct OriginQueues {
  private var queues: [Origin: OriginQueue] = [:]
  /// The queue requested last, which is usually the next one too.
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

  /// Drops a queue that contains nothing to remember.
  mutating func release(_ queue: OriginQueue) {
    if queue.isForgettable, queue !== last { queues[queue.origin] = nil }
  }

  mutating func removeAll() {
    queues.removeAll()
    last = nil
  }
}
