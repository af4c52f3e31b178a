import GarlandResults

/// The shard that a CI system or scheduler assigns to a job through environment variables.
enum ShardEnvironment {
  /// The environment variables by which one CI system or scheduler describes a shard.
  struct System {
    let name: String
    let index: String
    /// The variable that contains the number of parallel jobs; nil if the CI or batch system sets no such variable.
    let count: String?
    /// The number that this CI or batch system gives to the first job.
    var first = 0
    /// The environment variable that contains the number of the first job, such as 0 or 1. Nil if the users of the CI or batch system can't
    /// choose this number.
    var firstVariable: String?
    /// The variable that contains the difference between the numbers of two consecutive jobs, such as 2 for the jobs 1, 3 and 5. Nil for a
    /// system in which the user can't choose this difference.
    var step: String?
    /// The environment variable that contains the number of the last of the parallel jobs. The number of jobs is computed from this number
    /// if the variable ``count`` is missing.
    var last: String?
  }

  static let systems = [
    System(name: "Kubernetes", index: "JOB_COMPLETION_INDEX", count: nil),
    System(name: "GitLab", index: "CI_NODE_INDEX", count: "CI_NODE_TOTAL", first: 1),
    System(name: "CircleCI", index: "CIRCLE_NODE_INDEX", count: "CIRCLE_NODE_TOTAL"),
    System(name: "Buildkite", index: "BUILDKITE_PARALLEL_JOB", count: "BUILDKITE_PARALLEL_JOB_COUNT"),
    System(name: "Azure Pipelines", index: "SYSTEM_JOBPOSITIONINPHASE", count: "SYSTEM_TOTALJOBSINPHASE", first: 1),
    System(name: "Bitbucket Pipelines", index: "BITBUCKET_PARALLEL_STEP", count: "BITBUCKET_PARALLEL_STEP_COUNT"),
    System(name: "Semaphore", index: "SEMAPHORE_JOB_INDEX", count: "SEMAPHORE_JOB_COUNT", first: 1),
    System(name: "AWS Batch", index: "AWS_BATCH_JOB_ARRAY_INDEX", count: "AWS_BATCH_JOB_ARRAY_SIZE"),
    System(name: "Cloud Run", index: "CLOUD_RUN_TASK_INDEX", count: "CLOUD_RUN_TASK_COUNT"),
    System(name: "Google Batch", index: "BATCH_TASK_INDEX", count: "BATCH_TASK_COUNT"),
    System(
      name: "Slurm", index: "SLURM_ARRAY_TASK_ID", count: "SLURM_ARRAY_TASK_COUNT", firstVariable: "SLURM_ARRAY_TASK_MIN",
      step: "SLURM_ARRAY_TASK_STEP"),
    System(
      name: "Grid Engine", index: "SGE_TASK_ID", count: nil, firstVariable: "SGE_TASK_FIRST", step: "SGE_TASK_STEPSIZE",
      last: "SGE_TASK_LAST"),
    System(name: "LSF", index: "LSB_JOBINDEX", count: nil, first: 1, last: "LSB_JOBINDEX_END"),
  ]

  /// Returns the shard that a CI or batch system, such as GitLab or LSF, sets in the environment variables.
  ///
  /// - Parameters:
  ///   - environment: the environment variables.
  ///   - count: the number of shards that the command line sets; nil if it sets none.
  /// - Throws: an error if no system sets a shard, if two systems set different shards, or if the values of the variables are invalid.
  static func shard(_ environment: [String: String], count: Int?) throws(CommandFailure) -> ShardChoice.Shard {
    var found: [(system: System, shard: ShardChoice.Shard)] = []
    for system in systems {
      guard let text = environment[system.index], !text.isEmpty, !isNoArray(system, text) else { continue }
      let shard = try Self.shard(system, environment, count: count)
      found.append((system, shard))
    }
    guard let first = found.first else {
      throw .commandLine(
        "`--shard auto` found no environment variable with the number of the shard, such as \(systems.prefix(4).map(\.index).joined(separator: ", ")): write `--shard NUMBER/COUNT`"
      )
    }
    if let other = found.first(where: { $0.shard != first.shard }) {
      throw .commandLine(
        "\(first.system.index) says shard \(words(first.shard)), and \(other.system.index) says \(words(other.shard)): write `--shard NUMBER/COUNT`"
      )
    }
    return first.shard
  }

  private static func words(_ shard: ShardChoice.Shard) -> String { "\(shard.number)/\(shard.count)" }

  /// Whether the index variable has the value for a job outside of a job array. Grid Engine and LSF set this variable for every job: for a
  /// job outside of an array, Grid Engine sets it to `undefined`, and LSF to `0`.
  private static func isNoArray(_ system: System, _ index: String) -> Bool {
    (system.name == "Grid Engine" && index == "undefined") || (system.name == "LSF" && index == "0")
  }

  private static func shard(
    _ system: System, _ environment: [String: String], count: Int?
  ) throws(CommandFailure) -> ShardChoice.Shard {
    func number(_ name: String?) throws(CommandFailure) -> Int? {
      guard let name, let text = environment[name], !text.isEmpty else { return nil }
      guard let number = Int(text), 0...1_000_000_000 ~= number else { throw .commandLine("\(name) is `\(text)`, which is not a count") }
      return number
    }
    guard let index = try number(system.index) else { throw .commandLine("\(system.index) is empty") }
    let first = try number(system.firstVariable) ?? system.first
    let step = max(1, try number(system.step) ?? 1)
    var total = try number(system.count)
    if total == nil, let last = try number(system.last) { total = (last - first) / step + 1 }
    if let total, let count, total != count {
      throw .commandLine("`--shard auto/\(count)` contradicts \(system.count ?? system.last ?? system.index), by which there are \(total)")
    }
    guard let all = total ?? count else {
      throw .commandLine("\(system.index) does not say how many shards there are: write `--shard auto/COUNT`")
    }
    guard 1...RunShard.most ~= all else {
      throw .commandLine("\(all) is not a number of shards: write one from 1 to \(RunShard.most)")
    }
    let place = index - first
    guard place >= 0, place % step == 0, place / step < all else {
      throw .commandLine(
        "\(system.index) is \(index), which is not one of \(all) shards that count from \(first)\(step > 1 ? " by \(step)" : "")")
    }
    return ShardChoice.Shard(number: place / step + 1, count: all)
  }
}
