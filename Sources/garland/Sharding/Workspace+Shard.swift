import GarlandDiagnostics
import GarlandPlanner
import GarlandResults
import GarlandRunner
import GarlandWorkflow

/// The part of a plan that one machine runs.
struct PlanShard {
  /// The steps of this shard, with their dependencies.
  let plan: Plan
  /// The shard's number and the number of all shards, as in reports.
  let identity: RunShard
  /// The number of steps of the whole plan.
  let stepCount: Int
  /// For each divided loop, the share of its items that this shard runs. The key is the ``PlannedStep/number`` of the loop's step.
  let items: [Int: ItemShare]

  /// The line that tells the user which steps and loop items the shard runs.
  var words: String {
    let loops = identity.loops
    let parts =
      loops.count > 3
      ? ["a part of the items of \(loops.count) loops"]
      : loops.map { "\($0.range.count) of \($0.count) items of \($0.id)" }
    let steps = "\(plan.steps.count) of \(stepCount) step\(stepCount == 1 ? "" : "s")"
    return "Shard \(identity.number)/\(identity.count): \(([steps] + parts).joined(separator: ", "))."
  }
}

extension Workspace {
  /// Returns the part of a plan that `--shard` selects.
  ///
  /// - Parameters:
  ///   - choice: the value of the option.
  ///   - plan: the whole plan.
  ///   - past: the durations of the steps in an earlier run; nil if they are unknown. Every shard must get the same durations, so that all
  ///     shards divide the plan in the same way.
  ///   - repetitions: the repetitions and users of the whole run, in any form. All shards must have the same.
  ///   - sharesLoad: whether every shard runs the whole plan, but only a part of the repetitions.
  ///   - dividesLoops: whether several shards may run items of the same loop.
  func shard(
    _ choice: ShardChoice, of plan: Plan, past: PastDurations?, repetitions: String, sharesLoad: Bool, dividesLoops: Bool
  ) throws(CommandFailure) -> PlanShard {
    let shard: ShardChoice.Shard
    switch choice {
    case .fixed(let fixed): shard = fixed
    case .automatic(let count): shard = try ShardEnvironment.shard(environment, count: count)
    }
    let partition = plan.partition(into: shard.count, weights: past?.work(of: plan), dividesLoops: dividesLoops && !sharesLoad)
    let own = partition.shards[shard.number - 1]
    let redactor = redactor
    do {
      let identity = try RunShard(
        shard.number, of: partition, repetitions: repetitions, plan,
        files: plan.workflows.withUsedAndCalled.map(\.file) + (projects?.found.map(\.file) ?? [])
          + (projects?.foundQuarantines.compactMap(\.file) ?? []) + rowFiles(of: plan),
        profile: values.profile, overrides: overrides
      ) { redactor.redact($0) }
      return PlanShard(
        plan: sharesLoad ? plan : plan.selecting(own.steps), identity: identity, stepCount: plan.steps.count,
        items: Dictionary(uniqueKeysWithValues: own.items.map { (plan.steps[$0].number, $1) }))
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw .local("the digest of the documents can't be computed: \(error)")
    }
  }

  /// Reads the files from which loops take their rows. Omits files that the run downloads, and files whose path is known only during the
  /// run. The rows decide how the plan is divided among the shards, so the files must be equal for all shards.
  private func rowFiles(of plan: Plan) throws(CommandFailure) -> [SourceFile] {
    var found: [SourceFile] = []
    for planned in plan.steps {
      guard case .rows(let file, _)? = planned.step.flow.loop?.source, let path = file.resolved, !plan.usesDownload(planned)
      else { continue }
      let folder = planned.workflow.file.name.lastIndex(of: "/").map { planned.workflow.file.name[...$0] } ?? ""
      let name = file.path.constantText.map { $0.hasPrefix("/") ? $0 : folder + $0 } ?? path
      do throws(WorkflowFileError) {
        found.append(SourceFile(name: name, bytes: try files.files.read(path, limit: RowsFile.limit)))
      } catch {
        throw .local("the file `\(name)` can't be read: \(error.message)")
      }
    }
    return found
  }
}
