import GarlandResults
import GarlandText
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests, in simulated time, that the outcome of a step does not depend on how long Garland itself delays the step.
@Suite struct TimedPlanTests {
  @Test(arguments: 0..<120)
  func `the order of steps in the file does not change the outcome of any step`(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let timed = TimedPlan(seed: seed)
    var generator = SeededGenerator(seed: seed ^ 0x5EED)
    for turn in 0..<4 {
      var order = Array(timed.behaviours.indices)
      if turn == 1 { order.reverse() } else if turn > 1 { order.shuffle(using: &generator) }
      let orders: [SchedulerPolicy.Order] = [.longestPath, .file, .shuffled(seed: seed)]
      let policy = SchedulerPolicy(
        concurrency: Int.random(in: 1...8, using: &generator), perOrigin: Int.random(in: 1...3, using: &generator),
        isSerial: turn == 3, order: orders.randomElement(using: &generator) ?? .file)
      var run = try TimedRun(timed, order: order, policy: policy, folder: folder)
      try run.run()
      var outcomes = [Outcome?](repeating: nil, count: order.count)
      for (place, number) in order.enumerated() { outcomes[number] = run.outcomes[place] }
      #expect(outcomes == timed.outcomes.map { $0 as Outcome? }, "turn \(turn), \(policy)")
      #expect(run.leastTimeLeft >= .zero, "no request is sent with less than no time")
    }
  }

  @Test func `the random plans of the scheduler's tests have steps with all three outcomes: passed, failed and blocked`() {
    let outcomes = (0..<120).flatMap { TimedPlan(seed: $0).outcomes }
    #expect(Set(outcomes) == [.passed, .failed, .blocked])
  }
}
