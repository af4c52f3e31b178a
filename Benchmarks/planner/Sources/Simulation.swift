import GarlandRunner
import Glibc
import ScheduleSimulation

/// How long the schedules of random graphs take whose steps take a known time each.
enum Simulation {
  static func report(seeds: UInt64) {
    var ratios: [String: [Double]] = [:]
    for seed in 0..<seeds {
      let graph = SimulatedGraph.random(seed: seed)
      let bound = graph.lowerBound
      ratios["known", default: []].append(graph.makespan() / bound)
      ratios["unknown", default: []].append(graph.makespan(knowing: .none) / bound)
      ratios["file", default: []].append(graph.makespan(order: .file) / bound)
      ratios["shuffled", default: []].append(graph.makespan(order: .shuffled(seed: seed)) / bound)
    }
    let lines = ["known", "unknown", "file", "shuffled"].map { name in
      let values = (ratios[name] ?? []).sorted()
      let mean = values.reduce(0, +) / Double(max(1, values.count))
      return "\"\(name)\": {\"mean\": \(mean), \"median\": \(values[values.count / 2]), \"worst\": \(values.last ?? 0)}"
    }
    print("{\(lines.joined(separator: ", "))}")
  }

  /// A document for a server that answers `/delay/SECONDS` after so long, with slots and bound in its description.
  static func writeDocument(_ arguments: [String]) {
    guard arguments.count == 3, let seed = UInt64(arguments[1]), let unit = Double(arguments[2]) else {
      print("usage: PlannerBenchmark delays SEED UNIT")
      exit(2)
    }
    let graph = SimulatedGraph.random(seed: seed)
    print("garland: 1\ndescription: '\(graph.slots) \(graph.lowerBound * unit)'\ndefaults: { base_url: '${env.GARLAND_SANDBOX}' }\nsteps:")
    for (step, sources) in graph.references.enumerated() {
      let after = Set(sources).sorted().map { "s\($0)" }.joined(separator: ", ")
      // Whole milliseconds: the bound is that of the durations as they are.
      let milliseconds = (graph.durations[step] * unit * 1_000).rounded()
      print("  s\(step): { get: '/delay/\(milliseconds / 1_000)'\(after.isEmpty ? "" : ", after: [\(after)]") }")
    }
  }
}
