/// The queues of an engine, by origin. One that has nothing to tell is dropped when another one is asked for.
struct OriginQueues {
  private var queues: [Origin: OriginQueue] = [:]
  /// The one that was asked for last: most often it is the next one, too.
  private var last: OriginQueue?

  /// The queue of an origin, made if there is none.
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

  /// Drops a queue if there is nothing in it that would have to be remembered.
  mutating func release(_ queue: OriginQueue) {
    if queue.isForgettable, queue !== last { queues[queue.origin] = nil }
  }

  mutating func removeAll() {
    queues.removeAll()
    last = nil
  }
}
