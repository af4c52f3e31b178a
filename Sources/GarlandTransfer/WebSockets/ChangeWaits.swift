/// The tasks that wait until the state of a connection changes.
struct ChangeWaits {
  /// The event that ends the wait of a task: a change, the end of the time limit, or the cancellation of the task.
  enum Wake: Sendable { case changed, timeUp, cancelled }

  private var waiting: [Int: ResultSlot<Wake>] = [:]
  private var last = 0

  /// Begins to wait for a change of the connection's state. The returned slot later receives the event that ends the wait.
  mutating func begin() -> (id: Int, slot: ResultSlot<Wake>) {
    last += 1
    let slot = ResultSlot<Wake>()
    waiting[last] = slot
    return (last, slot)
  }

  mutating func wake(_ id: Int, _ wake: Wake) { waiting.removeValue(forKey: id)?.fill(wake) }

  mutating func wakeAll() {
    let all = waiting
    waiting = [:]
    for slot in all.values { slot.fill(.changed) }
  }
}
