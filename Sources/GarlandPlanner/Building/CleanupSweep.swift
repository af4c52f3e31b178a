/// Finds the last users of up to 64 steps. A user of a step is a node that depends on the step. It is a last user if no other user of the
/// step waits for it.
///
/// One search is enough for all these steps: each step has one bit in a machine word, and a few passes over a part of the graph process all
/// bits.
///
/// ``CleanupWaits`` uses this type for steps on which many nodes depend, and whose cleanups must not wait for many of these nodes. With ten
/// thousand cleanups, a separate search for each cleanup through a hundred thousand steps would take minutes.
struct CleanupSweep {
  /// The maximum number of steps that one search processes together: one for each bit of a machine word.
  static let width = 64

  private let graph: Graph
  private let order: [Int32]
  private let positions: [Int32]
  private let cleanups: [Int: [Int]]
  /// For each node, a bit set of the steps on which the node depends and whose cleanups must wait for the node. Steps whose cleanups must
  /// not wait for the node are in ``leftOut`` instead.
  private var uses: [UInt64]
  /// For each node of ``graph``, a bit set: the steps whose cleanups must not wait for the node.
  private var leftOut: [UInt64]
  /// For each node, a bit set of the steps whose cleanups depend on the node, directly or indirectly.
  private var leads: [UInt64]
  /// The number of edges of ``graph`` that the searches have visited so far.
  private(set) var work = 0

  init(graph: Graph, order: [Int32], positions: [Int32], cleanups: [Int: [Int]]) {
    self.graph = graph
    self.order = order
    self.positions = positions
    self.cleanups = cleanups
    uses = [UInt64](repeating: 0, count: graph.nodeCount)
    leftOut = uses
    leads = uses
  }

  /// Returns the last users of each step in `made`. A last user is a node that depends on the step, and on which no other user of the step
  /// depends.
  ///
  /// - Parameter made: the indexes of at most ``width`` steps. The search is faster for steps that are close to each other in the order of
  ///   the graph.
  mutating func lastUsers(of made: [Int]) -> [[Int]] {
    guard let first = made.map({ positions[$0] }).min() else { return [] }
    var seeds: [Int: UInt64] = [:]
    for (bit, step) in made.enumerated() { for cleanup in cleanups[step] ?? [] { seeds[cleanup, default: 0] |= 1 << UInt64(bit) } }
    var range = markUsers(of: made, leavingOut: seeds, from: Int(first))
    if let inner = innerCleanups(seeds, in: range) {
      clear(range)
      range = markUsers(of: made, leavingOut: inner, from: Int(first))
    }
    var found = [[Int]](repeating: [], count: made.count)
    for position in range {
      let node = Int(order[position])
      guard uses[node] != 0 else { continue }
      var last = uses[node]
      for edge in graph.edges(from: node) { last &= ~uses[Int(graph.targets[Int(edge)])] }
      while last != 0 {
        found[last.trailingZeroBitCount].append(node)
        last &= last - 1
      }
    }
    clear(range)
    return found.map { $0.sorted() }
  }

  /// Marks, for each step in `made`, the nodes that depend on the step.
  ///
  /// - Parameter seeds: for each node to skip, a bit set of steps. For these steps, neither the node nor any node that depends on it is
  ///   marked.
  /// - Returns: a range of positions in the topological order that contains all marked nodes.
  private mutating func markUsers(of made: [Int], leavingOut seeds: [Int: UInt64], from first: Int) -> Range<Int> {
    var end = first
    for (node, bits) in seeds {
      leftOut[node] |= bits
      end = max(end, Int(positions[node]))
    }
    var own: [Int: UInt64] = [:]
    for (bit, step) in made.enumerated() {
      own[step, default: 0] |= 1 << UInt64(bit)
      end = max(end, Int(positions[step]))
    }
    var position = first
    while position <= end {
      let node = Int(order[position])
      position += 1
      let out = leftOut[node]
      uses[node] &= ~out
      let on = own[node].map { uses[node] | $0 } ?? uses[node]
      guard on | out != 0 else { continue }
      for edge in graph.edges(from: node) {
        work += 1
        let target = Int(graph.targets[Int(edge)])
        uses[target] |= on
        leftOut[target] |= out
        end = max(end, Int(positions[target]))
      }
    }
    return first..<end + 1
  }

  /// Returns the nodes that the search for the dependents of a step must skip: the cleanups of the step, and the cleanups of inner nodes.
  /// An inner node depends on the step, and a cleanup of the step depends on the inner node.
  ///
  /// Several steps are searched together, so each node is mapped to a bit set of the steps whose search must skip the node.
  ///
  /// - Parameter own: the cleanups of the steps, in the same form as the result.
  /// - Returns: the nodes to skip; nil if `own` already contains all of them.
  private mutating func innerCleanups(_ own: [Int: UInt64], in range: Range<Int>) -> [Int: UInt64]? {
    var seeds = own
    var hasInner = false
    for position in range.reversed() {
      let node = Int(order[position])
      guard uses[node] != 0 else { continue }
      var leading: UInt64 = 0
      for edge in graph.edges(from: node) {
        work += 1
        let target = Int(graph.targets[Int(edge)])
        leading |= leads[target] | (own[target] ?? 0)
      }
      leading &= uses[node]
      guard leading != 0 else { continue }
      leads[node] = leading
      for cleanup in cleanups[node] ?? [] where leading & ~(own[cleanup] ?? 0) != 0 {
        seeds[cleanup, default: 0] |= leading & ~(own[cleanup] ?? 0)
        hasInner = true
      }
    }
    return hasInner ? seeds : nil
  }

  private mutating func clear(_ range: Range<Int>) {
    for position in range {
      let node = Int(order[position])
      uses[node] = 0
      leftOut[node] = 0
      leads[node] = 0
    }
  }
}
