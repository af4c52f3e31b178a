import GarlandPlanner
import GarlandResults
import GarlandText
import GarlandTransfer
import GarlandWorkflow
import TestSupport

@testable import GarlandRunner

/// A random document with retries, polls, pages and loops, for servers with a given behaviour for each step. The real types `Scheduler`,
/// `Repeating` and `StepClock` carry it out in simulated time.
struct TimedPlan {
  /// The requests of a step and the simulated responses.
  struct Behaviour {
    enum Kind { case once, poll, retry, pages, loop }

    var kind: Kind
    /// The duration of each request.
    var request: Duration
    /// The number of requests until a poll's condition is met, an attempt succeeds, or the last page is reached; for a loop, the number of
    /// items.
    var needed: Int
    var every: Duration
    var within: Duration
    var retryLimit: Int
    /// The numbers of the steps that must end before this step.
    var dependencies: [Int]
    var origin: Int
  }

  let behaviours: [Behaviour]

  /// Creates a random plan, which is the same for the same seed.
  init(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 4...24, using: &generator)
    let origins = Int.random(in: 1...2, using: &generator)
    behaviours = (0..<count).map { number in
      let kinds: [Behaviour.Kind] = [.once, .poll, .poll, .retry, .pages, .loop]
      let kind = kinds.randomElement(using: &generator) ?? .once
      return Behaviour(
        kind: kind, request: .milliseconds(Int.random(in: 1...900, using: &generator)),
        needed: Int.random(in: 1...(kind == .loop ? 40 : 6), using: &generator),
        every: .milliseconds(Int.random(in: 0...300, using: &generator)),
        within: .milliseconds(Int.random(in: 100...4000, using: &generator)),
        retryLimit: Int.random(in: 1...5, using: &generator),
        dependencies: (0..<Int.random(in: 0...2, using: &generator)).compactMap { _ in
          number > 0 ? Int.random(in: 0..<number, using: &generator) : nil
        },
        origin: Int.random(in: 0..<origins, using: &generator))
    }
  }

  /// Whether a step passes if no other step delays it.
  func passesAlone(_ number: Int) -> Bool {
    let step = behaviours[number]
    switch step.kind {
    case .once, .pages, .loop: return true
    case .retry: return step.needed <= step.retryLimit + 1
    case .poll:
      var time = Duration.zero
      for request in 1...step.needed {
        time += step.request
        if time > step.within { return false }
        if request == step.needed { return true }
        time += step.every
        if time > step.within { return false }
      }
      return true
    }
  }

  /// The expected outcome of each step. It does not depend on the order of the steps in the file.
  var outcomes: [Outcome] {
    var outcomes: [Outcome] = []
    for (number, step) in behaviours.enumerated() {
      let isBlocked = step.dependencies.contains { outcomes[$0] != .passed }
      outcomes.append(isBlocked ? .blocked : passesAlone(number) ? .passed : .failed)
    }
    return outcomes
  }

  /// Returns the document with its steps in the given order.
  func text(_ order: [Int]) -> String {
    var text = "garland: 1\nsteps:\n"
    for number in order {
      let step = behaviours[number]
      var keys = ["get: 'http://h\(step.origin).invalid/\(number)'"]
      if !step.dependencies.isEmpty { keys.append("after: [\(Set(step.dependencies).sorted().map { "s\($0)" }.joined(separator: ", "))]") }
      switch step.kind {
      case .once: break
      case .poll: keys.append("poll: { until: '${response.json.done}', every: \(step.every.inYAML), within: \(step.within.inYAML) }")
      case .retry: keys.append("retry: { limit: \(step.retryLimit), delay: \(step.every.inYAML), factor: 1, jitter: 0 }")
      case .pages: keys.append("paginate: { next: '${response.json.next}' }")
      case .loop: keys.append("for_each: [\((0..<step.needed).map(String.init).joined(separator: ", "))]")
      }
      text += "  s\(number): { \(keys.joined(separator: ", ")) }\n"
    }
    return text
  }
}

extension Duration {
  fileprivate var inYAML: String { "\(components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000)ms" }
}

/// A plan that is being run in simulated time.
struct TimedRun {
  private struct Item: Hashable {
    let step: Int
    let iteration: Int
  }

  private enum Happening {
    /// A request has ended, either within its time limit or because of it.
    case answered(Item, inTime: Bool)
    /// A pause has ended.
    case goesOn(Item)
  }

  /// The state of a step that has begun, or of an item of its loop.
  private struct Progress {
    var repeating: Repeating?
    var clock = StepClock()
    var requests = 0
  }

  private let behaviours: [TimedPlan.Behaviour]
  private let plan: Plan
  private let document: DocumentValues
  private let concurrency: Int
  private var scheduler: Scheduler
  private var now = Duration.zero
  private var pending: [(at: Duration, Happening)] = []
  private var progress: [Item: Progress] = [:]
  private var unbegun: [Int: Range<Int>] = [:]
  private var unended: [Int: Int] = [:]
  private(set) var outcomes: [Outcome?]
  /// The shortest remaining time that any request had when it was sent.
  private(set) var leastTimeLeft = Duration.seconds(1 << 40)

  /// Creates a run.
  ///
  /// - Parameter order: the numbers of the steps in the order of the document.
  init(_ timed: TimedPlan, order: [Int], policy: SchedulerPolicy, folder: TemporaryFolder) throws {
    let plan = try TestRun.plan(timed.text(order), folder: folder)
    behaviours = order.map { number in timed.behaviours[number] }
    self.plan = plan
    document = Run.calledDocuments(of: plan, inputs: [:], TestRun.configuration(nil, folder: folder))[0]
    concurrency = policy.concurrency
    let graph = ScheduleGraph(plan, origins: behaviours.map(\.origin), resources: SharedResources(plan))
    scheduler = Scheduler(graph: graph, policy: policy)
    outcomes = Array(repeating: nil, count: order.count)
  }

  mutating func run() throws {
    try carryOut(scheduler.start())
    while let next = pending.indices.min(by: { pending[$0].at < pending[$1].at }) {
      let (time, happening) = pending.remove(at: next)
      now = time
      switch happening {
      case .goesOn(let item): try lineUp(item)
      case .answered(let item, let inTime):
        try answered(item, inTime: inTime)
        try carryOut(scheduler.handle(.transferEnded(origin: behaviours[item.step].origin)))
      }
    }
  }

  private mutating func carryOut(_ actions: [Scheduler.Action]) throws {
    for action in actions {
      switch action {
      case .begin(let step): try begin(step)
      case .send(let step, let iteration, _): send(Item(step: step, iteration: iteration))
      case .conclude(let step, _): outcomes[step] = .blocked
      case .pause: try carryOut(scheduler.handle(.proceed))
      default: break
      }
    }
  }

  private mutating func begin(_ step: Int) throws {
    guard behaviours[step].kind == .loop else { return try lineUp(Item(step: step, iteration: 0)) }
    unbegun[step] = 0..<behaviours[step].needed
    unended[step] = behaviours[step].needed
    try carryOut(scheduler.handle(.waits(step: step)))
    for _ in 0..<min(concurrency, behaviours[step].needed) { try beginItem(of: step) }
  }

  private mutating func beginItem(of step: Int) throws {
    guard let next = unbegun[step]?.popFirst() else { return }
    try lineUp(Item(step: step, iteration: next))
  }

  private mutating func lineUp(_ item: Item) throws {
    let repetition = plan.steps[item.step].step.flow.repetition
    let context = StepContext(document: document, known: [])
    var own = try progress[item] ?? Progress(repeating: Repeating(repetition, random: { 0 }, now: { 0 }, in: context))
    if own.requests > 0 { own.clock.stop(at: now) }
    progress[item] = own
    let origin = behaviours[item.step].origin
    try carryOut(scheduler.handle(.transferWanted(step: item.step, iteration: item.iteration, origin: origin, again: own.requests > 0)))
  }

  private mutating func send(_ item: Item) {
    guard var own = progress[item] else { return }
    own.clock.go(at: now)
    own.requests += 1
    let time = own.clock.time(at: now)
    own.repeating?.sent(at: time)
    let request = behaviours[item.step].request
    let left = own.repeating?.pollTimeLeft(at: time) ?? .seconds(1 << 40)
    leastTimeLeft = min(leastTimeLeft, left)
    pending.append((now + min(request, left), .answered(item, inTime: request <= left)))
    progress[item] = own
  }

  private mutating func answered(_ item: Item, inTime: Bool) throws {
    let step = behaviours[item.step]
    guard inTime, var own = progress[item] else { return try end(item, .failed) }
    let isLast = own.requests >= step.needed
    switch step.kind {
    case .once: try end(item, .passed)
    case .loop:
      try beginItem(of: item.step)
      unended[item.step, default: 0] -= 1
      if unended[item.step] == 0 { try end(item, .passed) }
    case .pages:
      if isLast { try end(item, .passed) } else { try lineUp(item) }
    case .poll:
      if isLast { return try end(item, .passed) }
      if own.repeating?.isLastPoll(at: own.clock.time(at: now)) ?? true { return try end(item, .failed) }
      own.repeating?.pollAgain()
      progress[item] = own
      try pause(item, step.every)
    case .retry:
      if isLast { return try end(item, .passed) }
      let attempt = RequestAttempt(
        request: TransferRequest(url: "http://h.invalid/"), error: NetworkingError(.connectionLost(detail: "")),
        retryCount: own.repeating?.retries ?? 0, isBodyRepeatable: true)
      let decision = own.repeating?.decide(attempt)
      progress[item] = own
      if case .again(let wait, _, _)? = decision { try pause(item, wait) } else { try end(item, .failed) }
    }
  }

  private mutating func pause(_ item: Item, _ duration: Duration) throws {
    if duration == .zero { try lineUp(item) } else { pending.append((now + duration, .goesOn(item))) }
  }

  private mutating func end(_ item: Item, _ outcome: Outcome) throws {
    outcomes[item.step] = outcome
    try carryOut(scheduler.handle(.ended(step: item.step, .init(outcome))))
  }
}
