import HeapModule
import GarlandResults

/// Decides what happens next in a run. This value receives events and returns actions, but carries out no action itself.
///
/// A step first waits for its dependencies, and then until a transfer slot is free. When a step *begins*, its `when` is evaluated, and the
/// origin (scheme, host and port) of its request becomes known. After that, the step requests a slot for each of its transfers, and finally
/// it ends. The total cost is linear in the number of steps and edges, apart from the logarithmic cost of the queues.
package struct Scheduler: Sendable {
  enum Phase: UInt8 { case waiting, queued, beginning, active, ended }

  enum Standing: UInt8 { case none, passed, tolerated, partial, problem, blocked, notRun }

  /// The order in which ready steps start. The rank of a step is its position in this order.
  struct StartOrder {
    private let ranks: [Int32]
    private let steps: [Int32]
    /// For each rank (position in the start order), whether the step with this rank has ended.
    private(set) var gone: [Bool]

    /// Creates the start order. `steps` contains all steps; the step that starts first comes first.
    init(_ steps: [Int]) {
      var ranks = [Int32](repeating: 0, count: steps.count)
      for (rank, step) in steps.enumerated() { ranks[step] = Int32(rank) }
      self.ranks = ranks
      self.steps = steps.map(Int32.init)
      gone = Array(repeating: false, count: steps.count)
    }

    func rank(of step: Int) -> Int { Int(ranks[step]) }

    func step(at rank: Int) -> Int { Int(steps[rank]) }

    mutating func end(_ step: Int) { gone[rank(of: step)] = true }
  }

  /// The progress of a step.
  struct StepState {
    var phase = Phase.waiting
    var standing = Standing.none
    /// Whether the step has left no data on the server. If true, a cleanup of the step can be skipped.
    var leavesNothing = true
    /// The number of the step's dependencies that have not ended yet.
    var remaining: Int32
  }

  /// The number of steps that begin before the run handles the next events of the network. The number is small at first, so that the first
  /// requests are in progress while the next ones are built.
  var beginsPerTurn = 8
  static let mostBeginsPerTurn = 128

  let graph: ScheduleGraph
  let policy: SchedulerPolicy
  var order: StartOrder
  var states: [StepState]
  private var blockers: [Int: [Int]] = [:]
  private var roots: [Int: Int] = [:]
  var slots: TransferSlots
  var resources: ResourceSlots
  /// The resources (named limits for concurrent steps) that steps of called documents have requested and not yet received. Each key is the
  /// number of a request; the value contains the indexes of the resources.
  var loans: [Int: [Int]] = [:]
  /// The exclusive steps (those that must run alone) that are ready to begin.
  var exclusiveLine = Heap<TransferSlots.Ticket>()
  /// The exclusive step that is running; nil if there is none.
  var exclusive: Int?
  var unfinished: Int
  var activeCount = 0
  /// The steps that have begun but only wait for a request that another step may cause. They do not count as running.
  var listening: Set<Int> = []
  var failureCount = 0
  /// The reason why no further step starts; nil if steps may start.
  package internal(set) var stopReason: StopReason?
  var isAborted = false
  var isPausing = false
  var draining: Draining

  package init(graph: ScheduleGraph, policy: SchedulerPolicy) {
    let count = graph.steps.count
    self.graph = graph
    self.policy = policy
    order = StartOrder(policy.ranking(of: graph.steps))
    states = graph.dependencyCounts.map { StepState(remaining: $0) }
    slots = TransferSlots(limit: policy.concurrency, limitPerOrigin: policy.perOrigin)
    // The calling run counts the resources that it lends, so they are unlimited here.
    resources = ResourceSlots(policy.borrowsResources ? graph.resources.map { _ in Int.max } : graph.resources)
    unfinished = count
    draining = Draining(limit: policy.heldBytes)
  }

  /// Returns the number of the origin (scheme, host and port) to which a step sends; nil if it is not known before the run.
  func origin(of step: Int) -> Int? { graph.steps[step].origin }

  /// Whether every transfer slot has been released. This must be true when every step has ended.
  package var hasAllSlots: Bool { slots.areAllFree }

  /// Makes the steps without dependencies ready. The run calls this function once, before any event is handled.
  package mutating func start() -> [Action] {
    var actions: [Action] = []
    for step in graph.steps.indices where graph.dependencyCounts[step] == 0 {
      if dependenciesEnded(of: step, &actions) { settle(step, &actions) }
    }
    if graph.steps.isEmpty { actions.append(.finished) }
    fill(&actions)
    return actions
  }

  /// Handles an event, and returns the resulting actions.
  package mutating func handle(_ event: Event) -> [Action] {
    var actions: [Action] = []
    handle(event, &actions)
    return actions
  }

  /// Handles an event, and appends the resulting actions.
  mutating func handle(_ event: Event, _ actions: inout [Action]) {
    switch event {
    case .transferWanted(let step, let iteration, let origin, let again):
      transferWanted(step, iteration, origin, again: again, &actions)
    case .transferEnded(let origin):
      slots.release(origin)
    case .waits(let step):
      stopBeginning(step)
    case .listens(let step):
      stopBeginning(step)
      if states[step].phase == .active, listening.insert(step).inserted { activeCount -= 1 }
    case .iterationWanted(let step, let iteration):
      let ticket = TransferSlots.Ticket(rank: order.rank(of: step), iteration: iteration)
      if obtainResources(for: step, ticket, &actions) == .here {
        actions.append(.beginIteration(step: step, iteration: iteration))
      }
    case .iterationEnded(let step):
      if resources.giveBackOne(graph.steps[step].uses, step) { gaveBack(step, &actions) }
    case .loanWanted(let step, let loan, let uses):
      guard states[step].phase != .ended else { break }
      loans[loan] = uses
      lend(loan, TransferSlots.Ticket(rank: order.rank(of: step), iteration: loan), &actions)
    case .loanReturned(let uses):
      resources.giveBack(uses)
      wakeParked(for: uses, &actions)
    case .borrowed(let step, let iteration):
      borrowed(step, iteration, &actions)
    case .problem(let step):
      guard states[step].phase != .ended else { break }
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
  }

  // MARK: Ends

  private mutating func countProblems(_ count: Int, _ actions: inout [Action]) {
    failureCount += count
    if let limit = policy.maxFailures, failureCount >= limit { stop(.failures(limit: limit), sparesTransfers: false, &actions) }
  }

  private mutating func ended(_ step: Int, _ ending: Ending, _ actions: inout [Action]) {
    guard states[step].phase == .beginning || states[step].phase == .active else { return }
    stopBeginning(step)
    if listening.remove(step) == nil { activeCount -= 1 }
    states[step].leavesNothing = ending.leavesNothing
    hold(ending.heldBytes, of: step)
    switch ending.outcome {
    case .passed: states[step].standing = .passed
    case .skipped: states[step].standing = .tolerated
    case .notRun: states[step].standing = .notRun
    case .blocked:
      states[step].standing = .blocked
      roots[step] = step
    case .failed, .error, .unreachable:
      // If a loop may fail and some of its items passed, the loop has values, and steps after it run.
      states[step].standing =
        ending.isPartial ? (ending.isFailureAllowed ? .passed : .partial) : ending.isFailureAllowed ? .tolerated : .problem
      if !ending.isFailureAllowed { countProblems(ending.problems, &actions) }
    }
    settle(step, &actions)
  }

  /// Records the size in bytes of a step's values, which are kept until the steps that use them have ended.
  private mutating func hold(_ bytes: Int, of step: Int) {
    guard bytes > 0 else { return }
    draining.hold(bytes)
    for edge in graph.edges(from: step) where graph.need(of: edge).isOfValue { draining.insert(graph.dependent(of: edge)) }
  }

  /// Handles the end of a step: releases the resources of the step, and queues each dependent step that waits for no other step. If a
  /// dependent step must not run, for example because it is blocked, the function handles the end of the dependent step, too.
  mutating func settle(_ first: Int, _ actions: inout [Action]) {
    var queue = [first]
    var position = 0
    while position < queue.count {
      let step = queue[position]
      position += 1
      states[step].phase = .ended
      draining.remove(step)
      order.end(step)
      unfinished -= 1
      if exclusive == step { exclusive = nil }
      var hadAny = false
      while resources.giveBackOne(graph.steps[step].uses, step) {
        hadAny = true
        gaveBack(step, &actions)
      }
      // A step that was woken but did not acquire a resource wakes the next step.
      if !hadAny, !policy.borrowsResources { wakeParked(for: graph.steps[step].uses, &actions) }
      for edge in graph.edges(from: step) {
        let dependent = graph.dependent(of: edge)
        if blocks(step, graph.need(of: edge)), !graph.steps[dependent].isAlways {
          blockers[dependent, default: []].append(step)
        }
        states[dependent].remaining -= 1
        if states[dependent].remaining == 0, dependenciesEnded(of: dependent, &actions) { queue.append(dependent) }
      }
    }
    if unfinished == 0 { actions.append(.finished) }
  }

  private func blocks(_ step: Int, _ need: ScheduleGraph.Need) -> Bool {
    switch states[step].standing {
    case .none, .passed, .notRun: false
    case .tolerated: need == .value
    case .partial: need == .pass
    case .problem, .blocked: need != .end
    }
  }

  /// Handles a step whose dependencies have all ended.
  ///
  /// Queues the step, or ends it immediately. The step ends if it is a join (a node that only waits for other nodes), or if it must not
  /// run, for example because it is blocked. Returns true if the step has ended; the caller must then notify the dependents of the step.
  @discardableResult
  mutating func dependenciesEnded(of step: Int, _ actions: inout [Action]) -> Bool {
    if graph.steps[step].isJoin {
      states[step].standing = .passed
      return true
    }
    if let conclusion = conclusion(of: step) {
      actions.append(.conclude(step: step, conclusion))
      return true
    }
    states[step].phase = .queued
    actions.append(.ready(step: step))
    lineUp(step)
    return false
  }

  private mutating func conclusion(of step: Int) -> Conclusion? {
    if isAborted {
      states[step].standing = .notRun
      return .notRun(stopReason)
    }
    if let cleaned = graph.steps[step].cleansUp, states[cleaned].leavesNothing {
      states[step].standing = .tolerated
      return .nothingToCleanUp(after: cleaned)
    }
    if let culprits = blockers.removeValue(forKey: step) {
      let ordered = Set(culprits).sorted()
      // For a chain of blocked steps, the root is the first step that failed, since it explains the others.
      let root = ordered.map { roots[$0] ?? $0 }.min() ?? ordered[0]
      states[step].standing = .blocked
      roots[step] = root
      return .blocked(by: ordered, root: root)
    }
    if let stopReason, !graph.steps[step].isAlways {
      states[step].standing = .notRun
      return .notRun(stopReason)
    }
    return nil
  }
}
