/// The steps of a plan, divided among shards, which are runs of the same documents on several machines.
///
/// ```swift
/// let partition = plan.partition(into: 5)
/// let smaller = plan.selecting(partition.shards[1].steps)
/// ```
///
/// Steps that belong together are in one shard. A step that many steps need, such as a login, is in each
/// shard that needs it. The partition depends only on the documents and the weights, so that every machine
/// computes the same partition.
public struct Partition: Sendable {
  /// One shard's part of the plan.
  public struct Shard: Sendable {
    /// The indexes of the shard's steps, in plan order, including all steps that they need.
    public internal(set) var steps: [Int] = []
    /// The sum of the weights of the shard's steps.
    public internal(set) var work = 0.0
  }

  /// The shards of the partition. Shards that get no step are empty.
  public let shards: [Shard]
  /// For each step of the plan, the index of the first shard that runs it, counted from 0.
  public let owners: [Int]
  /// The sum of the weights of all steps, each counted once.
  public let work: Double

  /// The number of steps that run in more than one shard.
  public let sharedCount: Int
  /// The work of the heaviest shard, as a multiple of an equal part of all work, or 1 if there are no steps.
  public var balance: Double {
    guard work > 0 else { return 1 }
    return (shards.map(\.work).max() ?? 0) * Double(shards.count) / work
  }

  init(stepCount: Int, sets: [NodeSet], weights: [Double]) {
    var owners = [Int](repeating: -1, count: stepCount)
    var runs = [Int](repeating: 0, count: stepCount)
    shards = sets.enumerated().map { number, set in
      var shard = Shard()
      shard.steps = set.elements
      for step in shard.steps {
        shard.work += weights[step]
        runs[step] += 1
        if owners[step] < 0 { owners[step] = number }
      }
      return shard
    }
    self.owners = owners
    work = weights.reduce(0, +)
    sharedCount = runs.count { $0 > 1 }
  }
}

extension Plan {
  /// Divides the steps among shards, with the heaviest parts first.
  ///
  /// Connected steps stay together as long as the shards are about equally heavy. Otherwise, the plan is cut at
  /// the steps that most other steps need, and these steps run in each shard that needs them. Ties are decided
  /// by the names of documents and steps, so that the order of the documents has no effect.
  ///
  /// - Parameters:
  ///   - count: the number of shards, at least 1.
  ///   - weights: the duration of each step, by index; 1 for all steps by default.
  public func partition(into count: Int, weights: [Double]? = nil) -> Partition {
    precondition(count > 0, "there must be a shard")
    // Steps that take no time must not all go to one shard.
    let weights = (weights ?? [Double](repeating: 1, count: steps.count)).map { max($0, 1e-6) }
    let splitter = ShardSplitter(self, weights)
    let ideal = weights.reduce(0, +) / Double(count)
    let whole = splitter.units()
    let fitting = ShardAssignment(whole, to: count, splitter, ideal: ideal, leavesOut: true)
    var best = fitting.leftOut.count == 0 ? fitting : ShardAssignment(whole, to: count, splitter, ideal: ideal)
    // Only components that do not fit are cut. Cutting costs steps that run more than once: it has to pay.
    for limit in [ideal / 4, ideal / 16] where best.heaviest > ideal * 1.05 {
      let next = ShardAssignment(splitter.units(cutting: fitting.leftOut, lighterThan: limit), to: count, splitter, ideal: ideal)
      if next.heaviest < best.heaviest * 0.97 { best = next }
    }
    return Partition(stepCount: steps.count, sets: best.sets, weights: weights)
  }
}
