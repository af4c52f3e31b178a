import Testing

@testable import GarlandRunner

/// Tests of the order of slots among steps of which some have sent a request before.
@Suite struct RepeatedAttemptTests {
  /// Runs steps for one origin that are all ready, with a single slot. The first step gets the slot, and `lineUp` sends the events that
  /// occur until the slot is free.
  private func sent(after lineUp: (inout Scheduler) -> [Scheduler.Action]) -> [Int] {
    let steps = (0..<4).map { _ in ScheduleGraph.Step(origin: 0) }
    var scheduler = Scheduler(
      graph: ScheduleGraph(steps: steps, edges: []), policy: SchedulerPolicy(concurrency: 1, perOrigin: 1, order: .file))
    var sent: [Int] = []
    var queue = scheduler.start()
    func drain() {
      while !queue.isEmpty {
        switch queue.removeFirst() {
        case .begin(let step): queue += scheduler.handle(.transferWanted(step: step, iteration: 0, origin: 0))
        case .send(let step, _, _): sent.append(step)
        case .pause: queue += scheduler.handle(.proceed)
        default: continue
        }
      }
    }
    drain()
    queue += lineUp(&scheduler)
    for _ in 0..<5 {
      queue += scheduler.handle(.transferEnded(origin: 0))
      drain()
    }
    return sent
  }

  @Test func `a further attempt of a running step is sent before the first attempts of other steps`() {
    let order = sent { $0.handle(.transferWanted(step: 0, iteration: 0, origin: 0, again: true)) }
    #expect(order == [0, 0, 1, 2, 3])
  }

  @Test func `running steps that send a further request get a transfer slot in the order in which they asked for one`() {
    let order = sent { scheduler in
      // The second step has also begun, and requests a slot for another request before the first step does.
      scheduler.handle(.transferWanted(step: 2, iteration: 0, origin: 0, again: true))
        + scheduler.handle(.transferWanted(step: 0, iteration: 0, origin: 0, again: true))
    }
    #expect(order.prefix(3) == [0, 2, 0])
  }
}
