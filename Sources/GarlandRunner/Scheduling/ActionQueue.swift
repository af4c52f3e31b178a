/// A queue of the scheduler's actions. While an action is executed, further actions that result
/// from it are appended to the queue.
struct ActionQueue {
  var actions: [Scheduler.Action] = []
  private var position = 0
  /// Whether actions are being executed. If true, new actions are appended to the queue, and executed after the current ones.
  var isBusy = false

  /// Returns the next action, or nil if the queue is empty.
  mutating func next() -> Scheduler.Action? {
    guard position < actions.count else {
      actions.removeAll(keepingCapacity: true)
      position = 0
      return nil
    }
    defer { position += 1 }
    return actions[position]
  }
}
