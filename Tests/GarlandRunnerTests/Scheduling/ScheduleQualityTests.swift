import ScheduleSimulation
import Testing

/// Tests, in simulated time, of how close the end of a run is to the earliest possible end. Benchmarks/planner measures real runs.
@Suite("Quality of the schedule")
struct ScheduleQualityTests {
  @Test func `if steps on the longest path start first, a run takes at most a tenth longer than the shortest possible time`() {
    for seed in UInt64(0)..<200 {
      let graph = SimulatedGraph.random(seed: seed)
      let ratio = graph.makespan() / graph.lowerBound
      #expect(ratio >= 0.999_999, "no schedule beats the bound, so the bound or the simulation is wrong (seed \(seed))")
      #expect(ratio <= 1.1, "seed \(seed): \(ratio)")
    }
  }

  @Test func `if steps on the longest path start first, a run takes less time than in the order of the file`() {
    // There are many short steps, and a chain at the end of the document, which file order would start too late. The chain is slightly
    // faster, so that no two steps end at the same time.
    let short = 60
    let chain = 10
    let graph = SimulatedGraph(
      references: (0..<short + chain).map { $0 > short ? [$0 - 1] : [] },
      durations: (0..<short + chain).map { $0 < short ? 1 : 0.999 }, slots: 7)
    #expect(graph.makespan() < 1.02 * graph.lowerBound)
    #expect(graph.makespan(order: .file) > 1.5 * graph.lowerBound)
  }
}
