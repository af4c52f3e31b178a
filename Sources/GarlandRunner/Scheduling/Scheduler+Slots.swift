/// Distributes the transfer slots that become free. Two kinds of steps wait for them: steps that have begun and want to send a request, and
/// steps that have not begun.
extension Scheduler {
  mutating func transferWanted(_ step: Int, _ iteration: Int, _ origin: Int, again: Bool, _ actions: inout [Action]) {
    guard states[step].phase != .ended else { return }
    if states[step].phase == .beginning {
      states[step].phase = .active
      if let held = heldOrigin(of: step) {
        // The slot was reserved for this origin. If the request goes to another origin, the step must wait there.
        if held == origin {
          actions.append(.send(step: step, iteration: iteration, origin: origin))
          return
        }
        slots.release(held)
      } else if slots.extend(to: origin) {
        actions.append(.send(step: step, iteration: iteration, origin: origin))
        return
      } else {
        slots.release(nil)
      }
    }
    let ticket = TransferSlots.Ticket(rank: order.rank(of: step), iteration: iteration)
    if again { slots.waitAgain(ticket, for: origin) } else { slots.wait(ticket, for: origin, .continuing) }
  }

  func heldOrigin(of step: Int) -> Int? { policy.isSerial ? nil : graph.steps[step].origin }

  mutating func stopBeginning(_ step: Int) {
    guard states[step].phase == .beginning else { return }
    states[step].phase = .active
    slots.release(heldOrigin(of: step))
  }

  /// Assigns free transfer slots to the next waiting steps.
  mutating func fill(_ actions: inout [Action]) {
    guard !isPausing, unfinished > 0 else { return }
    var begun = 0
    while begun < beginsPerTurn {
      // In a serial run, the current step must end before the next step begins.
      var onlyContinuing = policy.isSerial && activeCount > 0
      if exclusive != nil {
        onlyContinuing = true
      } else if let alone = exclusiveIsNext() {
        guard activeCount > 0 else {
          guard let ticket = exclusiveLine.popMin() else { return }
          guard obtainResourcesToBegin(alone, ticket, &actions) == .here else {
            if !policy.borrowsResources { wakeParked(for: graph.steps[alone].uses, &actions) }
            continue
          }
          beginAlone(alone, &actions)
          begun += 1
          continue
        }
        onlyContinuing = true
      }
      // Resources that running steps wait for are not assigned to other steps.
      if onlyContinuing, resources.haveItemsParked { wakeParked(for: resources.available, onlyItems: true, &actions) }
      guard let grant = nextGrant(onlyContinuing: onlyContinuing) else { return }
      let step = order.step(at: grant.ticket.rank)
      if let iteration = grant.ticket.iteration {
        actions.append(.send(step: step, iteration: iteration, origin: grant.origin ?? 0))
      } else {
        draining.leavesLine(step)
        // Only a step that may begin acquires its resources. If a step held a resource while it waited for a slot, two steps could wait for
        // each other.
        switch obtainResourcesToBegin(step, grant.ticket, &actions) {
        case .here:
          begin(step, &actions)
          begun += 1
        case .awaited:
          slots.release(grant.origin)
          // The step waits for one of its resources. Other steps may use its remaining resources.
          wakeParked(for: graph.steps[step].uses, &actions)
        case .asked:
          slots.release(grant.origin)
          // In a serial run, the next step must not begin before it is known whether this step gets its resources.
          if policy.isSerial { return }
        }
      }
    }
    isPausing = true
    beginsPerTurn = min(beginsPerTurn * 2, Scheduler.mostBeginsPerTurn)
    actions.append(.pause)
  }

  private mutating func nextGrant(onlyContinuing: Bool) -> TransferSlots.Grant? {
    if onlyContinuing { return slots.next(among: .underWay, gone: order.gone) }
    guard draining.comesFirst else { return slots.next(among: .all, gone: order.gone) }
    return slots.next(among: [.underWay, .draining], gone: order.gone)
      ?? slots.next(among: draining.holdsBack ? .other : [.other, .keeping], gone: order.gone)
  }

  mutating func beginAlone(_ step: Int, _ actions: inout [Action]) {
    exclusive = step
    slots.take(heldOrigin(of: step))
    begin(step, &actions)
  }

  mutating func begin(_ step: Int, _ actions: inout [Action]) {
    states[step].phase = .beginning
    activeCount += 1
    actions.append(.begin(step: step))
  }

  /// If the first step in the start order that could begin is exclusive (must run alone), returns this step; otherwise returns nil.
  private mutating func exclusiveIsNext() -> Int? {
    while let ticket = exclusiveLine.min, order.gone[ticket.rank] { exclusiveLine.removeMin() }
    guard let alone = exclusiveLine.min else { return nil }
    if let other = slots.firstToBegin(gone: order.gone), other < alone { return nil }
    return order.step(at: alone.rank)
  }

  /// Adds a step to the queue of steps that wait to begin. All dependencies of the step must have ended.
  mutating func lineUp(_ step: Int) {
    let ticket = TransferSlots.Ticket(beginAt: order.rank(of: step))
    guard !graph.steps[step].isExclusive else {
      exclusiveLine.insert(ticket)
      return
    }
    let kind: TransferSlots.Kind = draining.linesUp(step) ? .draining : graph.hasUsers[step] ? .keeping : .other
    slots.wait(ticket, for: heldOrigin(of: step), kind)
  }
}
