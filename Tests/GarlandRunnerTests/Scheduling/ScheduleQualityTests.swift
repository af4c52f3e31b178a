import GarlandPlanner
import GarlandResults
import Testing

@testable import GarlandRunner

/// Simulated time: how close the end of a run comes to the earliest that any schedule could reach.
@Suite("Quality of the schedule")
struct ScheduleQualityTests {
  /// A graph whose steps take a known time each.
  struct Case {
    var graph: ScheduleGraph
    var durations: [Double]
    /// The heaviest chain.
    var span: Double
    var slots: Int

    /// No schedule ends before the heaviest chain, nor before the work is shared out among the slots.
    var lowerBound: Double { max(span, durations.reduce(0, +) / Double(slots)) }
  }

  static func random(_ seed: UInt64) -> Case {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 100...600, using: &generator)
    let slots = [2, 4, 8, 16].randomElement(using: &generator) ?? 4
    let density = Int.random(in: 0...3, using: &generator)
    let durations = (0..<count).map { _ in Double.random(in: 0.01...1, using: &generator) }
    var edges: [ScheduleGraph.Edge] = []
    for step in 1..<count {
      for _ in 0..<Int.random(in: 0...density, using: &generator) {
        edges.append(.init(from: Int.random(in: 0..<step, using: &generator), to: step, .pass))
      }
    }
    // Steps come after those they wait for, so one pass from the end finds the longest paths.
    var remaining = durations
    var dependents = [[Int]](repeating: [], count: count)
    for edge in edges { dependents[edge.dependency].append(edge.dependent) }
    for step in (0..<count).reversed() { remaining[step] += dependents[step].map { remaining[$0] }.max() ?? 0 }
    let graph = ScheduleGraph(steps: remaining.map { .init(remainingPath: $0, origin: 0) }, edges: edges)
    return Case(graph: graph, durations: durations, span: remaining.max() ?? 0, slots: slots)
  }

  /// When the last step ends.
  static func makespan(_ test: Case, order: SchedulerPolicy.Order = .longestPath) -> Double {
    var scheduler = Scheduler(
      graph: test.graph, policy: SchedulerPolicy(concurrency: test.slots, perOrigin: test.slots, order: order))
    var now = 0.0
    var running: [(end: Double, step: Int)] = []
    var queue = scheduler.start()
    while true {
      while !queue.isEmpty {
        switch queue.removeFirst() {
        case .begin(let step): queue += scheduler.handle(.transferWanted(step: step, iteration: 0, origin: 0))
        case .send(let step, _, _): running.append((now + test.durations[step], step))
        case .pause: queue += scheduler.handle(.proceed)
        case .finished: return now
        case .ready, .conclude, .halt, .stopped, .beginIteration: break
        }
      }
      guard let next = running.indices.min(by: { running[$0].end < running[$1].end }) else { return .infinity }
      let ended = running.remove(at: next)
      now = ended.end
      queue = scheduler.handle(.transferEnded(origin: 0))
      queue += scheduler.handle(.ended(step: ended.step, .init(.passed)))
    }
  }

  @Test func staysWithinATenthOfTheLowerBound() {
    for seed in UInt64(0)..<200 {
      let test = Self.random(seed)
      let ratio = Self.makespan(test) / test.lowerBound
      #expect(ratio >= 0.999_999, "no schedule beats the bound, so the bound or the simulation is wrong (seed \(seed))")
      #expect(ratio <= 1.1, "seed \(seed): \(ratio)")
    }
  }

  @Test func theLongestPathFirstIsWorthIt() {
    // Many short steps, and a chain that is named last: whoever takes file order starts it too late.
    let short = 60
    let chain = 10
    var edges: [ScheduleGraph.Edge] = []
    for step in short + 1..<short + chain { edges.append(.init(from: step - 1, to: step, .pass)) }
    // A little shorter than the others, so that no two end at the same moment.
    let remaining = (0..<short + chain).map { $0 < short ? 1.0 : 0.999 * Double(short + chain - $0) }
    let test = Case(
      graph: ScheduleGraph(steps: remaining.map { .init(remainingPath: $0, origin: 0) }, edges: edges),
      durations: (0..<short + chain).map { $0 < short ? 1 : 0.999 }, span: 0.999 * Double(chain), slots: 7)
    #expect(Self.makespan(test) < 1.02 * test.lowerBound)
    #expect(Self.makespan(test, order: .file) > 1.5 * test.lowerBound)
  }
}
