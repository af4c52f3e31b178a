import GarlandResults
import GarlandText
import Testing

@testable import GarlandRunner

/// Tests with random graphs, outcomes and timing. The result depends only on the graph.
@Suite("Scheduler on random graphs")
struct SchedulerPropertyTests {
  struct Case {
    var graph: ScheduleGraph
    var edges: [ScheduleGraph.Edge]
    var behaviours: [SimulatedRun.Behaviour]
    var order: [Int]
  }

  static func random(_ seed: UInt64, troubled: Bool) -> Case {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...60, using: &generator)
    // File order is independent of the order of dependencies.
    let order = (0..<count).shuffled(using: &generator)
    let originCount = Int.random(in: 1...4, using: &generator)
    var edges: [ScheduleGraph.Edge] = []
    var steps: [ScheduleGraph.Step] = []
    var behaviours: [SimulatedRun.Behaviour] = []
    for _ in 0..<count {
      var behaviour = SimulatedRun.Behaviour()
      behaviour.origin = Int.random(in: 0..<originCount, using: &generator)
      behaviour.transfers = Int.random(in: 0...9, using: &generator) == 0 ? 0 : Int.random(in: 1...3, using: &generator)
      behaviour.pauses = Int.random(in: 0...5, using: &generator) == 0
      if troubled {
        let outcomes: [Outcome] = [.passed, .passed, .passed, .passed, .failed, .error, .unreachable, .skipped]
        behaviour.outcome = outcomes.randomElement(using: &generator) ?? .passed
        behaviour.isFailureAllowed = Int.random(in: 0...3, using: &generator) == 0
        if behaviour.outcome == .skipped { behaviour.transfers = 0 }
      }
      behaviours.append(behaviour)
      let isHinted = Bool.random(using: &generator)
      steps.append(
        .init(
          isAlways: troubled && Int.random(in: 0...6, using: &generator) == 0, remainingPath: Double.random(in: 1...9, using: &generator),
          origin: isHinted ? behaviour.origin : nil))
    }
    for position in order.indices.dropFirst() {
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        let dependency = order[Int.random(in: 0..<position, using: &generator)]
        let needs: [ScheduleGraph.Need] = [.end, .pass, .optionalValue, .value]
        edges.append(.init(from: dependency, to: order[position], needs.randomElement(using: &generator) ?? .pass))
      }
      if troubled, Int.random(in: 0...7, using: &generator) == 0 {
        let cleaned = order[Int.random(in: 0..<position, using: &generator)]
        steps[order[position]].cleansUp = cleaned
        steps[order[position]].isAlways = true
        edges.append(.init(from: cleaned, to: order[position], .end))
      }
    }
    return Case(graph: ScheduleGraph(steps: steps, edges: edges), edges: edges, behaviours: behaviours, order: order)
  }

  /// Returns the expected outcome of each step, computed in the simplest way: one step after another, each from all of its dependencies.
  static func oracle(_ test: Case) -> [SimulatedRun.Fate] {
    enum Standing { case passed, tolerated, problem }
    var fates = [SimulatedRun.Fate?](repeating: nil, count: test.order.count)
    var standings = [Standing](repeating: .passed, count: test.order.count)
    var roots = [Int: Int]()
    for step in test.order {
      let blockers = test.edges.filter { edge in
        guard edge.dependent == step else { return false }
        switch standings[edge.dependency] {
        case .passed: return false
        case .tolerated: return edge.need == .value
        case .problem: return edge.need != .end
        }
      }.map(\.dependency)
      let leftNothing: Bool =
        test.graph.steps[step].cleansUp.map { cleaned in
          guard case .ran? = fates[cleaned] else { return true }
          return test.behaviours[cleaned].transfers == 0
        } ?? false
      if leftNothing, let cleaned = test.graph.steps[step].cleansUp {
        fates[step] = .concluded(.nothingToCleanUp(after: cleaned))
        standings[step] = .tolerated
      } else if !blockers.isEmpty, !test.graph.steps[step].isAlways {
        let by = Set(blockers).sorted()
        let root = by.map { roots[$0] ?? $0 }.min() ?? -1
        roots[step] = root
        fates[step] = .concluded(.blocked(by: by, root: root))
        standings[step] = .problem
      } else {
        let behaviour = test.behaviours[step]
        fates[step] = .ran(behaviour.outcome)
        switch behaviour.outcome {
        case .passed: standings[step] = .passed
        case .skipped: standings[step] = .tolerated
        default: standings[step] = behaviour.isFailureAllowed ? .tolerated : .problem
        }
      }
    }
    return fates.compactMap { $0 }
  }

  static func policy(_ seed: UInt64) -> SchedulerPolicy {
    var generator = SeededGenerator(seed: seed ^ 0xABCD)
    let orders: [SchedulerPolicy.Order] = [.longestPath, .file, .shuffled(seed: seed)]
    return SchedulerPolicy(
      concurrency: Int.random(in: 1...20, using: &generator), perOrigin: Int.random(in: 1...6, using: &generator),
      isSerial: Int.random(in: 0...4, using: &generator) == 0, order: orders.randomElement(using: &generator) ?? .file)
  }

  @Test(arguments: 0..<400)
  func `the outcomes of a random graph of steps are the same for any order of events`(seed: UInt64) {
    let test = Self.random(seed, troubled: seed % 4 != 0)
    var run = SimulatedRun(
      graph: test.graph, edges: test.edges, policy: Self.policy(seed), behaviours: test.behaviours, seed: seed &* 31)
    run.run()
    #expect(run.fates.compactMap { $0 } == Self.oracle(test))
  }

  @Test(arguments: 0..<300)
  func `if a run is stopped, each step that ran has the same outcome as without the stop`(seed: UInt64) {
    let test = Self.random(seed, troubled: true)
    let reasons: [StopReason] = [.failures(limit: 1), .deadline(.seconds(5)), .interrupt(signal: "SIGINT")]
    var run = SimulatedRun(
      graph: test.graph, edges: test.edges, policy: Self.policy(seed), behaviours: test.behaviours, seed: seed &* 17)
    run.run(stop: (reasons[Int(seed % 3)], after: Int(seed % 40)), abortAfter: seed % 5 == 0 ? Int(seed % 60) : nil)
    let oracle = Self.oracle(test)
    for (step, fate) in run.fates.enumerated() {
      switch fate {
      case .concluded(.blocked)?, .concluded(.nothingToCleanUp)?, .concluded(.notRun)?, .ran(.notRun)?: continue
      // A step that ran has the outcome that it would have had without the stop.
      default: #expect(fate == oracle[step] || test.graph.steps[step].isAlways)
      }
    }
  }

  @Test(arguments: 0..<100)
  func `in simulations, the scheduler stops a run if and only if its failures reach the limit of --max-failures`(seed: UInt64) {
    let test = Self.random(seed, troubled: true)
    var policy = Self.policy(seed)
    policy.maxFailures = 1 + Int(seed % 3)
    var run = SimulatedRun(graph: test.graph, edges: test.edges, policy: policy, behaviours: test.behaviours, seed: seed)
    run.run()
    let problems = run.fates.indices.filter {
      if case .ran(let outcome)? = run.fates[$0] { outcome.isProblem && !test.behaviours[$0].isFailureAllowed } else { false }
    }.count
    #expect(run.stopReasons.isEmpty == (problems < policy.maxFailures ?? 0))
  }
}
