import Collections
import GarlandResults

/// Decides what happens next in a run: a value that is told what happened and answers with what to do, and does nothing itself.
///
/// A step waits for its dependencies, then for its turn; it *begins* (its `when` is evaluated and its origin becomes known), asks for a slot for
/// each of its transfers, and ends. All costs together are linear in steps and edges, but for the logarithm of the queues.
package struct Scheduler: Sendable {
  private enum Phase: UInt8 { case waiting, queued, beginning, active, ended }

  private enum Standing: UInt8 { case none, passed, tolerated, partial, problem, blocked, notRun }

  /// How many begin before the network has its turn again. Few at first: their requests are on the way while those of the next are made.
  private var beginsPerTurn = 8
  private static let mostBeginsPerTurn = 128

  private let graph: ScheduleGraph
  private let policy: SchedulerPolicy
  private let ranks: [Int32]
  private let stepsByRank: [Int32]
  private var phases: [Phase]
  private var standings: [Standing]
  private var leavesNothing: [Bool]
  /// Which steps have ended, by rank.
  private var gone: [Bool]
  private var remaining: [Int32]
  private var blockers: [Int: [Int]] = [:]
  private var roots: [Int: Int] = [:]
  private var slots: TransferSlots
  private var resources: ResourceSlots
  /// What called documents have asked for and not got yet.
  private var loans: [Int: [Int]] = [:]
  /// Steps that want to run alone and are ready.
  private var exclusiveLine = Heap<TransferSlots.Ticket>()
  /// The step that runs alone.
  private var exclusive: Int?
  private var unfinished: Int
  private var activeCount = 0
  /// Steps that have begun and are not counted, since they only wait for what others do.
  private var listening: Set<Int> = []
  private var failureCount = 0
  /// Why nothing new starts any more; nil while it does.
  package private(set) var stopReason: StopReason?
  private var isAborted = false
  private var isPausing = false
  private var draining: Draining

  package init(graph: ScheduleGraph, policy: SchedulerPolicy) {
    let count = graph.steps.count
    let ranking = policy.ranking(of: graph.steps)
    var ranks = [Int32](repeating: 0, count: count)
    for (rank, step) in ranking.enumerated() { ranks[step] = Int32(rank) }
    self.graph = graph
    self.policy = policy
    self.ranks = ranks
    stepsByRank = ranking.map(Int32.init)
    phases = Array(repeating: .waiting, count: count)
    standings = Array(repeating: .none, count: count)
    leavesNothing = Array(repeating: true, count: count)
    gone = Array(repeating: false, count: count)
    remaining = graph.dependencyCounts
    slots = TransferSlots(limit: policy.concurrency, limitPerOrigin: policy.perOrigin)
    // What is borrowed, others count.
    resources = ResourceSlots(policy.borrowsResources ? graph.resources.map { _ in Int.max } : graph.resources)
    unfinished = count
    draining = Draining(limit: policy.heldBytes)
  }

  /// The origin of a step, if that was known beforehand.
  func origin(of step: Int) -> Int? { graph.steps[step].origin }

  /// Whether every step has ended.
  package var isFinished: Bool { unfinished == 0 }

  /// Whether every slot was given back, as it has to be when every step has ended.
  package var hasAllSlots: Bool { slots.areAllFree }

  /// Makes the steps that wait for nobody ready. Call it once, before anything else.
  package mutating func start() -> [Action] {
    var actions: [Action] = []
    for step in graph.steps.indices where graph.dependencyCounts[step] == 0 {
      if dependenciesEnded(of: step, &actions) { settle(step, &actions) }
    }
    if graph.steps.isEmpty { actions.append(.finished) }
    fill(&actions)
    return actions
  }

  /// Takes note of what happened, and says what follows.
  package mutating func handle(_ event: Event) -> [Action] {
    var actions: [Action] = []
    switch event {
    case .transferWanted(let step, let iteration, let origin):
      transferWanted(step, iteration, origin, &actions)
    case .transferEnded(let origin):
      slots.release(origin)
    case .waits(let step):
      stopBeginning(step)
      draining.rests(step)
    case .listens(let step):
      stopBeginning(step)
      if phases[step] == .active, listening.insert(step).inserted { activeCount -= 1 }
    case .iterationWanted(let step, let iteration):
      let ticket = TransferSlots.Ticket(rank: Int(ranks[step]), iteration: iteration)
      if obtainResources(for: step, ticket, &actions) == .here {
        actions.append(.beginIteration(step: step, iteration: iteration))
      }
    case .iterationEnded(let step):
      if resources.giveBackOne(graph.steps[step].uses, step) { gaveBack(step, &actions) }
    case .loanWanted(let step, let loan, let uses):
      guard phases[step] != .ended else { break }
      loans[loan] = uses
      lend(loan, TransferSlots.Ticket(rank: Int(ranks[step]), iteration: loan), &actions)
    case .loanReturned(let uses):
      resources.giveBack(uses)
      wakeParked(for: uses, &actions)
    case .borrowed(let step, let iteration):
      borrowed(step, iteration, &actions)
    case .problem(let step):
      guard phases[step] != .ended else { break }
      countProblems(1, &actions)
    case .ended(let step, let ending):
      ended(step, ending, &actions)
    case .released(let bytes):
      draining.release(bytes)
    case .stop(let reason, let sparesTransfers):
      stop(reason, sparesTransfers: sparesTransfers, &actions)
    case .abort:
      abort(&actions)
    case .proceed:
      isPausing = false
    }
    fill(&actions)
    return actions
  }

  // MARK: Slots

  private mutating func transferWanted(_ step: Int, _ iteration: Int, _ origin: Int, _ actions: inout [Action]) {
    guard phases[step] != .ended else { return }
    draining.works(step)
    if phases[step] == .beginning {
      phases[step] = .active
      if let held = heldOrigin(of: step) {
        // The slot was kept for this origin; should the request go elsewhere after all, it has to queue there.
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
    slots.wait(.init(rank: Int(ranks[step]), iteration: iteration), for: origin)
  }

  private func heldOrigin(of step: Int) -> Int? { policy.isSerial ? nil : graph.steps[step].origin }

  private mutating func stopBeginning(_ step: Int) {
    guard phases[step] == .beginning else { return }
    phases[step] = .active
    slots.release(heldOrigin(of: step))
  }

  /// Gives free slots to those who are next.
  private mutating func fill(_ actions: inout [Action]) {
    guard !isPausing, unfinished > 0 else { return }
    var begun = 0
    while begun < beginsPerTurn {
      // Serially, what is under way comes to its end before the next begins.
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
      // Nobody else takes what those who are at work wait for.
      if onlyContinuing, resources.haveItemsParked { wakeParked(for: resources.available, onlyItems: true, &actions) }
      guard let grant = slots.next(onlyContinuing: onlyContinuing, onlyDraining: draining.comesFirst, gone: gone) else { return }
      let step = Int(stepsByRank[grant.ticket.rank])
      if let iteration = grant.ticket.iteration {
        actions.append(.send(step: step, iteration: iteration, origin: grant.origin ?? 0))
      } else {
        // Only who may begin takes what it uses: one that held it while it waited for its turn could wait for one that waits for it.
        switch obtainResourcesToBegin(step, grant.ticket, &actions) {
        case .here:
          begin(step, &actions)
          begun += 1
        case .awaited:
          slots.release(grant.origin)
          // It waits for one of them; of the others somebody else may make use.
          wakeParked(for: graph.steps[step].uses, &actions)
        case .asked:
          slots.release(grant.origin)
          // The next in order may begin only if this one can't.
          if policy.isSerial { return }
        }
      }
    }
    isPausing = true
    beginsPerTurn = min(beginsPerTurn * 2, Scheduler.mostBeginsPerTurn)
    actions.append(.pause)
  }

  private mutating func beginAlone(_ step: Int, _ actions: inout [Action]) {
    exclusive = step
    slots.take(heldOrigin(of: step))
    begin(step, &actions)
  }

  private mutating func begin(_ step: Int, _ actions: inout [Action]) {
    phases[step] = .beginning
    activeCount += 1
    actions.append(.begin(step: step))
  }

  /// The step that wants to run alone, if it comes before all others that could begin.
  private mutating func exclusiveIsNext() -> Int? {
    while let ticket = exclusiveLine.min, gone[ticket.rank] { exclusiveLine.removeMin() }
    guard let alone = exclusiveLine.min else { return nil }
    if let other = slots.firstToBegin(gone: gone), other < alone { return nil }
    return Int(stepsByRank[alone.rank])
  }

  /// Puts a step whose dependencies are done where it waits for its turn.
  private mutating func lineUp(_ step: Int) {
    let ticket = TransferSlots.Ticket(beginAt: Int(ranks[step]))
    guard !graph.steps[step].isExclusive else {
      exclusiveLine.insert(ticket)
      return
    }
    draining.works(step)
    slots.wait(ticket, for: heldOrigin(of: step), drains: draining.contains(step))
  }

  // MARK: Resources

  private enum Availability { case here, awaited, asked }

  /// Takes what a step uses. If it is not there, the ticket waits for it; if it is another run's, that is asked.
  private mutating func obtainResources(
    for step: Int, _ ticket: TransferSlots.Ticket, _ actions: inout [Action]
  ) -> Availability {
    let uses = graph.steps[step].uses
    guard policy.borrowsResources, !uses.isEmpty else { return resources.take(uses, step, orPark: ticket) ? .here : .awaited }
    actions.append(.borrow(step: step, iteration: ticket.iteration))
    return .asked
  }

  /// The same for a step that is about to begin: a loop takes them item by item.
  private mutating func obtainResourcesToBegin(
    _ step: Int, _ ticket: TransferSlots.Ticket, _ actions: inout [Action]
  ) -> Availability {
    graph.steps[step].isLoop ? .here : obtainResources(for: step, ticket, &actions)
  }

  private mutating func borrowed(_ step: Int, _ iteration: Int?, _ actions: inout [Action]) {
    let rank = Int(ranks[step])
    let ticket = iteration.map { TransferSlots.Ticket(rank: rank, iteration: $0) } ?? TransferSlots.Ticket(beginAt: rank)
    let mayBegin = exclusive == nil && (activeCount == 0 || !(policy.isSerial || graph.steps[step].isExclusive))
    guard phases[step] != .ended, iteration != nil || mayBegin else {
      actions.append(.handBack(step: step))
      // Meanwhile it is the turn of others.
      if phases[step] == .queued { lineUp(step) }
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

  private mutating func gaveBack(_ step: Int, _ actions: inout [Action]) {
    if policy.borrowsResources {
      actions.append(.handBack(step: step))
    } else {
      wakeParked(for: graph.steps[step].uses, &actions)
    }
  }

  private mutating func lend(_ loan: Int, _ ticket: TransferSlots.Ticket, _ actions: inout [Action]) {
    guard let uses = loans[loan], resources.take(uses, nil, orPark: ticket) else { return }
    loans[loan] = nil
    actions.append(.lend(loan: loan))
  }

  /// Those who waited for what there is again.
  private mutating func wakeParked(for resources: [Int], onlyItems: Bool = false, _ actions: inout [Action]) {
    for resource in resources {
      // Steps only line up again, and take what they use when it is their turn: as many are woken as could.
      var woken = 0
      while let ticket = self.resources.nextParked(for: resource, leaving: woken, onlyItems: onlyItems, gone: gone) {
        let step = Int(stepsByRank[ticket.rank])
        // A call that uses nothing itself waits on behalf of the document it calls.
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

  // MARK: Ends

  private mutating func countProblems(_ count: Int, _ actions: inout [Action]) {
    failureCount += count
    if let limit = policy.maxFailures, failureCount >= limit { stop(.failures(limit: limit), sparesTransfers: false, &actions) }
  }

  private mutating func ended(_ step: Int, _ ending: Ending, _ actions: inout [Action]) {
    guard phases[step] == .beginning || phases[step] == .active else { return }
    stopBeginning(step)
    if listening.remove(step) == nil { activeCount -= 1 }
    leavesNothing[step] = ending.leavesNothing
    hold(ending.heldBytes, of: step)
    switch ending.outcome {
    case .passed: standings[step] = .passed
    case .skipped: standings[step] = .tolerated
    case .notRun: standings[step] = .notRun
    case .blocked:
      standings[step] = .blocked
      roots[step] = step
    case .failed, .error, .unreachable:
      // Of a loop that may fail and of which some items passed there are values, and what only follows it follows.
      standings[step] =
        ending.isPartial ? (ending.isFailureAllowed ? .passed : .partial) : ending.isFailureAllowed ? .tolerated : .problem
      if !ending.isFailureAllowed { countProblems(ending.problems, &actions) }
    }
    settle(step, &actions)
  }

  /// Takes note of values that are kept until those that use them have ended.
  private mutating func hold(_ bytes: Int, of step: Int) {
    guard bytes > 0 else { return }
    draining.hold(bytes)
    for edge in graph.edges(from: step) {
      switch graph.need(of: edge) {
      case .value, .optionalValue: draining.insert(graph.dependent(of: edge))
      case .end, .pass: break
      }
    }
  }

  /// Tells those that wait for a step that it has ended, and those that end because of it, and so on.
  private mutating func settle(_ first: Int, _ actions: inout [Action]) {
    var queue = [first]
    var position = 0
    while position < queue.count {
      let step = queue[position]
      position += 1
      phases[step] = .ended
      draining.remove(step)
      gone[Int(ranks[step])] = true
      unfinished -= 1
      if exclusive == step { exclusive = nil }
      var hadAny = false
      while resources.giveBackOne(graph.steps[step].uses, step) {
        hadAny = true
        gaveBack(step, &actions)
      }
      // One that was woken for what it then did not take passes it on.
      if !hadAny, !policy.borrowsResources { wakeParked(for: graph.steps[step].uses, &actions) }
      for edge in graph.edges(from: step) {
        let dependent = graph.dependent(of: edge)
        if blocks(step, graph.need(of: edge)), !graph.steps[dependent].isAlways {
          blockers[dependent, default: []].append(step)
        }
        remaining[dependent] -= 1
        if remaining[dependent] == 0, dependenciesEnded(of: dependent, &actions) { queue.append(dependent) }
      }
    }
    if unfinished == 0 { actions.append(.finished) }
  }

  private func blocks(_ step: Int, _ need: ScheduleGraph.Need) -> Bool {
    switch standings[step] {
    case .none, .passed, .notRun: false
    case .tolerated: need == .value
    case .partial: need == .pass
    case .problem, .blocked: need != .end
    }
  }

  /// Queues a step, or concludes it and says so by the result; its dependents are then still to be told.
  @discardableResult
  private mutating func dependenciesEnded(of step: Int, _ actions: inout [Action]) -> Bool {
    if graph.steps[step].isJoin {
      standings[step] = .passed
      return true
    }
    if let conclusion = conclusion(of: step) {
      actions.append(.conclude(step: step, conclusion))
      return true
    }
    phases[step] = .queued
    actions.append(.ready(step: step))
    lineUp(step)
    return false
  }

  private mutating func conclusion(of step: Int) -> Conclusion? {
    if isAborted {
      standings[step] = .notRun
      return .notRun(stopReason)
    }
    if let cleaned = graph.steps[step].cleansUp, leavesNothing[cleaned] {
      standings[step] = .tolerated
      return .nothingToCleanUp(after: cleaned)
    }
    if let culprits = blockers.removeValue(forKey: step) {
      let ordered = Set(culprits).sorted()
      // What fell first explains the rest: of a chain of blocked steps the reader wants to know the one that failed.
      let root = ordered.map { roots[$0] ?? $0 }.min() ?? ordered[0]
      standings[step] = .blocked
      roots[step] = root
      return .blocked(by: ordered, root: root)
    }
    if let stopReason, !graph.steps[step].isAlways {
      standings[step] = .notRun
      return .notRun(stopReason)
    }
    return nil
  }

  // MARK: Stopping

  private mutating func stop(_ reason: StopReason, sparesTransfers: Bool, _ actions: inout [Action]) {
    guard !isAborted else { return }
    let isFirst = stopReason == nil
    // A later reason counts only if it is stricter: an interrupt after `--fail-fast` still cancels what runs.
    guard isFirst || (reason.cancelsTransfers && stopReason?.cancelsTransfers == false) else { return }
    stopReason = reason
    actions.append(.stopped(reason))
    guard reason.cancelsTransfers else {
      halt(.untilEnd, &actions)
      return
    }
    // What is to be cleaned up may be there already when its request is cancelled, and nobody would know its name.
    let cleaned = Set(graph.steps.compactMap(\.cleansUp))
    halt(.notAtAll, sparing: { sparesTransfers || cleaned.contains($0) }, &actions)
  }

  private mutating func abort(_ actions: inout [Action]) {
    guard !isAborted else { return }
    isAborted = true
    halt(.notAtAll, includingAlways: true, &actions)
  }

  private mutating func halt(
    _ leeway: Leeway, includingAlways: Bool = false, sparing: (Int) -> Bool = { _ in false }, _ actions: inout [Action]
  ) {
    for step in graph.steps.indices where includingAlways || !graph.steps[step].isAlways {
      switch phases[step] {
      case .waiting, .ended: continue
      case .beginning, .active:
        actions.append(.halt(step: step, sparing(step) ? .untilTransferEnds : leeway))
      case .queued:
        standings[step] = .notRun
        actions.append(.conclude(step: step, .notRun(stopReason)))
        settle(step, &actions)
      }
    }
    // Those that are to be halted must not be given the slots of one another.
    if !isPausing {
      isPausing = true
      actions.append(.pause)
    }
  }
}
