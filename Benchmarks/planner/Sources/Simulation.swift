import GarlandPlanner
import GarlandResults
import GarlandRunner
import Glibc

/// Random graphs whose steps take a known time each, and how long their schedules take.
enum Simulation {
  struct Case {
    var references: [[Int]]
    var durations: [Double]
    var remaining: [Double]
    var slots: Int

    /// No schedule ends before the heaviest chain, nor before the work is shared out among the slots.
    var lowerBound: Double { max(remaining.max() ?? 0, durations.reduce(0, +) / Double(slots)) }
  }

  static func random(_ seed: UInt64) -> Case {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 100...600, using: &generator)
    let slots = [2, 4, 8, 16].randomElement(using: &generator) ?? 4
    let density = Int.random(in: 0...3, using: &generator)
    let durations = (0..<count).map { _ in Double.random(in: 0.01...1, using: &generator) }
    var references = [[Int]](repeating: [], count: count)
    for step in 1..<count {
      for _ in 0..<Int.random(in: 0...density, using: &generator) { references[step].append(Int.random(in: 0..<step, using: &generator)) }
    }
    var remaining = durations
    var longest = [Double](repeating: 0, count: count)
    for step in (0..<count).reversed() {
      remaining[step] += longest[step]
      for source in references[step] { longest[source] = max(longest[source], remaining[step]) }
    }
    return Case(references: references, durations: durations, remaining: remaining, slots: slots)
  }

  /// When the last step ends.
  ///
  /// - Parameter remaining: the weight of the longest path from each step on, as far as the scheduler knows it.
  private static func makespan(_ test: Case, remaining: [Double], order: SchedulerPolicy.Order) -> Double {
    let edges = test.references.enumerated().flatMap { step, sources in sources.map { ScheduleGraph.Edge(from: $0, to: step, .pass) } }
    let graph = ScheduleGraph(steps: remaining.map { .init(remainingPath: $0, origin: 0) }, edges: edges)
    var scheduler = Scheduler(graph: graph, policy: SchedulerPolicy(concurrency: test.slots, perOrigin: test.slots, order: order))
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

  private static func ones(_ test: Case) -> [Double] {
    var remaining = [Double](repeating: 1, count: test.durations.count)
    for step in remaining.indices.reversed() {
      for source in test.references[step] { remaining[source] = max(remaining[source], remaining[step] + 1) }
    }
    return remaining
  }

  static func report(seeds: UInt64) {
    var ratios: [String: [Double]] = [:]
    for seed in 0..<seeds {
      let test = random(seed)
      ratios["known", default: []].append(makespan(test, remaining: test.remaining, order: .longestPath) / test.lowerBound)
      ratios["unknown", default: []].append(makespan(test, remaining: ones(test), order: .longestPath) / test.lowerBound)
      ratios["file", default: []].append(makespan(test, remaining: test.remaining, order: .file) / test.lowerBound)
      ratios["shuffled", default: []].append(makespan(test, remaining: test.remaining, order: .shuffled(seed: seed)) / test.lowerBound)
    }
    let lines = ["known", "unknown", "file", "shuffled"].map { name in
      let values = (ratios[name] ?? []).sorted()
      let mean = values.reduce(0, +) / Double(max(1, values.count))
      return "\"\(name)\": {\"mean\": \(mean), \"median\": \(values[values.count / 2]), \"worst\": \(values.last ?? 0)}"
    }
    print("{\(lines.joined(separator: ", "))}")
  }

  /// A document for a server that answers `/delay/SECONDS` after so long, with the bound in its description.
  static func writeDocument(_ arguments: [String]) {
    guard arguments.count == 3, let seed = UInt64(arguments[1]), let unit = Double(arguments[2]) else {
      print("usage: PlannerBenchmark delays SEED UNIT")
      exit(2)
    }
    let test = random(seed)
    print("garland: 1\ndescription: '\(test.slots) \(test.lowerBound * unit)'\ndefaults: { base_url: '${env.GARLAND_SANDBOX}' }\nsteps:")
    for (step, sources) in test.references.enumerated() {
      let after = Set(sources).sorted().map { "s\($0)" }.joined(separator: ", ")
      // Whole milliseconds: the bound is that of the durations as they are.
      let milliseconds = (test.durations[step] * unit * 1_000).rounded()
      print("  s\(step): { get: '/delay/\(milliseconds / 1_000)'\(after.isEmpty ? "" : ", after: [\(after)]") }")
    }
  }
}
