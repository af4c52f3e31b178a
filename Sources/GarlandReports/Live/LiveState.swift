import GarlandResults

/// The state of a live view. The type processes the events of the run, and determines the steps to show at a given moment.
struct LiveState {
  /// A running step, or a running item of its loop. Either a transfer is in progress, or there is a pause before the next transfer.
  struct Running {
    var step: StepIdentity
    var iteration: String?
    var startedAt: Duration
    /// The method of the request, and its URL with the values of the URL's expressions; nil until both are known.
    var target: (method: String, url: String)?
    var progress: TransferProgress?
    var rate: TransferRate
    /// The reason why the step or item transfers nothing at the moment, such as a retry delay, and the time at which the pause ends. Nil
    /// during a transfer.
    var pause: (reason: String, until: Duration)?
    /// The number of steps and loop items that had started before this step or item.
    var order: Int
  }

  /// A step that has not started, and the steps that it waits for.
  struct Waiting {
    var step: StepIdentity
    var dependencies: [StepIdentity]
  }

  /// A loop with items that have not ended yet.
  struct Loop {
    var step: StepIdentity
    var startedAt: Duration
    var itemCount: Int
    var endedCount = 0
  }

  private enum Phase: UInt8 { case waiting, ready, running, ended }

  private struct Key: Hashable {
    var step: Int
    /// The index of the item in the step's loop; nil without a loop. Labels can't identify the items, since several items may have equal
    /// labels.
    var iteration: Int?
  }

  /// Every step of the run.
  private(set) var steps: [StepIdentity] = []
  /// The number of results by outcome. Iterations count individually, and allowed failures are not included.
  private(set) var counts: [Outcome: Int] = [:]
  /// The number of allowed failures so far. An allowed failure does not fail the run. ``counts`` does not include these failures.
  private(set) var allowedFailures = 0
  /// The number of steps that have ended.
  private(set) var endedSteps = 0
  /// The number of steps whose dependencies have ended, but that still wait for a transfer slot.
  private(set) var readySteps = 0
  /// The number of steps that are running.
  private(set) var runningSteps = 0
  /// Whether the run is a load test.
  private(set) var sendsLoad = false
  /// The measurements of a load test in progress; nil in its first second, and for any other run.
  private(set) var load: LoadProgress?
  /// The signal with which the user stopped the run, or nil.
  private(set) var interruption: String?

  private var dependencies: [[Int]] = []
  private var dependents: [[Int32]] = []
  private var phases: [Phase] = []
  private var running: [Key: Running] = [:]
  private var started = 0
  /// The loops; each key is the index of a loop's step.
  private var loops: [Int: Loop] = [:]

  /// The number of steps that can't start yet, because a step that they depend on has not ended.
  var waitingSteps: Int { max(0, steps.count - endedSteps - readySteps - runningSteps) }

  /// The number of steps and loop items that have started but not ended, including those that pause.
  var runningCount: Int { running.count }

  mutating func receive(_ event: RunEvent) {
    switch event {
    case .runStarted(let start): begin(start)
    case .stepReady(let step, _): move(step, to: .ready)
    case .stepStarted(let step, let start):
      move(step, to: .running)
      let key = Key(step: step.index, iteration: start.iterationIndex)
      if running[key] == nil {
        running[key] = Running(step: step, iteration: start.iteration, startedAt: start.time, rate: TransferRate(), order: started)
        started += 1
      }
      if let count = start.itemCount, count > 1, loops[step.index] == nil {
        loops[step.index] = Loop(step: step, startedAt: start.time, itemCount: count)
      }
      running[key]?.target = start.target
      running[key]?.pause = nil
      running[key]?.progress = nil
      running[key]?.rate = TransferRate()
    case .stepProgressed(let step, let iteration, let progress):
      running[Key(step: step.index, iteration: iteration)]?.progress = progress
    case .stepWaits(let step, let iteration, let reason, let until):
      move(step, to: .running)
      let key = Key(step: step.index, iteration: iteration)
      running[key]?.pause = (reason, until)
      running[key]?.progress = nil
    case .stepEnded(let result): end(result)
    case .interrupted(let signal, _): interruption = signal
    case .loadProgressed(let progress): load = progress
    case .notice, .runEnded: break
    }
  }

  /// Updates the speed of each transfer from the bytes that it has transferred so far.
  mutating func measureRates(at now: Duration) {
    for (key, entry) in running where entry.progress != nil {
      guard let progress = entry.progress else { continue }
      running[key]?.rate.measure(max(progress.bytesReceived, progress.bytesSent), at: now)
    }
  }

  /// Returns the transfers that started first, at most `limit`.
  func oldestRunning(_ limit: Int) -> [Running] {
    guard limit > 0 else { return [] }
    return Array(running.values.sorted { $0.order < $1.order }.prefix(limit))
  }

  /// Returns the loops with items that have not ended, at most `limit`, in the order of the plan.
  func runningLoops(_ limit: Int) -> [Loop] { Array(loops.values.sorted { $0.step.index < $1.step.index }.prefix(max(0, limit))) }

  /// Returns at most `limit` steps that have not started and depend on a step in `running`. Steps with the fewest unfinished
  /// dependencies come first.
  func waiting(for running: [Running], limit: Int) -> [Waiting] {
    guard limit > 0 else { return [] }
    var seen: Set<Int32> = []
    var found: [Waiting] = []
    for entry in running where dependents.indices.contains(entry.step.index) {
      // The number of dependents is limited, so that a step with many dependents does not make each frame slow.
      for dependent in dependents[entry.step.index].prefix(64) where seen.insert(dependent).inserted {
        let index = Int(dependent)
        guard phases[index] == .waiting else { continue }
        let open = dependencies[index].filter { phases.indices.contains($0) && phases[$0] != .ended }
        found.append(Waiting(step: steps[index], dependencies: open.map { steps[$0] }))
      }
    }
    found.sort { ($0.dependencies.count, $0.step.index) < ($1.dependencies.count, $1.step.index) }
    return Array(found.prefix(limit))
  }

  private mutating func begin(_ start: RunStart) {
    steps = start.steps
    sendsLoad = start.load != nil
    phases = Array(repeating: .waiting, count: steps.count)
    dependencies = start.dependencies
    dependents = Array(repeating: [], count: steps.count)
    for (index, needed) in dependencies.enumerated() where index < steps.count {
      for dependency in needed where dependents.indices.contains(dependency) {
        dependents[dependency].append(Int32(truncatingIfNeeded: index))
      }
    }
  }

  private mutating func move(_ step: StepIdentity, to phase: Phase) {
    guard phases.indices.contains(step.index), phases[step.index] != phase, phases[step.index] != .ended else { return }
    // While a step runs, its iterations become ready again and again.
    if phase == .ready, phases[step.index] == .running { return }
    switch phases[step.index] {
    case .ready: readySteps -= 1
    case .running: runningSteps -= 1
    case .waiting, .ended: break
    }
    switch phase {
    case .ready: readySteps += 1
    case .running: runningSteps += 1
    case .ended: endedSteps += 1
    case .waiting: break
    }
    phases[step.index] = phase
  }

  private mutating func end(_ result: StepResult) {
    running[Key(step: result.step.index, iteration: result.iterationIndex)] = nil
    if result.isFailureAllowed, result.outcome.isProblem {
      allowedFailures += 1
    } else {
      counts[result.outcome, default: 0] += result.itemCount
    }
    loops[result.step.index]?.endedCount += result.itemCount
    if result.endsStep {
      loops[result.step.index] = nil
      move(result.step, to: .ended)
    }
  }
}
