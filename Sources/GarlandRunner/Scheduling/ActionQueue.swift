/// A queue of actions, in order. Actions that they cause are appended to it.
struct ActionQueue {
  var actions: [Scheduler.Action] = []
  private var position = 0
  /// Whether somebody carries them out.
  var isBusy = false

  /// Returns the next action; nil if there is none, which lets other work run.
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
