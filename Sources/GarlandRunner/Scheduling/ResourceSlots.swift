import Collections

/// Hands out named resources: all that a step needs at once, or it waits. Nobody waits while holding a part, so that no two wait for each other.
struct ResourceSlots {
  private var free: [Int]
  private var parked: [Heap<TransferSlots.Ticket>]
  /// How often each step has what it needs: once, or once for each item of a loop at work.
  private var holders: [Int: Int] = [:]

  init(_ counts: [Int]) {
    free = counts
    parked = Array(repeating: [], count: counts.count)
  }

  /// Takes one of each for a step. If one is not there, the ticket waits for it.
  mutating func take(_ uses: [Int], _ step: Int, orPark ticket: TransferSlots.Ticket) -> Bool {
    for resource in uses where free[resource] == 0 {
      parked[resource].insert(ticket)
      return false
    }
    for resource in uses { free[resource] -= 1 }
    if !uses.isEmpty { holders[step, default: 0] += 1 }
    return true
  }

  /// Gives back what an item of a loop, or a step, had. Gives whether it had anything.
  mutating func giveBackOne(_ uses: [Int], _ step: Int) -> Bool {
    guard !uses.isEmpty, let count = holders[step] else { return false }
    holders[step] = count > 1 ? count - 1 : nil
    for resource in uses { free[resource] += 1 }
    return true
  }

  /// Gives back all that a step has.
  mutating func giveBackAll(_ uses: [Int], _ step: Int) -> Bool {
    var hadAny = false
    while giveBackOne(uses, step) { hadAny = true }
    return hadAny
  }

  /// The first who waits for a resource of which there is some, taken out of the line. Those who are marked as gone, by rank, lose their place.
  mutating func nextParked(for resource: Int, gone: [Bool]) -> TransferSlots.Ticket? {
    while free[resource] > 0, let ticket = parked[resource].popMin() {
      if !gone[ticket.rank] { return ticket }
    }
    return nil
  }
}
