/// The positions of the boxes and lines in a drawing of a plan. The column of a step depends on the length of the longest chain of
/// dependencies that leads to the step. Each document is a group of boxes; the groups are drawn one below the other.
struct PlanPlacement {
  /// A frame around all steps of one document, which is drawn if the plan has several documents.
  struct Group {
    var file: String
    var left: Double
    var top: Double
    var width: Double
    var height: Double
  }

  static let boxHeight = 42.0
  static let joinSize = 10.0
  static let columnGap = 64.0
  static let titleHeight = 24.0
  private static let padding = 14.0
  private static let groupGap = 22.0

  /// For each node, the horizontal position of the left edge of its box. ``middle`` contains the vertical centres of the boxes, and
  /// ``width`` their widths.
  private(set) var left: [Double]
  private(set) var middle: [Double]
  private(set) var width: [Double]
  /// For each edge, the places where its line crosses a column between its two nodes. The line crosses the column horizontally from `left`
  /// to `right`, at the vertical position `middle`.
  private(set) var passes: [[(left: Double, right: Double, middle: Double)]]
  private(set) var groups: [Group] = []
  private(set) var size: (width: Double, height: Double)

  /// Computes the positions of the steps and edges in the drawing.
  ///
  /// - Parameters:
  ///   - plan: the plan to draw.
  ///   - shown: for each edge, whether it is drawn.
  ///   - widths: the required width of each step's box.
  init(_ plan: Plan, shown: [Bool], widths: [Double]) {
    let graph = plan.graph
    let levels = graph.levels(order: plan.order)
    let columns = Columns(plan, levels: levels, widths: widths)
    left = (0..<graph.nodeCount).map { columns.left[Int(levels[$0])] }
    width = (0..<graph.nodeCount).map { plan.isJoin($0) ? Self.joinSize : columns.width[Int(levels[$0])] }
    middle = Array(repeating: 0, count: graph.nodeCount)
    passes = Array(repeating: [], count: graph.edgeCount)
    size = (columns.end, 0)
    let documents = Self.documents(plan)
    let isGrouped = plan.workflows.count > 1
    var top = 0.0
    for document in plan.workflows.indices {
      let nodes = (0..<graph.nodeCount).filter { documents[$0] == document }
      guard !nodes.isEmpty else { continue }
      let inner = top + (isGrouped ? Self.titleHeight + Self.padding / 2 : 0)
      let height = place(nodes, of: plan, shown, levels, columns, documents, from: inner)
      guard isGrouped else {
        size.height = height
        return
      }
      let first = nodes.map { left[$0] }.min() ?? 0
      let last = nodes.map { left[$0] + width[$0] }.max() ?? 0
      let name = plan.workflows[document].file.name
      let group = Group(
        file: name, left: first - Self.padding, top: top, width: max(last - first, Double(name.count) * 8.2) + 2 * Self.padding,
        height: inner - top + height + Self.padding)
      groups.append(group)
      top += group.height + Self.groupGap
      size = (max(size.width, group.left + group.width), top - Self.groupGap)
    }
  }

  /// Returns, for each node, the index of its document. A join (a node without a step) belongs to the document of the first node that it
  /// waits for.
  private static func documents(_ plan: Plan) -> [Int] {
    var documents = Array(repeating: 0, count: plan.graph.nodeCount)
    for node in plan.order.lazy.map(Int.init) {
      documents[node] =
        plan.isJoin(node) ? plan.graph.predecessors(of: node).first.map { documents[Int($0)] } ?? 0 : plan.steps[node].workflowIndex
    }
    return documents
  }

  /// Lays out the nodes of one document below the vertical position `top`, and returns their total height.
  private mutating func place(
    _ nodes: [Int], of plan: Plan, _ shown: [Bool], _ levels: [Int32], _ columns: Columns, _ documents: [Int], from top: Double
  ) -> Double {
    let graph = plan.graph
    let local = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1, $0) })
    var list = EdgeList(nodeCount: nodes.count)
    var inner: [(edge: Int, from: Int, to: Int)] = []
    for node in nodes {
      for edge in graph.edges(to: node) where shown[edge] {
        guard let from = local[Int(graph.sources[edge])], let to = local[node] else { continue }
        list.append(from: from, to: to)
        inner.append((edge, from, to))
      }
    }
    let part = Graph(list)
    let layout = LayeredLayout(
      part, levels: nodes.map { levels[$0] }, sizes: nodes.map { plan.isJoin($0) ? Self.joinSize : Self.boxHeight }, passSize: 6, gap: 16)
    for (place, node) in nodes.enumerated() { middle[node] = top + layout.middle[place] }
    for (edge, from, to) in inner {
      guard let found = part.edge(from: from, to: to) else { continue }
      passes[edge] = layout.passes[found].map { place in
        let column = layout.column[place]
        return (columns.left[column], columns.left[column] + columns.width[column], top + layout.middle[place])
      }
    }
    return layout.height
  }

  /// The left edges and widths of the columns, from left to right. A column is as wide as its widest box; a column that contains only joins
  /// (nodes without a step) is narrow.
  private struct Columns {
    var left: [Double] = []
    var width: [Double]
    var end = 0.0

    init(_ plan: Plan, levels: [Int32], widths: [Double]) {
      width = Array(repeating: PlanPlacement.joinSize, count: Int(levels.max() ?? -1) + 1)
      for step in plan.steps.indices { width[Int(levels[step])] = max(width[Int(levels[step])], widths[step]) }
      for column in width {
        left.append(end)
        end += column + PlanPlacement.columnGap
      }
      end = max(0, end - PlanPlacement.columnGap)
    }
  }
}
