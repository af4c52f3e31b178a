import HeapModule

/// Assigns the units of named resources to steps. A step waits until all resources that it needs are available, and then gets all of them
/// at once. A step that holds resources never waits for another resource, so two steps can never wait for each other.
struct ResourceSlots {
  private var free: [Int]
  /// For each resource, a queue of the steps that wait for the resource and have not begun. Each step is represented by its ticket.
  private var steps: [Heap<TransferSlots.Ticket>]
  /// For each resource, a queue of the tickets of called documents and loop items that wait for the resource. The steps to which these
  /// items belong have already begun.
  private var items: [Heap<TransferSlots.Ticket>]
  private var itemCount = 0
  /// The number of times that each step holds its resources: once, or once for each running item of a loop.
  private var holders: [Int: Int] = [:]

  init(_ counts: [Int]) {
    free = counts
    steps = Array(repeating: [], count: counts.count)
    items = steps
  }

  /// Acquires a unit of each given resource for a step; `step` is nil for a called document. If a resource is unavailable, returns false
  /// and adds `ticket` to the queue of steps that wait for the resource.
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

  /// Releases the resources of a step, or of one item of its loop. Returns whether the step held any resources.
  mutating func giveBackOne(_ uses: [Int], _ step: Int) -> Bool {
    guard !uses.isEmpty, let count = holders[step] else { return false }
    holders[step] = count > 1 ? count - 1 : nil
    giveBack(uses)
    return true
  }

  /// Releases a unit of each given resource.
  mutating func giveBack(_ uses: [Int]) { for resource in uses { free[resource] += 1 } }

  /// Whether a called document, or a loop item of a step that has begun, waits for a resource.
  var haveItemsParked: Bool { itemCount > 0 }

  /// The resources of which at least one unit is available.
  var available: [Int] { free.indices.filter { free[$0] > 0 } }

  /// Removes and returns the first ticket that waits for a resource, if more than `left` units of the resource are available. Tickets of
  /// steps that have ended are removed.
  ///
  /// - Parameters:
  ///   - onlyItems: whether only tickets of called documents and of loop items are considered. Tickets of steps that have not begun are
  ///     then skipped.
  ///   - gone: for each rank (position in the start order), whether the step has ended.
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
