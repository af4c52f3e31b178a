import GarlandResults
import GarlandText
import Testing

@testable import GarlandRunner

/// Simulates a run for the scheduler. Steps begin, send and end in an order that a seed determines, and the simulation checks every rule of
/// the scheduler.
struct SimulatedRun {
  /// The simulated behaviour of a step that may run.
  struct Behaviour {
    var outcome = Outcome.passed
    var isFailureAllowed = false
    /// The number of consecutive transfers, as with retries; 0 ends the step without sending.
    var transfers = 1
    var origin = 0
    /// Whether the step reports a wait between its transfers.
    var pauses = false
  }

  enum Fate: Hashable {
    case ran(Outcome)
    case concluded(Scheduler.Conclusion)
  }

  let graph: ScheduleGraph
  let edges: [ScheduleGraph.Edge]
  let policy: SchedulerPolicy
  let behaviours: [Behaviour]
  private var generator: SeededGenerator
  private(set) var fates: [Fate?]
  private(set) var beginOrder: [Int] = []
  private(set) var readyOrder: [Int] = []
  private(set) var highestInFlight = 0
  private(set) var isFinished = false
  private(set) var stopReasons: [StopReason] = []

  init(graph: ScheduleGraph, edges: [ScheduleGraph.Edge], policy: SchedulerPolicy, behaviours: [Behaviour], seed: UInt64) {
    self.graph = graph
    self.edges = edges
    self.policy = policy
    self.behaviours = behaviours
    generator = SeededGenerator(seed: seed)
    fates = Array(repeating: nil, count: graph.steps.count)
  }

  private enum Pending {
    case answerBegin(Int)
    case finishTransfer(Int)
    case wantTransfer(Int)
    case proceed
  }

  /// Runs all steps. `stop` is the reason for stopping the run, and the number of events after which it is stopped.
  mutating func run(stop: (reason: StopReason, after: Int)? = nil, abortAfter: Int? = nil) {
    var scheduler = Scheduler(graph: graph, policy: policy)
    var pending: [Pending] = []
    var inFlight: [Int: Int] = [:]
    var done = [Int](repeating: 0, count: graph.steps.count)
    var begun = Set<Int>()
    var isStopped = false
    var isAborted = false
    var dependencies = [[Int]](repeating: [], count: graph.steps.count)
    for edge in edges { dependencies[edge.dependent].append(edge.dependency) }
    var eventCount = 0
    var queue = scheduler.start()

    func ending(_ step: Int, _ outcome: Outcome) -> Scheduler.Ending {
      .init(outcome, isFailureAllowed: behaviours[step].isFailureAllowed, leavesNothing: done[step] == 0)
    }

    while true {
      var position = 0
      while position < queue.count {
        let action = queue[position]
        position += 1
        switch action {
        case .ready(let step):
          readyOrder.append(step)
        case .begin(let step):
          #expect(fates[step] == nil && begun.insert(step).inserted, "step \(step) begins once")
          #expect(dependencies[step].allSatisfy { fates[$0] != nil }, "step \(step) begins after what it depends on")
          #expect(!isStopped || graph.steps[step].isAlways, "nothing new after a stop")
          #expect(!isAborted)
          if policy.isSerial { #expect(begun.filter { fates[$0] == nil }.count == 1, "one at a time") }
          beginOrder.append(step)
          pending.append(.answerBegin(step))
        case .send(let step, _, _):
          #expect(fates[step] == nil && begun.contains(step))
          inFlight[step] = behaviours[step].origin
          highestInFlight = max(highestInFlight, inFlight.count)
          #expect(inFlight.count <= policy.concurrency)
          let atOrigin = inFlight.values.filter { $0 == behaviours[step].origin }.count
          #expect(atOrigin <= policy.perOrigin, "at most \(policy.perOrigin) to an origin")
          pending.append(.finishTransfer(step))
        case .conclude(let step, let conclusion):
          #expect(fates[step] == nil, "step \(step) ends once")
          #expect(!begun.contains(step))
          if case .notRun = conclusion {} else { #expect(dependencies[step].allSatisfy { fates[$0] != nil }) }
          fates[step] = .concluded(conclusion)
        case .halt(let step, let leeway):
          switch leeway {
          case .notAtAll: break
          case .untilTransferEnds where inFlight[step] == nil: break
          case .untilEnd where done[step] == 0 && inFlight[step] == nil: break
          default: continue
          }
          guard fates[step] == nil else { continue }
          pending.removeAll {
            switch $0 {
            case .answerBegin(step), .finishTransfer(step), .wantTransfer(step): true
            default: false
            }
          }
          if let origin = inFlight.removeValue(forKey: step) { queue += scheduler.handle(.transferEnded(origin: origin)) }
          fates[step] = .ran(.notRun)
          queue += scheduler.handle(.ended(step: step, ending(step, .notRun)))
        case .beginIteration: Issue.record("nothing here is a loop")
        case .borrow, .handBack, .lend: Issue.record("nothing here is a call")
        case .stopped(let reason):
          stopReasons.append(reason)
          isStopped = true
        case .pause:
          pending.append(.proceed)
        case .finished:
          #expect(!isFinished)
          isFinished = true
        }
      }
      eventCount += 1
      if let stop, eventCount == stop.after, !isFinished {
        isStopped = true
        queue = scheduler.handle(.stop(stop.reason))
        continue
      }
      if let abortAfter, eventCount == abortAfter, !isFinished {
        isAborted = true
        queue = scheduler.handle(.abort)
        continue
      }
      guard !pending.isEmpty else { break }
      switch pending.remove(at: Int.random(in: pending.indices, using: &generator)) {
      case .answerBegin(let step):
        let behaviour = behaviours[step]
        if behaviour.transfers == 0 {
          fates[step] = .ran(behaviour.outcome)
          queue = scheduler.handle(.ended(step: step, ending(step, behaviour.outcome)))
        } else if behaviour.pauses {
          queue = scheduler.handle(.waits(step: step))
          pending.append(.wantTransfer(step))
        } else {
          queue = scheduler.handle(.transferWanted(step: step, iteration: 0, origin: behaviour.origin))
        }
      case .wantTransfer(let step):
        queue = scheduler.handle(.transferWanted(step: step, iteration: done[step], origin: behaviours[step].origin))
      case .finishTransfer(let step):
        inFlight[step] = nil
        done[step] += 1
        queue = scheduler.handle(.transferEnded(origin: behaviours[step].origin))
        if done[step] < behaviours[step].transfers {
          pending.append(.wantTransfer(step))
        } else {
          fates[step] = .ran(behaviours[step].outcome)
          queue += scheduler.handle(.ended(step: step, ending(step, behaviours[step].outcome)))
        }
      case .proceed:
        queue = scheduler.handle(.proceed)
      }
    }
    #expect(isFinished, "the run ends")
    #expect(fates.allSatisfy { $0 != nil }, "every step ends")
  }
}
