import GarlandText

extension Plan {
  /// Draws the plan as an SVG picture, for light and dark pages. A line leads from a step to a step that waits for it. The line is solid
  /// if the first step has to pass, and dashed if the first step only has to end. Joins (nodes without a step) are drawn as small circles.
  /// The tooltip of a step lists the steps that it waits for.
  func svg(_ options: DrawingOptions = DrawingOptions()) -> String {
    SVGDrawing(plan: self, options: options).text()
  }
}

struct SVGDrawing {
  static let margin = 20.0

  private let plan: Plan
  private let options: DrawingOptions
  private let marked: NodeSet
  private let placement: PlanPlacement
  private let labels: StepLabels
  private let shown: [Bool]
  private let hasSeveral: Bool
  private let legend: SVGLegend

  init(plan: Plan, options: DrawingOptions) {
    self.plan = plan
    self.options = options
    marked = plan.marked(options)
    hasSeveral = plan.workflows.count > 1
    labels = StepLabels(plan, options)
    shown = options.showsAllEdges ? Array(repeating: true, count: plan.graph.edgeCount) : plan.essentialEdges()
    placement = PlanPlacement(plan, shown: shown, widths: labels.widths)
    legend = SVGLegend(plan, options, hidden: shown.count { !$0 })
  }

  /// Returns the complete SVG document as text.
  func text() -> String {
    let picture = placement.size
    let width = max(picture.width, legend.width) + 2 * SVGDrawing.margin + (hasSeveral ? SVGDrawing.margin : 0)
    let height = picture.height + legend.height + 3 * SVGDrawing.margin
    let size = "\(SVGDrawing.number(width)) \(SVGDrawing.number(height))"
    var result = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size)" width="\(SVGDrawing.number(width))" height="\(SVGDrawing.number(height))" role="img">
      <title>\(SVGDrawing.escape(options.mask(title)))</title>
      \(SVGDrawing.style)
      <defs>
      <marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8Z"/></marker>
      <marker id="heavy-tip" class="critical" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="5" markerHeight="5" orient="auto"><path d="M0 0 8 4 0 8Z"/></marker>
      </defs>
      <rect class="paper" width="100%" height="100%"/>

      """
    for group in placement.groups { result += frame(group) }
    for edge in 0..<plan.graph.edgeCount where shown[edge] { result += path(edge) }
    for planned in plan.steps { result += box(planned) }
    for join in plan.steps.count..<plan.graph.nodeCount {
      result += "<circle class=\"join\" cx=\"\(SVGDrawing.number(x(join) + 5))\" cy=\"\(SVGDrawing.number(y(join)))\" r=\"4\"/>\n"
    }
    return result + legend.text(left: SVGDrawing.margin, top: picture.height + 2 * SVGDrawing.margin) + "</svg>\n"
  }

  /// The style sheet. Colours are literal values, since viewers other than browsers do not support CSS variables and would draw everything
  /// in black.
  private static let style = """
    <style>
    .paper { fill: #ffffff }
    rect.box { fill: #f4f6f8; stroke: #8c959f }
    rect.group { fill: none; stroke: #c3cad2; stroke-dasharray: 2 3 }
    text.file { font-size: 12px; fill: #59636e }
    text.sign { font-weight: 700 }
    .passed rect.box { stroke: #1a7f4b; fill: #e8f6ee }
    .failed rect.box, .error rect.box { stroke: #c0232c; fill: #fdeaea }
    .unreachable rect.box { stroke: #7d3fb0; fill: #f4ecfa }
    .blocked rect.box, .flaky rect.box { stroke: #7a5a00; fill: #fff6df }
    .allowed rect.box { stroke: #a8400a; fill: #fdf0e6 }
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
      rect.group { stroke: #3a434e }
      text.file { fill: #9aa5b1 }
      .passed rect.box { stroke: #56c98a; fill: #16281e }
      .failed rect.box, .error rect.box { stroke: #ff7b7b; fill: #331a1c }
      .unreachable rect.box { stroke: #c79bf0; fill: #2b2135 }
      .blocked rect.box, .flaky rect.box { stroke: #dcb455; fill: #302816 }
      .allowed rect.box { stroke: #f5a05c; fill: #33231a }
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
    """

  private func frame(_ group: PlanPlacement.Group) -> String {
    let (left, top) = (group.left + origin, group.top + SVGDrawing.margin)
    return """
      <rect class="group" x="\(SVGDrawing.number(left))" y="\(SVGDrawing.number(top))" width="\(SVGDrawing.number(group.width))" \
      height="\(SVGDrawing.number(group.height))" rx="10"/>\
      <text class="file" x="\(SVGDrawing.number(left + 12))" y="\(SVGDrawing.number(top + 19))">\(SVGDrawing.escape(options.mask(group.file)))</text>

      """
  }

  private var title: String {
    guard let first = plan.workflows.first else { return "No steps" }
    let name = first.name?.value ?? first.file.name
    return plan.workflows.count > 1 ? "\(name) and \(TextTree.count(plan.workflows.count - 1, "more document"))" : name
  }

  /// The horizontal position at which the leftmost boxes begin. If frames surround the documents, this position leaves space for the frames
  /// to the left of the boxes.
  private var origin: Double { SVGDrawing.margin + (hasSeveral ? 14 : 0) }
  private func x(_ node: Int) -> Double { placement.left[node] + origin }
  private func y(_ node: Int) -> Double { placement.middle[node] + SVGDrawing.margin }

  private func path(_ edge: Int) -> String {
    let source = Int(plan.graph.sources[edge])
    let target = Int(plan.graph.targets[edge])
    var point = (x: x(source) + placement.width[source] - (plan.isJoin(source) ? 1 : 0), y: y(source))
    var data = "M\(SVGDrawing.number(point.x)) \(SVGDrawing.number(point.y))"
    func curve(to next: (x: Double, y: Double)) {
      let middle = SVGDrawing.number((point.x + next.x) / 2)
      let y = SVGDrawing.number(next.y)
      data += "C\(middle) \(SVGDrawing.number(point.y)) \(middle) \(y) \(SVGDrawing.number(next.x)) \(y)"
      point = next
    }
    for pass in placement.passes[edge] {
      curve(to: (pass.left + origin, pass.middle + SVGDrawing.margin))
      point.x = pass.right + origin
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
    let index = planned.index
    let left = x(index)
    let top = y(index) - PlanPlacement.boxHeight / 2
    var classes: [String] = []
    if planned.runsAlways { classes.append("always") }
    if marked.contains(index) { classes.append("critical") }
    let outcome = options.outcomes?[index]
    if let outcome { classes.append(outcome.name) }
    let style = classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\""
    let width = placement.width[index]
    let sign = outcome.map {
      "<text class=\"sign\" x=\"\(SVGDrawing.number(left + width - 20))\" y=\"\(SVGDrawing.number(top + 17))\">\($0.sign)</text>"
    }
    return """
      <g\(style)><title>\(SVGDrawing.escape(options.mask(tooltip(planned))))</title>\
      <rect class="box" x="\(SVGDrawing.number(left))" y="\(SVGDrawing.number(top))" \
      width="\(SVGDrawing.number(width))" height="\(SVGDrawing.number(PlanPlacement.boxHeight))" rx="7"/>\
      <text x="\(SVGDrawing.number(left + 11))" y="\(SVGDrawing.number(top + 17))">\(SVGDrawing.escape(labels.names[index]))</text>\(sign ?? "")\
      <text class="action" x="\(SVGDrawing.number(left + 11))" y="\(SVGDrawing.number(top + 33))">\
      \(SVGDrawing.escape(labels.actions[index]))</text></g>

      """
  }

  private func tooltip(_ planned: PlannedStep) -> String {
    var lines = [hasSeveral ? "\(planned.workflow.file.name)#\(planned.step.id)" : planned.step.id, planned.action]
    if let description = planned.step.description { lines.append(description) }
    if let outcome = options.outcomes?[planned.index] { lines.append(outcome.word) }
    let limit = 12
    for wait in plan.waits(of: planned.index, limit: limit) {
      for reason in wait.reasons.prefix(3) { lines.append("waits for \(plan.name(of: wait.step, from: planned.index)): \(reason.text)") }
    }
    if plan.waitCount(of: planned.index) > limit { lines.append("and for more") }
    return lines.joined(separator: "\n")
  }

  /// Formats a coordinate with at most one digit after the decimal point.
  static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(Double(tenths) / 10)"
  }

  /// Escapes text for an element or an attribute. Each character that XML 1.0 does not allow (§2.2) is replaced with a question mark.
  static func escape(_ text: String) -> String {
    Markup.escape(text) { scalar in
      switch scalar {
      case "\"": "&quot;"
      case "\t", "\n": nil
      case _ where scalar.value < 32 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: "?"
      default: nil
      }
    }
  }
}
