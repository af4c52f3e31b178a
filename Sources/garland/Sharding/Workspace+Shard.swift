import GarlandDiagnostics
import GarlandPlanner
import GarlandResults
import GarlandRunner

/// One machine's part of a plan.
struct PlanShard {
  /// The steps of this shard, with their dependencies.
  let plan: Plan
  /// The shard's number and the number of all shards, as in reports.
  let identity: RunShard
  /// The number of steps of the whole plan.
  let stepCount: Int

  /// The line about the shard for the console.
  var words: String {
    "Shard \(identity.number)/\(identity.count): \(plan.steps.count) of \(stepCount) step\(stepCount == 1 ? "" : "s")."
  }
}

extension Workspace {
  /// The part of a plan that `--shard` asks for.
  ///
  /// - Parameters:
  ///   - choice: the value of the option.
  ///   - plan: the whole plan.
  ///   - past: the durations of an earlier run, which every shard must be given alike.
  ///   - sharesLoad: whether every shard runs the whole plan, and a part of its repetitions.
  func shard(_ choice: ShardChoice, of plan: Plan, past: PastDurations?, sharesLoad: Bool = false) throws(CommandFailure) -> PlanShard {
    let shard: ShardChoice.Shard
    switch choice {
    case .fixed(let fixed): shard = fixed
    case .automatic(let count): shard = try ShardEnvironment.shard(environment, count: count)
    }
    let partition = plan.partition(into: shard.count, weights: past?.work(of: plan))
    let redactor = redactor
    do {
      let identity = try RunShard(
        shard.number, of: partition, plan,
        files: plan.workflows.withUsedAndCalled.map(\.file) + (projects?.found.map(\.file) ?? [])
          + (projects?.foundQuarantines.compactMap(\.file) ?? []),
        profile: values.profile, overrides: overrides
      ) { redactor.redact($0) }
      return PlanShard(
        plan: sharesLoad ? plan : plan.selecting(partition.shards[shard.number - 1].steps), identity: identity,
        stepCount: plan.steps.count)
    } catch {
      throw .local("the documents have no digest: \(error)")
    }
  }
}
