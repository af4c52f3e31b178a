/// What is to be carried out, in order. What that leads to is queued behind.
struct ActionQueue {
  var actions: [Scheduler.Action] = []
  private var position = 0
  /// Whether somebody carries them out.
  var isBusy = false

  /// The next one; nil if there is none, and then there is room for others.
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
