/// The smallest parts of a plan that are assigned to shards: its steps, and groups of items of long loops.
///
/// A loop with more work than fits into a shard is several pieces, each with some of its items, if
///
/// - the documents alone determine the number of its items,
/// - no other step needs the loop, such as a step that reads the values of all items, or that cleans up after them,
/// - it has no `limit` and no resource: several machines would exceed them together,
/// - it does not listen, is no cleanup, and its document does not keep the order of its steps.
struct ShardPieces {
  /// The step of each piece. The pieces with the indexes of the plan's steps belong to these steps, in plan order; the other pieces of
  /// loops follow them.
  private(set) var steps: [Int]
  /// The number of items of each piece. It is 0 for a step that is a single piece.
  private(set) var itemCounts: [Int]
  /// The work of each piece.
  private(set) var weights: [Double]
  /// The loops that are several pieces, with the indexes of the pieces that follow the first one.
  private(set) var loops: [(step: Int, others: Range<Int>)] = []

  var count: Int { steps.count }
  var indices: Range<Int> { steps.indices }

  /// The number of pieces that together are an equal part of all work, for up to 256 shards. With more shards there are fewer, since many
  /// pieces would take long to assign to many shards.
  private static let piecesPerShard = 16
  private static let mostPieces = 4_096

  /// Cuts the loops of a plan into pieces.
  ///
  /// - Parameters:
  ///   - plan: the plan.
  ///   - weights: the work of each step.
  ///   - shardCount: the number of shards.
  ///   - mayDivide: whether a step is a loop that may be several pieces.
  init(_ plan: Plan, _ weights: [Double], shardCount: Int, mayDivide: (PlannedStep) -> Bool) {
    steps = Array(plan.steps.indices)
    itemCounts = Array(repeating: 0, count: steps.count)
    self.weights = weights
    let pieces = max(1, min(Self.piecesPerShard, Self.mostPieces / shardCount))
    let grain = weights.reduce(0, +) / Double(shardCount * pieces)
    for planned in plan.steps {
      let weight = weights[planned.index]
      guard weight > grain, let items = planned.step.flow.loop?.itemCount, items > 1, mayDivide(planned) else { continue }
      add(planned.index, items, pieces: min(items, Int((weight / grain - 1e-6).rounded(.up))))
    }
  }

  private mutating func add(_ step: Int, _ items: Int, pieces: Int) {
    let weight = weights[step] / Double(items)
    let first = steps.count
    for piece in 0..<pieces {
      // As even as possible, without a remainder at the end.
      let count = items * (piece + 1) / pieces - items * piece / pieces
      if piece == 0 {
        itemCounts[step] = count
        weights[step] = weight * Double(count)
      } else {
        steps.append(step)
        itemCounts.append(count)
        weights.append(weight * Double(count))
      }
    }
    loops.append((step, first..<steps.count))
  }
}
