extension Plan {
  /// Draws the plan as a graph for Graphviz. An arrow leads from a step to a step that waits for it. The arrow is solid if the first step
  /// has to pass, and dashed if the first step only has to end. Joins (nodes without a step) are drawn as points.
  ///
  /// Without `newrank`, Graphviz up to 2.50 fails with "trouble in init_rank" if edges lead from one document to another and back.
  func dot(_ options: DrawingOptions = DrawingOptions()) -> String {
    let marked = marked(options)
    var result = """
      digraph garland {
        rankdir=LR;
        newrank=true;
        node [shape=box, style=rounded, fontname="sans-serif", fontsize=11];
        edge [fontname="sans-serif", fontsize=9];

      """
    let hasSeveral = Set(steps.map(\.workflowIndex)).count > 1
    var document = -1
    for planned in steps {
      if hasSeveral, planned.workflowIndex != document {
        if document >= 0 { result += "  }\n" }
        document = planned.workflowIndex
        let file = planned.workflow.file.name
        let name = planned.workflow.name?.value
        let isShared = workflows.count { $0.name?.value == name } > 1
        let title = name.map { isShared ? "\($0) (\(file))" : $0 } ?? file
        result += "  subgraph cluster_\(document) {\n    label=\(DOT.quote(options.mask(title)));\n"
      }
      var label = "\(planned.step.id)\n\(planned.action)"
      if let outcome = options.outcomes?[planned.index] { label = "\(outcome.sign) \(label)" }
      if let duration = options.durations?[planned.index] { label += "\n\(Plan.durationText(duration))" }
      var attributes = "label=\(DOT.quote(options.mask(label)))"
      let outcome = options.outcomes?[planned.index]
      let styles = ["rounded"] + (planned.runsAlways ? ["dashed"] : []) + (outcome == nil ? [] : ["filled"])
      if styles.count > 1 { attributes += ", style=\(DOT.quote(styles.joined(separator: ",")))" }
      if let outcome { attributes += ", \(DOT.colors(of: outcome)), tooltip=\(DOT.quote(outcome.word))" }
      if marked.contains(planned.index) { attributes += ", penwidth=2.5" }
      result += "  \(hasSeveral ? "  " : "")s\(planned.index) [\(attributes)];\n"
    }
    if document >= 0 { result += "  }\n" }
    for join in steps.count..<graph.nodeCount { result += "  s\(join) [shape=point, label=\"\"];\n" }
    for edge in 0..<graph.edgeCount {
      var attributes: [String] = []
      let label = label(of: edge)
      if !label.isEmpty { attributes.append("label=\(DOT.quote(options.mask(label)))") }
      if !needsPassed(edge) { attributes.append("style=dashed") }
      if isMarked(edge, marked) { attributes.append("penwidth=2.5") }
      result += "  s\(graph.sources[edge]) -> s\(graph.targets[edge])"
      result += attributes.isEmpty ? ";\n" : " [\(attributes.joined(separator: ", "))];\n"
    }
    return result + "}\n"
  }
}

enum DOT {
  /// Returns the DOT attributes for the colours of a step's box. They are the same colours as in an SVG drawing.
  static func colors(of outcome: StepOutcome) -> String {
    let (line, area) =
      switch outcome {
      case .passed: ("#1a7f4b", "#e8f6ee")
      case .failed, .error: ("#c0232c", "#fdeaea")
      case .unreachable: ("#7d3fb0", "#f4ecfa")
      case .blocked, .flaky: ("#7a5a00", "#fff6df")
      case .allowed: ("#a8400a", "#fdf0e6")
      case .skipped, .notRun: ("#8c959f", "#f4f6f8")
      }
    return "color=\"\(line)\", fillcolor=\"\(area)\""
  }

  /// Quotes a string as a DOT label. A line break in the string becomes a line break in the label.
  static func quote(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case _ where scalar.value < 32 || scalar.value == 127: result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
