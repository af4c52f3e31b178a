import GarlandResults
import GarlandRunner
import GarlandText

/// A graph whose steps take a known time each, and what the scheduler makes of it when nothing else takes any.
///
/// ```swift
/// let graph = SimulatedGraph.random(seed: 7)
/// graph.makespan() / graph.lowerBound  // 1.01
/// ```
package struct SimulatedGraph: Sendable {
  /// What the scheduler knows of the durations.
  package enum Knowledge: Sendable {
    /// All of them, as after an earlier run.
    case durations
    /// Nothing, as in a first run: every step weighs one.
    case none
  }

  /// For each step the steps that it waits for, all of which come before it.
  package let references: [[Int]]
  /// How long each step takes, in seconds.
  package let durations: [Double]
  /// How many steps can run at a time.
  package let slots: Int

  /// - Parameters:
  ///   - references: for each step the steps that it waits for, all of which come before it.
  ///   - durations: how long each step takes, in seconds.
  ///   - slots: how many steps can run at a time.
  package init(references: [[Int]], durations: [Double], slots: Int) {
    self.references = references
    self.durations = durations
    self.slots = slots
  }

  /// 100 to 600 steps of 10 to 1,000 ms, each of which waits for up to three others, and 2 to 16 slots: the same for the same seed.
  package static func random(seed: UInt64) -> SimulatedGraph {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 100...600, using: &generator)
    let slots = [2, 4, 8, 16].randomElement(using: &generator) ?? 4
    let density = Int.random(in: 0...3, using: &generator)
    let durations = (0..<count).map { _ in Double.random(in: 0.01...1, using: &generator) }
    var references = [[Int]](repeating: [], count: count)
    for step in 1..<count {
      for _ in 0..<Int.random(in: 0...density, using: &generator) { references[step].append(Int.random(in: 0..<step, using: &generator)) }
    }
    return SimulatedGraph(references: references, durations: durations, slots: slots)
  }

  /// No schedule ends before the heaviest chain, nor before the work is shared out among the slots.
  package var lowerBound: Double { max(longestPaths(durations).max() ?? 0, durations.reduce(0, +) / Double(slots)) }

  /// For each step the weight of the heaviest chain that begins with it. Steps come after those they wait for, so one pass from the end finds it.
  private func longestPaths(_ weights: [Double]) -> [Double] {
    var remaining = weights
    var longest = [Double](repeating: 0, count: weights.count)
    for step in weights.indices.reversed() {
      remaining[step] += longest[step]
      for source in references[step] { longest[source] = max(longest[source], remaining[step]) }
    }
    return remaining
  }

  /// When the last step ends, in seconds; infinite if some step never starts.
  package func makespan(knowing knowledge: Knowledge = .durations, order: SchedulerPolicy.Order = .longestPath) -> Double {
    let weights =
      switch knowledge {
      case .durations: durations
      case .none: [Double](repeating: 1, count: durations.count)
      }
    let edges = references.enumerated().flatMap { step, sources in sources.map { ScheduleGraph.Edge(from: $0, to: step, .pass) } }
    let graph = ScheduleGraph(steps: longestPaths(weights).map { .init(remainingPath: $0, origin: 0) }, edges: edges)
    var scheduler = Scheduler(graph: graph, policy: SchedulerPolicy(concurrency: slots, perOrigin: slots, order: order))
    var now = 0.0
    var running: [(end: Double, step: Int)] = []
    var queue = scheduler.start()
    while true {
      while !queue.isEmpty {
        switch queue.removeFirst() {
        case .begin(let step): queue += scheduler.handle(.transferWanted(step: step, iteration: 0, origin: 0))
        case .send(let step, _, _): running.append((now + durations[step], step))
        case .pause: queue += scheduler.handle(.proceed)
        case .finished: return now
        case .ready, .conclude, .halt, .stopped, .beginIteration, .borrow, .handBack, .lend: break
        }
      }
      guard let next = running.indices.min(by: { running[$0].end < running[$1].end }) else { return .infinity }
      let ended = running.remove(at: next)
      now = ended.end
      queue = scheduler.handle(.transferEnded(origin: 0))
      queue += scheduler.handle(.ended(step: ended.step, .init(.passed)))
    }
  }
}
