/// A queue of actions, in order. Actions that result from an action are appended to the queue.
struct ActionQueue {
  var actions: [Scheduler.Action] = []
  private var position = 0
  /// Whether the actions are being executed.
  var isBusy = false

  /// Returns the next action. Returns nil if the queue is empty, so that other work can run.
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
