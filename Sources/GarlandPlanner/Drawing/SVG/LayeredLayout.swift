/// Lays out the nodes of a graph in columns, so that every edge leads to the right and few edges cross.
///
/// The algorithm is that of Sugiyama, Tagawa and Toda (IEEE Trans. SMC 11, 1981). The longest path to a node determines its column. A slot
/// is a position in a column for a node, or for an edge that passes through the column. The slots of each column are sorted several times
/// by the mean position of their neighbours, alternately in the column on the left and in the column on the right. Then every slot moves as
/// near to its neighbours as the order of the slots in its column allows.
struct LayeredLayout {
  /// The factor for the maximum number of edge slots (places where an edge passes through a column). The maximum is this factor times the
  /// number of all nodes and edges of the graph, plus 100. If the edges need more slots, all edges are drawn as straight lines: slots would
  /// not make the drawing clearer, and the drawing would grow faster than the graph.
  static let mostPassesEach = 4
  /// The maximum number of slots for which the layout counts how often edges cross. A slot is the place of a node or an edge in a column.
  /// The layout selects the order of slots with the fewest crossings. In a larger drawing, crossings are not counted.
  static let mostCounted = 4_000

  /// The column of each slot. A slot is a place in a column: the place of a node, or the place where an edge passes through the column. The
  /// slots of the nodes come first.
  private(set) var column: [Int]
  /// The vertical centre of each slot, measured from the top. A slot is the place of a node in a column, or the place where an edge passes
  /// through a column.
  private(set) var middle: [Double]
  /// For each edge, the places (slots) at which it passes through the columns between its two nodes, as indexes in ``column``.
  private(set) var passes: [[Int]]
  private(set) var columnCount: Int
  private(set) var height: Double = 0
  private var left: [[Int]]
  private var right: [[Int]]
  private var columns: [[Int]] = []
  private let sizes: [Double]
  private let gap: Double

  /// Computes the layout of a graph. A slot is the place of a node in a column, or the place where an edge passes through a column.
  ///
  /// - Parameters:
  ///   - graph: a graph without cycles.
  ///   - levels: the column of each node.
  ///   - sizes: the height of each node.
  ///   - passSize: the height of a slot where an edge passes through a column.
  ///   - gap: the free space between two neighbouring slots of a column.
  init(_ graph: Graph, levels: [Int32], sizes: [Double], passSize: Double, gap: Double) {
    column = levels.map(Int.init)
    columnCount = (column.max() ?? -1) + 1
    left = [[Int]](repeating: [], count: graph.nodeCount)
    right = left
    passes = [[Int]](repeating: [], count: graph.edgeCount)
    var allSizes = sizes
    var passCount = 0
    for edge in 0..<graph.edgeCount { passCount += column[Int(graph.targets[edge])] - column[Int(graph.sources[edge])] - 1 }
    let getsPasses = passCount <= LayeredLayout.mostPassesEach * (graph.nodeCount + graph.edgeCount) + 100
    for edge in 0..<graph.edgeCount {
      let target = Int(graph.targets[edge])
      var last = Int(graph.sources[edge])
      if getsPasses, column[target] - column[last] > 1 {
        for between in (column[last] + 1)..<column[target] {
          let place = column.count
          column.append(between)
          left.append([])
          right.append([])
          allSizes.append(passSize)
          passes[edge].append(place)
          right[last].append(place)
          left[place].append(last)
          last = place
        }
      }
      right[last].append(target)
      left[target].append(last)
    }
    self.sizes = allSizes
    self.gap = gap
    middle = [Double](repeating: 0, count: column.count)
    columns = [[Int]](repeating: [], count: columnCount)
    for place in column.indices { columns[column[place]].append(place) }
    sortColumns()
    placeColumns()
  }

  private mutating func sortColumns() {
    var rank = [Double](repeating: 0, count: column.count)
    func number(_ columns: [[Int]]) {
      for places in columns {
        for (index, place) in places.enumerated() { rank[place] = Double(index) }
      }
    }
    number(columns)
    let counts = column.count <= LayeredLayout.mostCounted
    var best = columns
    var fewest = counts ? crossings(rank) : Int.max
    for round in 0..<(counts ? 16 : 4) where fewest > 0 {
      let forward = round % 2 == 0
      for index in forward ? Array(0..<columnCount) : (0..<columnCount).reversed() {
        let neighbours = forward ? left : right
        let keys = columns[index].enumerated().map { offset, place -> (place: Int, key: Double, offset: Int) in
          let near = neighbours[place]
          let key = near.isEmpty ? rank[place] : near.reduce(0) { $0 + rank[$1] } / Double(near.count)
          return (place, key, offset)
        }
        columns[index] = keys.sorted { ($0.key, $0.offset) < ($1.key, $1.offset) }.map(\.place)
        for (position, place) in columns[index].enumerated() { rank[place] = Double(position) }
      }
      if counts {
        let now = crossings(rank)
        if now < fewest {
          fewest = now
          best = columns
        }
      } else {
        best = columns
      }
    }
    columns = best
  }

  /// Counts the pairs of edges that cross each other between neighbouring columns. If the edges are sorted by their left ends, each
  /// crossing is an inversion in the order of their right ends, so the pairs are counted with a Fenwick tree.
  private func crossings(_ rank: [Double]) -> Int {
    var total = 0
    for (index, places) in columns.enumerated() where index + 1 < columnCount {
      let next = index + 1
      var tree = [Int](repeating: 0, count: columns[next].count + 1)
      var count = 0
      for place in places.sorted(by: { rank[$0] < rank[$1] }) {
        let ends = right[place].filter { column[$0] == next }.map { Int(rank[$0]) }
        for end in ends {
          var position = end + 1
          var before = 0
          while position > 0 {
            before += tree[position]
            position &= position - 1
          }
          total += count - before
        }
        for end in ends {
          var position = end + 1
          while position < tree.count {
            tree[position] += 1
            position += position & -position
          }
          count += 1
        }
      }
    }
    return total
  }

  private mutating func placeColumns() {
    for places in columns {
      var top = 0.0
      for place in places {
        middle[place] = top + sizes[place] / 2
        top += sizes[place] + gap
      }
    }
    for round in 0..<8 {
      let forward = round % 2 == 0
      for index in forward ? Array(0..<columnCount) : (0..<columnCount).reversed() {
        let wanted = columns[index].map { place -> Double in
          let near = forward ? left[place] : right[place]
          return near.isEmpty ? middle[place] : near.reduce(0) { $0 + middle[$1] } / Double(near.count)
        }
        place(columns[index], near: wanted)
      }
    }
    let top = column.indices.map { middle[$0] - sizes[$0] / 2 }.min() ?? 0
    for place in middle.indices { middle[place] -= top }
    height = column.indices.map { middle[$0] + sizes[$0] / 2 }.max() ?? 0
  }

  /// Moves the slots of a column as close as possible to their wanted positions, without changing the order of the slots or letting them
  /// overlap. A slot is the place of a node or an edge. The sum of the squared distances is as small as possible (algorithm: pool adjacent
  /// violators).
  ///
  /// - Parameters:
  ///   - places: the slots of the column.
  ///   - wanted: the wanted positions.
  private mutating func place(_ places: [Int], near wanted: [Double]) {
    var offset = 0.0
    var offsets: [Double] = []
    var pools: [(sum: Double, count: Int)] = []
    for (index, place) in places.enumerated() {
      if index > 0 { offset += (sizes[places[index - 1]] + sizes[place]) / 2 + gap }
      offsets.append(offset)
      pools.append((wanted[index] - offset, 1))
      while pools.count > 1 {
        let last = pools[pools.count - 1]
        let before = pools[pools.count - 2]
        guard before.sum / Double(before.count) > last.sum / Double(last.count) else { break }
        pools.removeLast()
        pools[pools.count - 1] = (before.sum + last.sum, before.count + last.count)
      }
    }
    var index = 0
    for pool in pools {
      for _ in 0..<pool.count {
        middle[places[index]] = pool.sum / Double(pool.count) + offsets[index]
        index += 1
      }
    }
  }
}
