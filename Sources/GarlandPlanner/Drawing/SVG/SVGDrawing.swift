extension Plan {
  /// The plan as an SVG picture, for light and dark pages. Solid lines need their source to pass, dashed ones only to end; small circles are joins. What a
  /// step waits for is in its tooltip.
  public func svg(_ options: DrawingOptions = DrawingOptions()) -> String {
    SVGDrawing(plan: self, options: options).text()
  }
}

struct SVGDrawing {
  static let boxWidth = 208.0
  static let boxHeight = 42.0
  static let columnGap = 64.0
  static let margin = 20.0

  private let plan: Plan
  private let options: DrawingOptions
  private let marked: NodeSet
  private let layout: LayeredLayout
  private let xOfColumn: [Double]
  private let width: Double
  private let hasSeveral: Bool

  init(plan: Plan, options: DrawingOptions) {
    self.plan = plan
    self.options = options
    marked = plan.marked(options)
    hasSeveral = Set(plan.steps.map(\.workflowIndex)).count > 1
    let levels = plan.graph.levels(order: plan.order)
    let sizes = (0..<plan.graph.nodeCount).map { plan.isJoin($0) ? 10 : SVGDrawing.boxHeight }
    layout = LayeredLayout(plan.graph, levels: levels, sizes: sizes, passSize: 6, gap: 16)
    // A column that holds nothing but joins is narrow.
    var holdsSteps = [Bool](repeating: false, count: layout.columnCount)
    for step in plan.steps.indices { holdsSteps[layout.column[step]] = true }
    var x = SVGDrawing.margin
    var positions: [Double] = []
    for column in 0..<layout.columnCount {
      positions.append(x)
      x += (holdsSteps[column] ? SVGDrawing.boxWidth : 10) + SVGDrawing.columnGap
    }
    xOfColumn = positions
    width = max(x - SVGDrawing.columnGap, SVGDrawing.margin) + SVGDrawing.margin
  }

  /// Colours are written out, since viewers other than browsers know no variables and draw all in black.
  func text() -> String {
    let height = layout.height + 2 * SVGDrawing.margin
    let size = "\(SVGDrawing.number(width)) \(SVGDrawing.number(height))"
    var result = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size)" width="\(SVGDrawing.number(width))" height="\(SVGDrawing.number(height))" role="img">
      <title>\(SVGDrawing.escape(options.mask(title)))</title>
      <style>
      .paper { fill: #ffffff }
      rect.box { fill: #f4f6f8; stroke: #8c959f }
      .always rect.box { stroke-dasharray: 4 3 }
      .critical rect.box { stroke: #0f7b6c; stroke-width: 2 }
      .join { fill: #8c959f }
      path { fill: none; stroke: #8c959f; stroke-width: 1.2 }
      path.ended { stroke-dasharray: 4 3 }
      path.critical { stroke: #0f7b6c; stroke-width: 2.2 }
      marker path { fill: #8c959f; stroke: none }
      marker.critical path { fill: #0f7b6c }
      text { font-family: system-ui, sans-serif; font-size: 13px; font-weight: 600; fill: #1c2128 }
      text.action { font-family: ui-monospace, monospace; font-size: 11px; font-weight: 400; fill: #59636e }
      @media (prefers-color-scheme: dark) {
        .paper { fill: #15191f }
        rect.box { fill: #222831; stroke: #6b7682 }
        .critical rect.box { stroke: #4fd1b8 }
        .join, marker path { fill: #6b7682 }
        path { stroke: #6b7682 }
        path.critical { stroke: #4fd1b8 }
        marker.critical path { fill: #4fd1b8 }
        text { fill: #e9edf2 }
        text.action { fill: #9aa5b1 }
      }
      </style>
      <defs>
      <marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8Z"/></marker>
      <marker id="heavy-tip" class="critical" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="5" markerHeight="5" orient="auto"><path d="M0 0 8 4 0 8Z"/></marker>
      </defs>
      <rect class="paper" width="100%" height="100%"/>

      """
    for edge in 0..<plan.graph.edgeCount { result += path(edge) }
    for planned in plan.steps { result += box(planned) }
    for join in plan.steps.count..<plan.graph.nodeCount {
      result += "<circle class=\"join\" cx=\"\(SVGDrawing.number(x(join) + 5))\" cy=\"\(SVGDrawing.number(y(join)))\" r=\"4\"/>\n"
    }
    return result + "</svg>\n"
  }

  private var title: String {
    guard let first = plan.workflows.first else { return "No steps" }
    let name = first.name?.value ?? first.file.name
    return plan.workflows.count > 1 ? "\(name) and \(TextTree.count(plan.workflows.count - 1, "more document"))" : name
  }

  private func x(_ place: Int) -> Double { xOfColumn[layout.column[place]] }
  private func y(_ place: Int) -> Double { layout.middle[place] + SVGDrawing.margin }

  private func path(_ edge: Int) -> String {
    let source = Int(plan.graph.sources[edge])
    let target = Int(plan.graph.targets[edge])
    var point = (x: x(source) + (plan.isJoin(source) ? 9 : SVGDrawing.boxWidth), y: y(source))
    var data = "M\(SVGDrawing.number(point.x)) \(SVGDrawing.number(point.y))"
    func curve(to next: (x: Double, y: Double)) {
      let middle = SVGDrawing.number((point.x + next.x) / 2)
      let y = SVGDrawing.number(next.y)
      data += "C\(middle) \(SVGDrawing.number(point.y)) \(middle) \(y) \(SVGDrawing.number(next.x)) \(y)"
      point = next
    }
    for place in layout.passes[edge] {
      curve(to: (x(place), y(place)))
      let column = layout.column[place]
      point.x = column + 1 < xOfColumn.count ? xOfColumn[column + 1] - SVGDrawing.columnGap : point.x
      data += "H\(SVGDrawing.number(point.x))"
    }
    curve(to: (x(target) + (plan.isJoin(target) ? 1 : 0), y(target)))
    var classes: [String] = []
    if !plan.needsPassed(edge) { classes.append("ended") }
    let isCritical = plan.isMarked(edge, marked)
    if isCritical { classes.append("critical") }
    let style = classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\""
    return "<path\(style) d=\"\(data)\" marker-end=\"url(#\(isCritical ? "heavy-tip" : "tip"))\"/>\n"
  }

  private func box(_ planned: PlannedStep) -> String {
    let left = x(planned.index)
    let top = y(planned.index) - SVGDrawing.boxHeight / 2
    var classes: [String] = []
    if planned.runsAlways { classes.append("always") }
    if marked.contains(planned.index) { classes.append("critical") }
    let style = classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\""
    var name = planned.step.id
    if let duration = options.durations?[planned.index] { name += " · \(Plan.durationText(duration))" }
    return """
      <g\(style)><title>\(SVGDrawing.escape(options.mask(tooltip(planned))))</title>\
      <rect class="box" x="\(SVGDrawing.number(left))" y="\(SVGDrawing.number(top))" \
      width="\(SVGDrawing.number(SVGDrawing.boxWidth))" height="\(SVGDrawing.number(SVGDrawing.boxHeight))" rx="7"/>\
      <text x="\(SVGDrawing.number(left + 11))" y="\(SVGDrawing.number(top + 17))">\(SVGDrawing.escape(SVGDrawing.cut(options.mask(name), 26)))</text>\
      <text class="action" x="\(SVGDrawing.number(left + 11))" y="\(SVGDrawing.number(top + 33))">\
      \(SVGDrawing.escape(SVGDrawing.cut(options.mask(planned.action), 28)))</text></g>

      """
  }

  private func tooltip(_ planned: PlannedStep) -> String {
    var lines = [hasSeveral ? "\(planned.workflow.file.name)#\(planned.step.id)" : planned.step.id, planned.action]
    if let description = planned.step.description { lines.append(description) }
    let limit = 12
    for wait in plan.waits(of: planned.index, limit: limit) {
      for reason in wait.reasons.prefix(3) { lines.append("waits for \(plan.name(of: wait.step, from: planned.index)): \(reason.text)") }
    }
    if plan.waitCount(of: planned.index) > limit { lines.append("and for more") }
    return lines.joined(separator: "\n")
  }

  private static func cut(_ text: String, _ limit: Int) -> String {
    text.count > limit ? text.prefix(limit - 1) + "…" : text
  }

  /// A coordinate with at most one digit after the point.
  static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(Double(tenths) / 10)"
  }

  /// Text for an element or an attribute; characters that XML 1.0 does not allow (§2.2) become a question mark.
  static func escape(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\t", "\n": result.unicodeScalars.append(scalar)
      case _ where scalar.value < 32 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: result += "?"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
