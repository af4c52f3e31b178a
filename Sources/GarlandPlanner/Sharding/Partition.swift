/// The division of a plan's steps among shards, which are runs of the same documents on several machines.
///
/// ```swift
/// let partition = plan.partition(into: 5)
/// let smaller = plan.selecting(partition.shards[1].steps)
/// ```
///
/// Steps that depend on each other run in the same shard, as long as all shards then have about the same amount of work. If they would not,
/// a step that many steps need, such as a login, runs in each shard with such steps. Shards may divide the items of a loop among them if no
/// other step reads the loop's results. The partition depends only on the documents and the weights (the durations) of the steps, so every
/// machine computes the same partition.
public struct Partition: Sendable {
  /// One shard's part of the plan.
  public struct Shard: Sendable {
    /// The indexes of the shard's steps, in plan order. The list includes all steps that the shard's steps need.
    public internal(set) var steps: [Int] = []
    /// For each loop whose items are divided among several shards, the items that this shard runs. The keys are the indexes of the loops'
    /// steps. A loop without an entry is not divided: the shard runs all its items.
    public internal(set) var items: [Int: ItemShare] = [:]
    /// The sum of the weights of the steps and items that the shard runs.
    public internal(set) var work = 0.0
  }

  /// The shards of the partition. A shard that gets no step is empty.
  public let shards: [Shard]
  /// For each step of the plan, the index of the first shard that runs the step, counted from 0.
  public let owners: [Int]
  /// The sum of the weights of all steps. A step that runs in several shards is counted once.
  let work: Double

  /// The number of steps that run in more than one shard. Divided loops don't count, since each of their items runs in one shard only.
  public let sharedCount: Int
  /// The indexes of the loops whose items are divided among several shards, in plan order.
  public let dividedLoops: [Int]
  /// The work of the heaviest shard, divided by the average work per shard; 1 if there are no steps.
  public var balance: Double {
    guard work > 0 else { return 1 }
    return (shards.map(\.work).max() ?? 0) * Double(shards.count) / work
  }

  /// Creates a partition.
  ///
  /// - Parameters:
  ///   - stepCount: the number of steps in the plan.
  ///   - sets: for each shard, the indexes of its pieces. A piece is a step, or some of the items of a loop.
  ///   - pieces: all pieces of the plan.
  init(stepCount: Int, sets: [NodeSet], pieces: ShardPieces) {
    var owners = [Int](repeating: -1, count: stepCount)
    var runs = [Int](repeating: 0, count: stepCount)
    var itemCounts: [[Int: Int]] = []
    var shards = sets.enumerated().map { number, set in
      var shard = Shard()
      var counts: [Int: Int] = [:]
      for piece in set.elements {
        let step = pieces.steps[piece]
        shard.work += pieces.weights[piece]
        // A divided loop has several pieces, but it occurs only once in the list of steps.
        if counts[step] == nil { shard.steps.append(step) }
        if pieces.itemCounts[piece] > 0 { counts[step, default: 0] += pieces.itemCounts[piece] }
      }
      shard.steps.sort()
      for step in shard.steps {
        runs[step] += 1
        if owners[step] < 0 { owners[step] = number }
      }
      itemCounts.append(counts)
      return shard
    }
    // The pieces of a loop are interchangeable, so each shard runs a contiguous range of items, in the order of the shards.
    let divided = pieces.loops.map(\.step).filter { runs[$0] > 1 }
    for step in divided {
      let count = itemCounts.reduce(0) { $0 + ($1[step] ?? 0) }
      var next = 0
      for number in shards.indices {
        guard let own = itemCounts[number][step] else { continue }
        shards[number].items[step] = ItemShare(range: next..<next + own, count: count)
        next += own
      }
    }
    self.shards = shards
    self.owners = owners
    work = pieces.weights.reduce(0, +)
    sharedCount = runs.count { $0 > 1 } - divided.count
    dividedLoops = divided
  }
}

extension Plan {
  /// Divides the steps among shards so that the shards have about equal work. Sets of connected steps are assigned one after another, those
  /// with the most work first.
  ///
  /// Connected steps stay in one shard if the shards then have about equal work. Otherwise, a set of connected steps is divided. The steps
  /// on which the most other steps depend then run in every shard that needs them. If two choices are equally good, the names of documents
  /// and steps decide, so that the order of the documents has no effect.
  ///
  /// - Parameters:
  ///   - count: the number of shards, at least 1.
  ///   - weights: the duration of each step, in the order of ``steps``. By default, a step counts 1, and a loop counts the number of its
  ///     items if the documents alone determine that number.
  ///   - dividesLoops: whether several shards may run items of the same loop.
  public func partition(into count: Int, weights: [Double]? = nil, dividesLoops: Bool = true) -> Partition {
    precondition(count > 0, "there must be a shard")
    // Steps that take no time must not all go to one shard.
    let weights = (weights ?? steps.map { Double($0.step.flow.loop?.itemCount ?? 1) }).map { max($0, 1e-6) }
    let splitter = ShardSplitter(self, weights, shardCount: count, dividesLoops: dividesLoops)
    let pieces = splitter.pieces
    let ideal = weights.reduce(0, +) / Double(count)
    let whole = splitter.units()
    let fitting = ShardAssignment(whole, to: count, pieces, ideal: ideal, leavesOut: true)
    var best = fitting.leftOut.count == 0 ? fitting : ShardAssignment(whole, to: count, pieces, ideal: ideal)
    // Only components that do not fit are cut, since a cut makes some steps run more than once. A cut is kept only if it makes the heaviest
    // shard more than 3 % lighter.
    for limit in [ideal / 4, ideal / 16] where best.heaviest > ideal * 1.05 {
      let next = ShardAssignment(splitter.units(cutting: fitting.leftOut, lighterThan: limit), to: count, pieces, ideal: ideal)
      if next.heaviest < best.heaviest * 0.97 { best = next }
    }
    return Partition(stepCount: steps.count, sets: best.sets, pieces: pieces)
  }
}

/// The items of a loop that one shard runs, if several shards divide the items of the loop among them.
public struct ItemShare: Sendable, Hashable {
  /// The positions of the shard's items in the loop, counted from 0.
  public let range: Range<Int>
  /// The number of items of the whole loop.
  public let count: Int
  /// The number of the shard's items, divided by the number of all items.
  package var fraction: Double { count == 0 ? 1 : Double(range.count) / Double(count) }

  /// Creates a share.
  ///
  /// - Parameters:
  ///   - range: the positions of the shard's items in the loop, counted from 0.
  ///   - count: the number of items of the whole loop.
  public init(range: Range<Int>, count: Int) {
    self.range = range
    self.count = count
  }
}
