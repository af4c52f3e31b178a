extension Plan {
  /// Draws the plan as a Mermaid flowchart. An arrow leads from a step to a step that waits for it. The arrow is solid if the first step
  /// has to pass, and dotted if the first step only has to end. Joins (nodes without a step) are drawn as small circles.
  func mermaid(_ options: DrawingOptions = DrawingOptions()) -> String {
    let marked = marked(options)
    var result = "flowchart LR\n"
    let hasSeveral = Set(steps.map(\.workflowIndex)).count > 1
    var document = -1
    for planned in steps {
      if hasSeveral, planned.workflowIndex != document {
        if document >= 0 { result += "  end\n" }
        document = planned.workflowIndex
        let title = planned.workflow.name?.value ?? planned.workflow.file.name
        result += "  subgraph f\(document)[\"\(Mermaid.escape(options.mask(title)))\"]\n"
      }
      var label = "\(Mermaid.escape(options.mask(planned.step.id)))<br/>\(Mermaid.escape(options.mask(planned.action)))"
      if let duration = options.durations?[planned.index] { label += "<br/>\(Plan.durationText(duration))" }
      let style = planned.runsAlways ? ":::always" : ""
      result += "  \(hasSeveral ? "  " : "")s\(planned.index)[\"\(label)\"]\(style)\n"
    }
    if document >= 0 { result += "  end\n" }
    for join in steps.count..<graph.nodeCount { result += "  s\(join)((\" \"))\n" }
    var heavy: [String] = []
    for edge in 0..<graph.edgeCount {
      let label = Mermaid.escape(options.mask(label(of: edge)))
      let arrow = needsPassed(edge) ? "-->" : "-.->"
      result += "  s\(graph.sources[edge]) \(arrow)\(label.isEmpty ? "" : "|\"\(label)\"|") s\(graph.targets[edge])\n"
      if isMarked(edge, marked) { heavy.append("\(edge)") }
    }
    if steps.contains(where: \.runsAlways) { result += "  classDef always stroke-dasharray: 4 3\n" }
    if marked.count > 0 {
      result += "  classDef critical stroke-width: 3px\n"
      result += "  class \(marked.elements.map { "s\($0)" }.joined(separator: ",")) critical\n"
    }
    if !heavy.isEmpty { result += "  linkStyle \(heavy.joined(separator: ",")) stroke-width: 3px\n" }
    return result
  }
}

enum Mermaid {
  /// Escapes text for a quoted label. Characters that have a meaning in HTML, Markdown or Mermaid's directives become numeric escapes such
  /// as `#35;`, since labels cannot contain backslash escapes.
  static func escape(_ text: String) -> String {
    var result = ""
    var before: Unicode.Scalar = " "
    let scalars = text.unicodeScalars
    for index in scalars.indices {
      let scalar = scalars[index]
      defer { before = scalar }
      switch scalar {
      // Within a word, an underscore does not begin emphasis in Markdown, and names often contain underscores.
      case "_"
      where isWordCharacter(before) && scalars.index(after: index) < scalars.endIndex
        && isWordCharacter(scalars[scalars.index(after: index)]):
        result += "_"
      case "\"", "#", "<", ">", "&", "`", "%", "\\", "*", "_", ";": result += "#\(scalar.value);"
      case _ where scalar.value < 32 || scalar.value == 127: result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func isWordCharacter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || (scalar.value >= 48 && scalar.value <= 57)
  }
}
