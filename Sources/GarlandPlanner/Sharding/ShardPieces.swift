/// The pieces of a plan: the smallest parts that are assigned to shards. A piece is a step, or a group of items of a long loop.
///
/// A loop with much work is divided into several pieces, each with some of its items, if all these conditions are met:
///
/// - The documents alone determine the number of its items.
/// - No other step needs the whole loop, for example to read the values of all items, or to clean up after them.
/// - The loop has no `limit` and no resource, since several machines together would exceed such a limit.
/// - The step of the loop is neither a listening step nor a cleanup.
/// - The document of the step does not have `order: file`.
struct ShardPieces {
  /// For each piece, the index of its step. The list begins with one piece of each step, in plan order. The further pieces of divided loops
  /// follow at the end.
  private(set) var steps: [Int]
  /// The number of items in each piece; 0 for a step that is not divided.
  private(set) var itemCounts: [Int]
  /// The work of each piece. For a step, this is the weight of the step. For a group of items of a loop, it is the part of the loop's
  /// weight that corresponds to the number of items in the group.
  private(set) var weights: [Double]
  /// The loops that are divided into several pieces. `step` is the index of the loop's step and also of its first piece; `others` contains
  /// the indexes of its further pieces.
  private(set) var loops: [(step: Int, others: Range<Int>)] = []

  var count: Int { steps.count }
  var indices: Range<Int> { steps.indices }

  /// The number of pieces into which the work of one shard is divided, for up to 256 shards. With more shards the number is smaller, since
  /// it would take long to assign so many pieces.
  private static let piecesPerShard = 16
  private static let mostPieces = 4_096

  /// Cuts the loops of a plan into pieces.
  ///
  /// - Parameters:
  ///   - plan: the plan.
  ///   - weights: the work of each step.
  ///   - shardCount: the number of shards.
  ///   - mayDivide: returns whether a step is a loop that may be divided into several pieces.
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
      // The pieces are as even as possible; the last piece has no special size.
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
