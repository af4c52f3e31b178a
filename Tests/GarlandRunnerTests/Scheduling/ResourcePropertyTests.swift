import GarlandResults
import GarlandText
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests with random steps, loops, resources and exclusive steps. For any order of ends, the limits are kept and every run ends.
@Suite("Resources on random graphs", .timeLimit(.minutes(15)))
struct ResourcePropertyTests {
  private struct Simulation {
    let graph: ScheduleGraph
    let items: [Int]
    let isSerial: Bool
    var generator: SeededGenerator
    var scheduler: Scheduler
    var left: [Int]
    var begun: Set<Int> = []
    var ended: Set<Int> = []
    /// The number of times that each step holds its resources: once, or once for each item.
    var holders: [Int: Int] = [:]
    var pending: [Pending] = []
    var isFinished = false

    enum Pending { case answer(Int), finish(Int, Int), proceed }

    init(seed: UInt64) {
      var generator = SeededGenerator(seed: seed)
      let count = Int.random(in: 2...12, using: &generator)
      let resources = (0..<Int.random(in: 1...3, using: &generator)).map { _ in Int.random(in: 1...2, using: &generator) }
      var items: [Int] = []
      var steps: [ScheduleGraph.Step] = []
      var edges: [ScheduleGraph.Edge] = []
      for index in 0..<count {
        var step = ScheduleGraph.Step(
          remainingPath: Double.random(in: 1...5, using: &generator), origin: Bool.random(using: &generator) ? 0 : nil)
        step.isLoop = Int.random(in: 0..<3, using: &generator) == 0
        step.isExclusive = Int.random(in: 0..<5, using: &generator) == 0
        step.uses = resources.indices.filter { _ in Bool.random(using: &generator) }
        steps.append(step)
        items.append(step.isLoop ? Int.random(in: 1...4, using: &generator) : 1)
        for earlier in 0..<index where Int.random(in: 0..<6, using: &generator) == 0 {
          edges.append(.init(from: earlier, to: index, .pass))
        }
      }
      graph = ScheduleGraph(steps: steps, edges: edges, resources: resources)
      isSerial = Int.random(in: 0..<3, using: &generator) == 0
      let concurrency = Int.random(in: 1...4, using: &generator)
      scheduler = Scheduler(
        graph: graph,
        policy: SchedulerPolicy(concurrency: concurrency, perOrigin: Int.random(in: 1...3, using: &generator), isSerial: isSerial))
      self.items = items
      left = items
      self.generator = generator
    }

    mutating func run() {
      perform(scheduler.start())
      while !pending.isEmpty, !isFinished {
        switch pending.remove(at: Int.random(in: pending.indices, using: &generator)) {
        case .proceed: perform(scheduler.handle(.proceed))
        case .answer(let step): answer(step)
        case .finish(let step, let item): finish(step, item)
        }
      }
      #expect(isFinished, "the run hangs: \(graph.steps.indices.filter { !ended.contains($0) }) have not ended")
      #expect(scheduler.hasAllSlots)
    }

    private mutating func answer(_ step: Int) {
      guard graph.steps[step].isLoop else {
        perform(scheduler.handle(.transferWanted(step: step, iteration: 0, origin: 0)))
        return
      }
      perform(scheduler.handle(.waits(step: step)))
      for item in 0..<items[step] {
        if graph.steps[step].uses.isEmpty {
          perform(scheduler.handle(.transferWanted(step: step, iteration: item, origin: 0)))
        } else {
          perform(scheduler.handle(.iterationWanted(step: step, iteration: item)))
        }
      }
    }

    private mutating func finish(_ step: Int, _ item: Int) {
      left[step] -= 1
      let isLast = left[step] == 0
      if !graph.steps[step].uses.isEmpty { holders[step, default: 0] -= 1 }
      if isLast { ended.insert(step) }
      if graph.steps[step].isLoop, !graph.steps[step].uses.isEmpty { perform(scheduler.handle(.iterationEnded(step: step))) }
      if isLast { perform(scheduler.handle(.ended(step: step, .init(.passed)))) }
      perform(scheduler.handle(.transferEnded(origin: 0)))
    }

    private mutating func perform(_ actions: [Scheduler.Action]) {
      for action in actions {
        switch action {
        case .begin(let step):
          #expect(begun.insert(step).inserted)
          let active = begun.subtracting(ended).subtracting([step])
          if isSerial || graph.steps[step].isExclusive { #expect(active.isEmpty, "\(step) begins beside \(active)") }
          #expect(active.allSatisfy { !graph.steps[$0].isExclusive }, "\(step) begins beside one that runs alone")
          if !graph.steps[step].isLoop { hold(step) }
          pending.append(.answer(step))
        case .beginIteration(let step, let item):
          hold(step)
          perform(scheduler.handle(.transferWanted(step: step, iteration: item, origin: 0)))
        case .send(let step, let item, _): pending.append(.finish(step, item))
        case .pause: pending.append(.proceed)
        case .finished: isFinished = true
        case .ready, .conclude, .halt, .stopped, .borrow, .handBack, .lend: break
        }
      }
    }

    private mutating func hold(_ step: Int) {
      guard !graph.steps[step].uses.isEmpty else { return }
      holders[step, default: 0] += 1
      for resource in graph.steps[step].uses {
        let used = holders.filter { graph.steps[$0.key].uses.contains(resource) }.values.reduce(0, +)
        #expect(used <= graph.resources[resource], "\(used) have one of \(graph.resources[resource])")
      }
    }
  }

  @Test(arguments: 0..<DeepTests.rounds(2_000, otherwise: 500))
  func `in each random run, the number of steps that use a resource at the same time never exceeds the resource's limit`(
    seed: Int
  ) {
    var simulation = Simulation(seed: UInt64(seed))
    simulation.run()
  }
}
