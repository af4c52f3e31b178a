/// The timers of an engine, the next timer first.
///
/// The heap is binary. Each entry stores its position, so that an entry can be removed from the middle: nearly every timeout is cancelled
/// long before it is due, and cancelled timeouts must not remain in the heap.
struct TimerHeap {
  private var entries: [LoopTimer] = []

  var nextDue: UInt64? { entries.first?.due }

  mutating func insert(_ timer: LoopTimer) {
    timer.index = entries.count
    entries.append(timer)
    moveUp(timer.index)
  }

  mutating func remove(_ timer: LoopTimer) {
    let index = timer.index
    guard index >= 0, index < entries.count, entries[index] === timer else { return }
    timer.index = -1
    let last = entries.removeLast()
    guard last !== timer else { return }
    entries[index] = last
    last.index = index
    moveUp(index)
    moveDown(last.index)
  }

  /// Removes and returns the next timer if it is due at `now`; otherwise returns nil.
  mutating func popDue(at now: UInt64) -> LoopTimer? {
    guard let first = entries.first, first.due <= now else { return nil }
    remove(first)
    return first
  }

  private mutating func moveUp(_ start: Int) {
    var index = start
    while index > 0 {
      let parent = (index - 1) / 2
      if entries[parent].due <= entries[index].due { return }
      swap(index, parent)
      index = parent
    }
  }

  private mutating func moveDown(_ start: Int) {
    var index = start
    while true {
      let left = 2 * index + 1
      guard left < entries.count else { return }
      let right = left + 1
      let child = right < entries.count && entries[right].due < entries[left].due ? right : left
      if entries[index].due <= entries[child].due { return }
      swap(index, child)
      index = child
    }
  }

  private mutating func swap(_ left: Int, _ right: Int) {
    entries.swapAt(left, right)
    entries[left].index = left
    entries[right].index = right
  }
}
