import Collections

/// Hands out named resources: all that a step needs at once, or it waits. Who has them is at work, and waits for nothing else, so that no two wait for
/// each other.
struct ResourceSlots {
  private var free: [Int]
  /// Steps that have not begun.
  private var steps: [Heap<TransferSlots.Ticket>]
  /// Items of loops at work, and called documents.
  private var items: [Heap<TransferSlots.Ticket>]
  private var itemCount = 0
  /// How often each step has what it needs: once, or once for each item of a loop at work.
  private var holders: [Int: Int] = [:]

  init(_ counts: [Int]) {
    free = counts
    steps = Array(repeating: [], count: counts.count)
    items = steps
  }

  /// Takes one of each for a step, or for nobody in particular. If one is not there, the ticket waits for it.
  mutating func take(_ uses: [Int], _ step: Int?, orPark ticket: TransferSlots.Ticket) -> Bool {
    for resource in uses where free[resource] == 0 {
      if ticket.iteration == nil {
        steps[resource].insert(ticket)
      } else {
        items[resource].insert(ticket)
        itemCount += 1
      }
      return false
    }
    for resource in uses { free[resource] -= 1 }
    if !uses.isEmpty, let step { holders[step, default: 0] += 1 }
    return true
  }

  /// Gives back what an item of a loop, or a step, had. Gives whether it had anything.
  mutating func giveBackOne(_ uses: [Int], _ step: Int) -> Bool {
    guard !uses.isEmpty, let count = holders[step] else { return false }
    holders[step] = count > 1 ? count - 1 : nil
    giveBack(uses)
    return true
  }

  /// Gives back one of each.
  mutating func giveBack(_ uses: [Int]) { for resource in uses { free[resource] += 1 } }

  /// Whether any who are at work wait for something.
  var haveItemsParked: Bool { itemCount > 0 }

  /// The resources of which there are some.
  var available: [Int] { free.indices.filter { free[$0] > 0 } }

  /// The first who waits for a resource of which there is more than so many, taken out of the line. Those who are marked as gone, by rank, lose their
  /// place.
  ///
  /// - Parameter onlyItems: passes over steps that have not begun.
  mutating func nextParked(for resource: Int, leaving left: Int = 0, onlyItems: Bool = false, gone: [Bool]) -> TransferSlots.Ticket? {
    while free[resource] > left {
      let step = onlyItems ? nil : steps[resource].min
      let item = items[resource].min
      guard let ticket = [step, item].compactMap({ $0 }).min() else { return nil }
      if ticket == step {
        steps[resource].removeMin()
      } else {
        items[resource].removeMin()
        itemCount -= 1
      }
      if !gone[ticket.rank] { return ticket }
    }
    return nil
  }
}
