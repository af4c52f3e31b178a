import GarlandResults
import Testing

@testable import GarlandRunner

/// Tests of the limit on values that are kept for later steps.
@Suite("Limit on values that are kept in memory") struct DrainingTests {
  /// Runs a graph step by step. Each of the first steps leaves a value that is kept until the last step that uses it has ended.
  ///
  /// - Parameters:
  ///   - slots: the maximum number of concurrent transfers to each origin.
  ///   - origin: returns the origin of a step's request.
  ///   - pace: the number of transfers to an origin that end while one transfer ends at each other origin.
  /// - Returns: the order in which the steps began, and the maximum size that was kept at the same time.
  private func carryOut(
    _ uses: [[Int]], producers: Int, weight: Int, limit: Int, slots: Int, order: SchedulerPolicy.Order = .longestPath,
    origin: (Int) -> Int = { _ in 0 }, pace: [Int] = [1]
  ) -> (order: [Int], most: Int) {
    let edges = uses.enumerated().flatMap { step, used in used.map { ScheduleGraph.Edge(from: $0, to: step, .value) } }
    var remaining = [Double](repeating: 1, count: uses.count)
    for step in remaining.indices.reversed() {
      for source in uses[step] { remaining[source] = max(remaining[source], remaining[step] + 1) }
    }
    let graph = ScheduleGraph(
      steps: remaining.enumerated().map { .init(remainingPath: $0.element, origin: origin($0.offset)) }, edges: edges)
    var scheduler = Scheduler(
      graph: graph, policy: SchedulerPolicy(concurrency: slots * pace.count, perOrigin: slots, order: order, heldBytes: limit))
    var users = [Int](repeating: 0, count: uses.count)
    for edge in edges { users[edge.dependency] += 1 }
    var began: [Int] = []
    var ended = Set<Int>()
    var running: [Int] = []
    var (held, most, turn) = (0, 0, 0)
    var queue = scheduler.start()
    while true {
      while !queue.isEmpty {
        switch queue.removeFirst() {
        case .begin(let step):
          #expect(uses[step].allSatisfy(ended.contains), "\(step) begins before what it uses has ended")
          began.append(step)
          queue += scheduler.handle(.transferWanted(step: step, iteration: 0, origin: origin(step)))
        case .send(let step, _, _): running.append(step)
        case .pause: queue += scheduler.handle(.proceed)
        case .finished: return (began, most)
        case .ready, .conclude, .halt, .stopped, .beginIteration, .borrow, .handBack, .lend: break
        }
      }
      guard !running.isEmpty else {
        Issue.record("nothing goes on after \(began.count) of \(uses.count) steps")
        return (began, most)
      }
      turn = (turn + 1) % pace.reduce(0, +)
      var (passed, wanted) = (0, 0)
      while turn >= passed + pace[wanted] {
        passed += pace[wanted]
        wanted += 1
      }
      let step = running.remove(at: running.firstIndex { origin($0) == wanted } ?? 0)
      ended.insert(step)
      for source in uses[step] {
        users[source] -= 1
        guard users[source] == 0, source < producers else { continue }
        held -= weight
        queue += scheduler.handle(.released(bytes: weight))
      }
      let keeps = step < producers && users[step] > 0
      if keeps { held += weight }
      most = max(most, held)
      queue += scheduler.handle(.ended(step: step, .init(.passed, heldBytes: keeps ? weight : 0)))
      queue += scheduler.handle(.transferEnded(origin: origin(step)))
    }
  }

  /// Returns the uses for the given number of steps, each of whose values is used by one other step.
  private static func pairs(_ count: Int) -> [[Int]] {
    Array(repeating: [], count: count) + (0..<count).map { [$0] }
  }

  @Test func `if the bodies that are kept for later steps reach the memory limit, steps that use these bodies start first`() {
    let pairs = Self.pairs(500)
    #expect(carryOut(pairs, producers: 500, weight: 100, limit: .max, slots: 8).most == 50_000)
    let (order, most) = carryOut(pairs, producers: 500, weight: 100, limit: 2_000, slots: 8)
    #expect(order.count == 1_000)
    // Steps that were in progress when the limit was reached can exceed it.
    #expect(most <= 2_000 + 8 * 100, "\(most)")
  }

  /// The host of the steps that fetch values responds eight times as fast as the host of the steps that use these values.
  @Test func `if the values that are kept for later steps reach the memory limit, steps that would add more values wait`() {
    let pairs = Self.pairs(500)
    func most(_ limit: Int) -> Int {
      let (order, most) = carryOut(
        pairs, producers: 500, weight: 100, limit: limit, slots: 4, origin: { $0 < 500 ? 0 : 1 }, pace: [8, 1])
      #expect(order.count == 1_000)
      return most
    }
    #expect(most(.max) > 40_000)
    #expect(most(2_000) <= 3 * 2_000 + 8 * 100)
  }

  /// While a step uses a value far above the limit, all other steps continue.
  @Test func `if one step uses a value that is larger than the memory limit for values, the other steps still run`() {
    var uses: [[Int]] = [[], [0]]
    // Beside this step there are two chains, one of steps with values and one of steps without.
    for step in 0..<20 { uses.append(step < 2 ? [] : [step]) }
    let edges = uses.enumerated().flatMap { step, used in used.map { ScheduleGraph.Edge(from: $0, to: step, .value) } }
    let graph = ScheduleGraph(steps: uses.indices.map { _ in .init(origin: 0) }, edges: edges)
    var scheduler = Scheduler(graph: graph, policy: SchedulerPolicy(concurrency: 4, perOrigin: 4, heldBytes: 1_000))
    var queue = scheduler.start()
    var ended: [Int] = []
    while !queue.isEmpty {
      switch queue.removeFirst() {
      case .begin(let step): queue += scheduler.handle(.transferWanted(step: step, iteration: 0, origin: 0))
      case .pause: queue += scheduler.handle(.proceed)
      // The step that uses the value never ends.
      case .send(let step, _, _) where step != 1:
        ended.append(step)
        queue += scheduler.handle(.ended(step: step, .init(.passed, heldBytes: step == 0 ? 20_000 : 100)))
        queue += scheduler.handle(.transferEnded(origin: 0))
      default: break
      }
    }
    #expect(ended.count == uses.count - 1)
  }

  @Test func `a run completes even if the values that it must keep until the last step exceed the memory limit`() {
    // The last step uses all values. Each step in between uses values from both ends.
    let count = 300
    var uses = [[Int]](repeating: [], count: count)
    uses += (0..<count).map { [$0, count - 1 - $0] }
    uses.append(Array(0..<count))
    #expect(carryOut(uses, producers: count, weight: 100, limit: 500, slots: 4).order.count == 2 * count + 1)
  }

  @Test func `the memory limit for stored values does not change the order of steps if this order is 'file' or 'shuffled'`() {
    let pairs = Self.pairs(50)
    let file = carryOut(pairs, producers: 50, weight: 100, limit: 100, slots: 1, order: .file)
    #expect(file.order == Array(0..<100))
    let shuffled = carryOut(pairs, producers: 50, weight: 100, limit: 100, slots: 1, order: .shuffled(seed: 1))
    #expect(shuffled.order == carryOut(pairs, producers: 50, weight: 100, limit: .max, slots: 1, order: .shuffled(seed: 1)).order)
  }
}
