/// Assigns named resources to steps. The resources belong to this run or, for the run of a called document, to the calling run.
extension Scheduler {
  enum Availability { case here, awaited, asked }

  /// Acquires the resources of a step, or of an item of its loop. If a resource is unavailable, adds `ticket`, which identifies the step or
  /// the item, to the queue of steps that wait for the resource.
  ///
  /// In the run of a called document, the resources may belong to the run that calls the document. They are then requested from that run.
  mutating func obtainResources(
    for step: Int, _ ticket: TransferSlots.Ticket, _ actions: inout [Action]
  ) -> Availability {
    let uses = graph.steps[step].uses
    guard policy.borrowsResources, !uses.isEmpty else { return resources.take(uses, step, orPark: ticket) ? .here : .awaited }
    actions.append(.borrow(step: step, iteration: ticket.iteration))
    return .asked
  }

  /// Acquires a unit of each resource that a step uses (key `uses:`) when the step is about to begin. For a loop, resources are acquired
  /// for each item instead.
  mutating func obtainResourcesToBegin(
    _ step: Int, _ ticket: TransferSlots.Ticket, _ actions: inout [Action]
  ) -> Availability {
    graph.steps[step].isLoop ? .here : obtainResources(for: step, ticket, &actions)
  }

  mutating func borrowed(_ step: Int, _ iteration: Int?, _ actions: inout [Action]) {
    let rank = order.rank(of: step)
    let ticket = iteration.map { TransferSlots.Ticket(rank: rank, iteration: $0) } ?? TransferSlots.Ticket(beginAt: rank)
    let mayBegin = exclusive == nil && (activeCount == 0 || !(policy.isSerial || graph.steps[step].isExclusive))
    guard states[step].phase != .ended, iteration != nil || mayBegin else {
      actions.append(.handBack(step: step))
      // Other steps run at the moment, so this step waits for its turn again.
      if states[step].phase == .queued { lineUp(step) }
      return
    }
    guard resources.take(graph.steps[step].uses, step, orPark: ticket) else { return }
    if let iteration {
      actions.append(.beginIteration(step: step, iteration: iteration))
    } else if graph.steps[step].isExclusive {
      beginAlone(step, &actions)
    } else {
      slots.take(heldOrigin(of: step))
      begin(step, &actions)
    }
  }

  mutating func gaveBack(_ step: Int, _ actions: inout [Action]) {
    if policy.borrowsResources {
      actions.append(.handBack(step: step))
    } else {
      wakeParked(for: graph.steps[step].uses, &actions)
    }
  }

  mutating func lend(_ loan: Int, _ ticket: TransferSlots.Ticket, _ actions: inout [Action]) {
    guard let uses = loans[loan], resources.take(uses, nil, orPark: ticket) else { return }
    loans[loan] = nil
    actions.append(.lend(loan: loan))
  }

  /// Resumes steps, loop items and calls that wait for one of the given resources. For each resource, the number of resumed steps, items
  /// and calls is at most the number of free units. If `onlyItems` is true, no step is resumed that has not begun yet.
  mutating func wakeParked(for resources: [Int], onlyItems: Bool = false, _ actions: inout [Action]) {
    for resource in resources {
      // The woken steps join the queue again and acquire resources when they begin. Only as many steps are woken as could acquire the
      // resource.
      var woken = 0
      while let ticket = self.resources.nextParked(for: resource, leaving: woken, onlyItems: onlyItems, gone: order.gone) {
        let step = order.step(at: ticket.rank)
        // A call without resources of its own waits for the resources of the document that it calls.
        if graph.steps[step].uses.isEmpty, let loan = ticket.iteration {
          lend(loan, ticket, &actions)
        } else if let iteration = ticket.iteration {
          guard self.resources.take(graph.steps[step].uses, step, orPark: ticket) else { continue }
          actions.append(.beginIteration(step: step, iteration: iteration))
        } else {
          lineUp(step)
          woken += 1
        }
      }
    }
  }
}
