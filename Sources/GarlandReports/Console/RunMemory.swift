import GarlandResults

/// The few facts of a run that the console's last lines need. The results themselves are not kept.
struct RunMemory {
  /// A group of steps that could not run because one step did not pass.
  struct BlockedGroup {
    var names: [String] = []
    var count = 0
  }

  /// The maximum number of step names that are remembered in each list, such as the names of flaky steps.
  static let namesLimit = 20

  private(set) var slowest = SlowestSteps(limit: 5)
  /// The steps that failed or were blocked, for a rerun, in the order in which their results arrived.
  private var rerunSteps: [(index: Int, id: String, file: String)] = []
  /// The groups of blocked steps, by the plan position of the step that blocked them.
  private(set) var blocked: [Int: BlockedGroup] = [:]
  /// The lines about steps that were blocked for a reason other than a failed step. Each line contains the name of a step and the reason.
  /// At most ``namesLimit`` lines are kept.
  private(set) var otherwiseBlocked: [String] = []
  private(set) var skipped: [String] = []
  /// The names of flaky steps.
  private(set) var flaky: [String] = []
  /// The labels of the loop items so far, for a terminal without a live view.
  var loopLabels = LoopLabels()
  /// The options of the command line that a rerun of the failed steps must repeat.
  var rerunOptions: [String] = []
  /// Maps the plan position of each failed or blocked step to the position of the step that caused this failure or blockage. A failed step
  /// is its own cause.
  private var culprits: [Int: Int] = [:]
  private static let rerunLimit = 200

  /// The ids of the steps that failed or were blocked, grouped by file, in the order of the plan. The summary shows commands that run these
  /// steps again.
  var reruns: [SummaryText.Rerun] {
    rerunSteps.sorted { $0.index < $1.index }.reduce(into: []) { reruns, step in
      if let place = reruns.firstIndex(where: { $0.file == step.file }) {
        reruns[place].ids.append(step.id)
      } else {
        reruns.append(SummaryText.Rerun(file: step.file, ids: [step.id]))
      }
    }
  }

  /// Returns the index of the failed step that caused a step to be blocked; nil if no failed step is the cause. `result` is the result of
  /// the blocked step.
  func culprit(of result: StepResult) -> Int? {
    result.blockedBy.lazy.compactMap { culprits[$0.index] }.first
  }

  mutating func remember(_ result: StepResult, label: StepLabel) {
    slowest.count(result, label)
    if result.isFlaky, flaky.count < RunMemory.namesLimit { flaky.append(label.name(result.step, iteration: result.iteration)) }
    switch result.outcome {
    case .failed, .error, .unreachable:
      culprits[result.step.index] = result.step.index
      if !result.isFailureAllowed { rememberRerun(result.step, file: label.mask.line(result.step.file)) }
    case .blocked:
      if !result.isFailureAllowed { rememberRerun(result.step, file: label.mask.line(result.step.file)) }
      let name = label.name(result.step, iteration: result.iteration)
      guard let culprit = culprit(of: result) else {
        if otherwiseBlocked.count < RunMemory.namesLimit {
          otherwiseBlocked.append("\(name)  \(label.explanation(result) ?? "")")
        }
        return
      }
      culprits[result.step.index] = culprit
      blocked[culprit, default: BlockedGroup()].count += 1
      if blocked[culprit, default: BlockedGroup()].names.count < RunMemory.namesLimit {
        blocked[culprit, default: BlockedGroup()].names.append(name)
      }
    case .skipped, .notRun:
      if skipped.count < 100 {
        skipped.append("\(label.name(result.step, iteration: result.iteration))  \(label.explanation(result) ?? "")")
      }
    case .passed: break
    }
  }

  private mutating func rememberRerun(_ step: StepIdentity, file: String) {
    guard rerunSteps.count < RunMemory.rerunLimit, !rerunSteps.contains(where: { $0.index == step.index }) else { return }
    rerunSteps.append((step.index, step.id, file))
  }
}
