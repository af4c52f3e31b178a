import Collections

/// Assigns named resources: all that a step needs at once, or it waits. A step with resources is
/// running and waits for nothing else, so that no two steps wait for each other.
struct ResourceSlots {
  private var free: [Int]
  /// Steps that have not begun.
  private var steps: [Heap<TransferSlots.Ticket>]
  /// Items of loops at work, and called documents.
  private var items: [Heap<TransferSlots.Ticket>]
  private var itemCount = 0
  /// How often each step holds its resources: once, or once for each running item of a loop.
  private var holders: [Int: Int] = [:]

  init(_ counts: [Int]) {
    free = counts
    steps = Array(repeating: [], count: counts.count)
    items = steps
  }

  /// Takes one of each resource, for a step or without one. If one is missing, the ticket waits for
  /// it.
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

  /// Gives back the resources of an item of a loop, or of a step. Returns whether it held any.
  mutating func giveBackOne(_ uses: [Int], _ step: Int) -> Bool {
    guard !uses.isEmpty, let count = holders[step] else { return false }
    holders[step] = count > 1 ? count - 1 : nil
    giveBack(uses)
    return true
  }

  /// Gives back one of each resource.
  mutating func giveBack(_ uses: [Int]) { for resource in uses { free[resource] += 1 } }

  /// Whether any who are at work wait for something.
  var haveItemsParked: Bool { itemCount > 0 }

  /// The resources of which there are some.
  var available: [Int] { free.indices.filter { free[$0] > 0 } }

  /// Takes, from the line, the first ticket that waits for a resource of which more than `left` are free. Tickets of ended steps, by rank, lose their place.
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
