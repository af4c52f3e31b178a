import HeapModule

/// Assigns the units of named resources to steps. A step waits until all resources that it needs are available, and then gets all of them
/// at once. A step that holds resources never waits for another resource, so two steps can never wait for each other.
struct ResourceSlots {
  private var free: [Int]
  /// For each resource, a queue of the steps that wait for the resource and have not begun. Each step is represented by its ticket.
  private var steps: [Heap<TransferSlots.Ticket>]
  /// For each resource, a queue of tickets. Each ticket belongs to a loop item or a call that waits for the resource, and whose step has
  /// already begun.
  private var items: [Heap<TransferSlots.Ticket>]
  private var itemCount = 0
  /// The steps that hold resources now. The key is the index of a step. The value is the number of the step's running loop items, or 1 for
  /// a step without a loop.
  private var holders: [Int: Int] = [:]

  init(_ counts: [Int]) {
    free = counts
    steps = Array(repeating: [], count: counts.count)
    items = steps
  }

  /// Acquires a unit of each given resource. If one of the resources has no free unit, acquires nothing, adds `ticket` to the queue of
  /// steps that wait for this resource, and returns false.
  ///
  /// - Parameter step: the step that holds the units; nil if a called document holds them.
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

  /// Whether a called document, or an item of a running loop, waits for a resource.
  var haveItemsParked: Bool { itemCount > 0 }

  /// The resources of which at least one unit is available.
  var available: [Int] { free.indices.filter { free[$0] > 0 } }

  /// Removes and returns the first ticket (an entry in a waiting list) that waits for a resource. Returns nil if no ticket waits, or if
  /// fewer than `left` units of the resource would stay free.
  ///
  /// Tickets of steps that have ended are removed and not returned.
  ///
  /// - Parameters:
  ///   - left: the number of units of the resource that must stay free.
  ///   - onlyItems: whether to return only tickets of loop items and of called documents.
  ///   - gone: for each rank (position in the start order), whether the step with this rank has ended.
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
