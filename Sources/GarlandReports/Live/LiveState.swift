import GarlandResults

/// The state of a live view: takes events, and answers which steps are worth showing at one moment.
struct LiveState {
  /// A transfer, or an iteration that waits before its next.
  struct Running {
    var step: StepIdentity
    var iteration: String?
    var startedAt: Duration
    /// Method and URL with the values that are sent, once they are known.
    var target: (method: String, url: String)?
    var progress: TransferProgress?
    var rate: TransferRate
    /// Why nothing is under way, and until when.
    var pause: (reason: String, until: Duration)?
    /// The order of the start.
    var order: Int
  }

  /// A step that has not started, and what it waits for.
  struct Waiting {
    var step: StepIdentity
    var dependencies: [StepIdentity]
  }

  /// A loop of which items are to come.
  struct Loop {
    var step: StepIdentity
    var startedAt: Duration
    var itemCount: Int
    var endedCount = 0
  }

  private enum Phase: UInt8 { case waiting, ready, running, ended }

  private struct Key: Hashable {
    var step: Int
    /// The number of a loop's item: several may have one label.
    var iteration: Int?
  }

  /// Every step of the run.
  private(set) var steps: [StepIdentity] = []
  /// Results by outcome, iterations counted one by one, failures that are allowed left out.
  private(set) var counts: [Outcome: Int] = [:]
  /// See `counts`.
  private(set) var allowedFailures = 0
  /// How many steps are done.
  private(set) var endedSteps = 0
  /// How many steps wait only for a slot.
  private(set) var readySteps = 0
  /// Steps under way.
  private(set) var runningSteps = 0
  /// The figures of a run that sends load.
  private(set) var load: LoadProgress?
  /// The signal by which the user asked to stop.
  private(set) var interruption: String?

  private var dependencies: [[Int]] = []
  private var dependents: [[Int32]] = []
  private var phases: [Phase] = []
  private var running: [Key: Running] = [:]
  private var started = 0
  /// The loops, by step.
  private var loops: [Int: Loop] = [:]

  /// Steps whose dependencies are not done.
  var waitingSteps: Int { max(0, steps.count - endedSteps - readySteps - runningSteps) }

  /// How many transfers and pauses there are.
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

  /// Tells the rates of transfers how late it is.
  mutating func measureRates(at now: Duration) {
    for (key, entry) in running where entry.progress != nil {
      guard let progress = entry.progress else { continue }
      running[key]?.rate.measure(max(progress.bytesReceived, progress.bytesSent), at: now)
    }
  }

  /// The transfers that have lasted longest.
  func oldestRunning(_ limit: Int) -> [Running] {
    guard limit > 0 else { return [] }
    return Array(running.values.sorted { $0.order < $1.order }.prefix(limit))
  }

  /// The loops that run, in the order of the plan.
  func runningLoops(_ limit: Int) -> [Loop] { Array(loops.values.sorted { $0.step.index < $1.step.index }.prefix(max(0, limit))) }

  /// Steps that wait for some of `running`, nearest to their turn first.
  func waiting(for running: [Running], limit: Int) -> [Waiting] {
    guard limit > 0 else { return [] }
    var seen: Set<Int32> = []
    var found: [Waiting] = []
    for entry in running where dependents.indices.contains(entry.step.index) {
      // A step that everything waits for must not make each frame expensive.
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
    // Iterations of a step that runs become ready again and again.
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
