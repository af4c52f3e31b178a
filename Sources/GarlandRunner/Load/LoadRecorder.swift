import GarlandPlanner
import GarlandResults

/// Counts the results of all repetitions of a load test.
struct LoadRecorder {
  private(set) var load: RunLoad
  /// For each step, true if the step has no dependencies. Only such steps count the late start of a repetition in their durations.
  private let isFirst: [Bool]
  private var sampleCount = 0

  /// The maximum number of samples (results of failed requests that are kept), for all steps together. After this number, failed requests
  /// are recorded with fewer details.
  private static let mostSamples = 50

  init(_ plan: Plan, _ settings: LoadSettings, expectations: [LoadExpectation]) {
    load = RunLoad(settings, stepCount: plan.steps.count)
    load.expectations = expectations
    for planned in plan.steps { load.steps[planned.index].isFailureAllowed = planned.step.flow.allowFailure }
    isFirst = plan.steps.map { plan.graph.predecessors(of: $0.index).isEmpty }
  }

  /// Counts the beginning of a repetition.
  ///
  /// - Parameter lateness: the time between the intended and the actual beginning of the repetition.
  mutating func began(lateness: Duration) {
    load.begun += 1
    if lateness >= LoadSettings.lateFrom { load.late += 1 }
    if lateness > load.latest { load.latest = lateness }
  }

  /// Counts a repetition of the workflow that was completed.
  ///
  /// - Parameters:
  ///   - time: the time since the planned start of the repetition.
  ///   - hasFailed: whether a step of the repetition failed.
  ///   - elapsed: the time since the beginning of the run.
  mutating func ended(after time: Duration, hasFailed: Bool, elapsed: Duration) {
    load.ended += 1
    if hasFailed { load.failed += 1 }
    load.repetition.record(time)
    load.elapsed = elapsed
  }

  /// Notes the end of a repetition that was cancelled. The time of such a repetition is not counted.
  mutating func cancelled(elapsed: Duration) { load.elapsed = elapsed }

  /// Adds a result to the measurements of its step.
  ///
  /// - Parameter lateness: the time between the planned and the actual beginning of the result's repetition.
  /// - Returns: whether the result was kept as a sample.
  mutating func record(_ result: StepResult, lateness: Duration) -> Bool {
    let step = result.step.index
    load.steps[step].counts[result.outcome, default: 0] += result.itemCount
    load.steps[step].requests += result.omittedRequests
    for exchange in result.exchanges { load.steps[step].requests += exchange.requestCount }
    let isProblem = result.outcome.isProblem
    guard isProblem || result.outcome == .passed else { return false }
    let late = isFirst[step] ? lateness : .zero
    load.steps[step].latency.record(result.endedAt - result.readyAt - result.delay + late)
    load.steps[step].service?.record(result.endedAt - result.startedAt)
    guard isProblem else { return false }
    let kind = StepLoad.kind(of: result)
    let isNew = load.steps[step].errors[kind] == nil && load.steps[step].samples.count < StepLoad.mostKinds
    load.steps[step].countError(kind)
    if isNew {
      load.steps[step].samples.append(result)
      sampleCount += 1
    }
    return isNew
  }

  /// Whether the next repetition records all details of failed requests. True while fewer than ``mostSamples`` results of failed requests
  /// (samples) are kept.
  var wantsSamples: Bool { sampleCount < Self.mostSamples }
}
