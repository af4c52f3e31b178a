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
    resources = ResourceSlots(graph.resources)
    unfinished = count
    draining = Draining(limit: policy.heldBytes)
  }

  /// The origin of a step, if that was known beforehand.
  func origin(of step: Int) -> Int? { graph.steps[step].origin }

  /// Whether every step has ended.
  package var isFinished: Bool { unfinished == 0 }

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
      if resources.take(graph.steps[step].uses, step, orPark: ticket) { actions.append(.beginIteration(step: step, iteration: iteration)) }
    case .iterationEnded(let step):
      if resources.giveBackOne(graph.steps[step].uses, step) { wakeParked(by: step, &actions) }
    case .problem(let step):
      guard phases[step] != .ended else { break }
      countProblems(1, &actions)
    case .ended(let step, let ending):
      ended(step, ending, &actions)
    case .released(let bytes):
      draining.release(bytes)
    case .stop(let reason):
      stop(reason, &actions)
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
          exclusiveLine.removeMin()
          exclusive = alone
          slots.take(heldOrigin(of: alone))
          begin(alone, &actions)
          begun += 1
          continue
        }
        onlyContinuing = true
      }
      guard let grant = slots.next(onlyContinuing: onlyContinuing, onlyDraining: draining.comesFirst, gone: gone) else { return }
      let step = Int(stepsByRank[grant.ticket.rank])
      if let iteration = grant.ticket.iteration {
        actions.append(.send(step: step, iteration: iteration, origin: grant.origin ?? 0))
      } else {
        begin(step, &actions)
        begun += 1
      }
    }
    isPausing = true
    beginsPerTurn = min(beginsPerTurn * 2, Scheduler.mostBeginsPerTurn)
    actions.append(.pause)
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
    let node = graph.steps[step]
    // A loop takes resources item by item.
    guard node.isLoop || node.uses.isEmpty || resources.take(node.uses, step, orPark: ticket) else { return }
    lineUp(step, ticket)
  }

  private mutating func lineUp(_ step: Int, _ ticket: TransferSlots.Ticket) {
    guard !graph.steps[step].isExclusive else {
      exclusiveLine.insert(ticket)
      return
    }
    draining.works(step)
    slots.wait(ticket, for: heldOrigin(of: step), drains: draining.contains(step))
  }

  /// Those who waited for what a step has given back.
  private mutating func wakeParked(by step: Int, _ actions: inout [Action]) {
    for resource in graph.steps[step].uses {
      while let ticket = resources.nextParked(for: resource, gone: gone) {
        let woken = Int(stepsByRank[ticket.rank])
        guard resources.take(graph.steps[woken].uses, woken, orPark: ticket) else { continue }
        if let iteration = ticket.iteration {
          actions.append(.beginIteration(step: woken, iteration: iteration))
        } else {
          lineUp(woken, ticket)
        }
      }
    }
  }

  // MARK: Ends

  private mutating func countProblems(_ count: Int, _ actions: inout [Action]) {
    failureCount += count
    if let limit = policy.maxFailures, failureCount >= limit { stop(.failures(limit: limit), &actions) }
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
      standings[step] = ending.isPartial ? .partial : ending.isFailureAllowed ? .tolerated : .problem
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
      if resources.giveBackAll(graph.steps[step].uses, step) { wakeParked(by: step, &actions) }
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

  private mutating func stop(_ reason: StopReason, _ actions: inout [Action]) {
    guard !isAborted else { return }
    let isFirst = stopReason == nil
    // A later reason counts only if it is stricter: an interrupt after `--fail-fast` still cancels what runs.
    guard isFirst || (reason.cancelsTransfers && stopReason?.cancelsTransfers == false) else { return }
    stopReason = reason
    actions.append(.stopped(reason))
    halt(cancelling: reason.cancelsTransfers, sparingAlways: true, &actions)
  }

  private mutating func abort(_ actions: inout [Action]) {
    guard !isAborted else { return }
    isAborted = true
    halt(cancelling: true, sparingAlways: false, &actions)
  }

  private mutating func halt(cancelling: Bool, sparingAlways: Bool, _ actions: inout [Action]) {
    // What is to be cleaned up may be there already when its request is cancelled, and nobody would know its name.
    let cleaned = sparingAlways && cancelling ? Set(graph.steps.compactMap(\.cleansUp)) : []
    for step in graph.steps.indices where !(sparingAlways && graph.steps[step].isAlways) {
      switch phases[step] {
      case .waiting, .ended: continue
      case .beginning, .active:
        actions.append(.halt(step: step, cancelling: cancelling && !cleaned.contains(step)))
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
