import Collections

/// Assigns named resources. A step gets all that it needs at once, or waits. A step that has resources is running and waits for nothing
/// else, so that no two steps can wait for each other.
struct ResourceSlots {
  private var free: [Int]
  /// The waiting steps that have not begun, by resource.
  private var steps: [Heap<TransferSlots.Ticket>]
  /// The waiting items of running loops, and waiting called documents, by resource.
  private var items: [Heap<TransferSlots.Ticket>]
  private var itemCount = 0
  /// How many times each step holds its resources: once, or once for each running item of a loop.
  private var holders: [Int: Int] = [:]

  init(_ counts: [Int]) {
    free = counts
    steps = Array(repeating: [], count: counts.count)
    items = steps
  }

  /// Acquires one of each resource, for a step or without one. If one is unavailable, returns false and lets the ticket wait for it.
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

  /// Releases the resources of a step, or of one item of its loop. Returns whether it held any.
  mutating func giveBackOne(_ uses: [Int], _ step: Int) -> Bool {
    guard !uses.isEmpty, let count = holders[step] else { return false }
    holders[step] = count > 1 ? count - 1 : nil
    giveBack(uses)
    return true
  }

  /// Releases one of each resource.
  mutating func giveBack(_ uses: [Int]) { for resource in uses { free[resource] += 1 } }

  /// Whether any running loops or called documents wait for a resource.
  var haveItemsParked: Bool { itemCount > 0 }

  /// The resources of which at least one is available.
  var available: [Int] { free.indices.filter { free[$0] > 0 } }

  /// Removes and returns the first ticket that waits for a resource of which more than `left` are available. Tickets of steps that have
  /// ended, which `gone` contains by rank, are removed.
  ///
  /// - Parameter onlyItems: whether steps that have not begun are skipped.
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
