import GarlandResults
import Testing

@testable import GarlandRunner

@Suite("Scheduler")
struct SchedulerTests {
  private func run(
    _ steps: [ScheduleGraph.Step], _ edges: [ScheduleGraph.Edge], _ outcomes: [Int: Outcome] = [:],
    policy: SchedulerPolicy = SchedulerPolicy(), configure: (inout [SimulatedRun.Behaviour]) -> Void = { _ in }
  ) -> SimulatedRun {
    var behaviours = steps.map { _ in SimulatedRun.Behaviour() }
    for (step, outcome) in outcomes {
      behaviours[step].outcome = outcome
      if outcome == .skipped { behaviours[step].transfers = 0 }
    }
    configure(&behaviours)
    var run = SimulatedRun(
      graph: ScheduleGraph(steps: steps, edges: edges), edges: edges, policy: policy, behaviours: behaviours, seed: 7)
    run.run()
    return run
  }

  private func steps(_ count: Int) -> [ScheduleGraph.Step] { Array(repeating: .init(), count: count) }

  @Test func `a run without steps ends immediately`() {
    #expect(run([], []).isFinished)
  }

  @Test func `the result of a blocked step names both the dependency that blocks it and the step that failed first`() {
    let run = run(steps(4), [.init(from: 0, to: 1, .value), .init(from: 1, to: 2, .pass), .init(from: 3, to: 2, .value)], [0: .failed])
    #expect(run.fates[1] == .concluded(.blocked(by: [0], root: 0)))
    #expect(run.fates[2] == .concluded(.blocked(by: [1], root: 0)))
    #expect(run.fates[3] == .ran(.passed))
  }

  @Test(arguments: [
    (ScheduleGraph.Need.pass, SimulatedRun.Fate.ran(.passed)),
    (.optionalValue, .ran(.passed)),
    (.value, .concluded(.blocked(by: [0], root: 0))),
    (.end, .ran(.passed)),
  ])
  func `a step that depends on a skipped step is blocked only if it needs a value of that step and has no default`(
    need: ScheduleGraph.Need, fate: SimulatedRun.Fate
  ) {
    #expect(run(steps(2), [.init(from: 0, to: 1, need)], [0: .skipped]).fates[1] == fate)
  }

  @Test(arguments: [
    (ScheduleGraph.Need.pass, SimulatedRun.Fate.concluded(.blocked(by: [0], root: 0))),
    (.optionalValue, .concluded(.blocked(by: [0], root: 0))),
    (.value, .concluded(.blocked(by: [0], root: 0))),
    (.end, .ran(.passed)),
  ])
  func `a step that depends on a failed step runs or is blocked, depending on the kind of the dependency`(
    need: ScheduleGraph.Need, fate: SimulatedRun.Fate
  ) {
    #expect(run(steps(2), [.init(from: 0, to: 1, need)], [0: .error]).fates[1] == fate)
  }

  @Test func `if a failure is allowed, only the steps that need the values of the failed step are blocked`() {
    let run = run(steps(3), [.init(from: 0, to: 1, .pass), .init(from: 0, to: 2, .value)], [0: .failed]) { $0[0].isFailureAllowed = true }
    #expect(run.fates[1] == .ran(.passed))
    #expect(run.fates[2] == .concluded(.blocked(by: [0], root: 0)))
  }

  @Test func `a step that uses a value of a skipped step twice, but only once with a default, is blocked`() {
    let edges: [ScheduleGraph.Edge] = [.init(from: 0, to: 1, .optionalValue), .init(from: 0, to: 1, .value)]
    #expect(run(steps(2), edges, [0: .skipped]).fates[1] == .concluded(.blocked(by: [0], root: 0)))
  }

  @Test func `a cleanup runs if its step has failed, but not if its step was blocked`() {
    let all: [ScheduleGraph.Step] = [.init(), .init(), .init(cleansUp: 1)]
    let edges: [ScheduleGraph.Edge] = [.init(from: 0, to: 1, .value), .init(from: 1, to: 2, .value)]
    #expect(run(all, edges, [1: .failed]).fates[2] == .ran(.passed))
    #expect(run(all, edges, [0: .failed]).fates[2] == .concluded(.nothingToCleanUp(after: 1)))
  }

  @Test func `with fail-fast, the scheduler starts only steps with 'always: true' after a failure`() {
    let all: [ScheduleGraph.Step] = [.init(), .init(), .init(isAlways: true), .init()]
    let edges: [ScheduleGraph.Edge] = [.init(from: 0, to: 1, .end), .init(from: 1, to: 2, .end), .init(from: 0, to: 3, .pass)]
    let run = run(all, edges, [0: .failed], policy: SchedulerPolicy(maxFailures: 1))
    #expect(run.fates[1] == .concluded(.notRun(.failures(limit: 1))))
    #expect(run.fates[2] == .ran(.passed))
    #expect(run.fates[3] == .concluded(.blocked(by: [0], root: 0)))
    #expect(run.stopReasons == [.failures(limit: 1)])
  }

  @Test func `of the steps that are ready, the step with the longest chain of dependents starts first`() {
    let all: [ScheduleGraph.Step] = [.init(remainingPath: 1), .init(remainingPath: 3), .init(remainingPath: 2), .init(remainingPath: 3)]
    #expect(run(all, [], policy: SchedulerPolicy(concurrency: 1)).beginOrder == [1, 3, 2, 0])
    #expect(run(all, [], policy: SchedulerPolicy(isSerial: true, order: .file)).beginOrder == [0, 1, 2, 3])
  }

  @Test func `a serial schedule starts ready steps in file order`() {
    let edges: [ScheduleGraph.Edge] = [.init(from: 3, to: 0, .value), .init(from: 0, to: 1, .pass)]
    let run = run(steps(4), edges, policy: SchedulerPolicy(isSerial: true, order: .file)) {
      for step in $0.indices { $0[step].transfers = 2 }
    }
    #expect(run.beginOrder == [2, 3, 0, 1])
  }

  @Test func `the scheduler always shuffles steps in the same order if the seed is the same`() {
    func order(_ seed: UInt64) -> [Int] {
      run(steps(20), [], policy: SchedulerPolicy(concurrency: 1, order: .shuffled(seed: seed))).beginOrder
    }
    #expect(order(1) == order(1))
    #expect(order(1) != order(2))
    #expect(order(1).sorted() == Array(0..<20))
  }

  @Test func `if one origin has reached its limit of concurrent requests, steps to other origins still start`() {
    // Forty steps use one host, and the next step another host. With six transfers at the busy host, the other step must not wait for all
    // forty steps.
    for isHinted in [true, false] {
      let all = (0..<41).map { ScheduleGraph.Step(origin: isHinted ? ($0 == 40 ? 1 : 0) : nil) }
      var scheduler = Scheduler(graph: ScheduleGraph(steps: all, edges: []), policy: SchedulerPolicy(concurrency: 8, perOrigin: 6))
      var sent: [Int] = []
      var queue = scheduler.start()
      while !queue.isEmpty {
        switch queue.removeFirst() {
        case .begin(let step): queue += scheduler.handle(.transferWanted(step: step, iteration: 0, origin: step == 40 ? 1 : 0))
        case .send(let step, _, _): sent.append(step)
        case .pause: queue += scheduler.handle(.proceed)
        default: continue
        }
      }
      #expect(sent == [0, 1, 2, 3, 4, 5, 40])
    }
  }

  @Test func `the cost of scheduling grows linearly with the number of steps`() {
    // A chain and a star of 30,000 steps each. With quadratic cost, the test would take minutes.
    let count = 30_000
    let chain = (1..<count).map { ScheduleGraph.Edge(from: $0 - 1, to: $0, .value) }
    let star = (1..<count).map { ScheduleGraph.Edge(from: 0, to: $0, .pass) }
    for edges in [chain, star] {
      for outcome in [Outcome.passed, .failed] {
        var scheduler = Scheduler(
          graph: ScheduleGraph(steps: Array(repeating: .init(origin: 0), count: count), edges: edges), policy: SchedulerPolicy())
        var queue = scheduler.start()
        var position = 0
        while position < queue.count {
          switch queue[position] {
          case .begin(let step): queue += scheduler.handle(.transferWanted(step: step, iteration: 0, origin: 0))
          case .send(let step, _, _):
            queue += scheduler.handle(.transferEnded(origin: 0))
            queue += scheduler.handle(.ended(step: step, .init(outcome)))
          case .pause: queue += scheduler.handle(.proceed)
          default: break
          }
          position += 1
        }
        #expect(queue.contains(.finished))
      }
    }
  }
}
