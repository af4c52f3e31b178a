/// The legend of a drawing, which explains the lines, frames and colours that occur in it.
struct SVGLegend {
  private struct Entry {
    /// The SVG markup of the sample line or box to which a legend entry refers. The sample starts at x = 0, is centred at y = 0, and is at
    /// most 30 units wide.
    var sample: String
    var text: String

    var width: Double { 42 + Double(text.count) * 7.8 }
  }

  private var lines: [[Entry]] = [[]]
  private static let lineHeight = 22.0
  private static let longestLine = 900.0

  init(_ plan: Plan, _ options: DrawingOptions, hidden: Int) {
    var entries: [Entry] = []
    let edges = 0..<plan.graph.edgeCount
    if edges.contains(where: plan.needsPassed) {
      entries.append(Entry(sample: #"<path d="M0 0H26" marker-end="url(#tip)"/>"#, text: "must pass first"))
    }
    if edges.contains(where: { !plan.needsPassed($0) }) {
      entries.append(Entry(sample: #"<path class="ended" d="M0 0H26" marker-end="url(#tip)"/>"#, text: "must end first"))
    }
    if plan.steps.contains(where: \.runsAlways) {
      entries.append(
        Entry(sample: #"<g class="always"><rect class="box" y="-7" width="26" height="14" rx="3"/></g>"#, text: "runs despite failures"))
    }
    if plan.graph.nodeCount > plan.steps.count {
      entries.append(Entry(sample: #"<circle class="join" cx="13" r="4"/>"#, text: "all of these"))
    }
    if options.marksCriticalPath {
      entries.append(
        Entry(sample: #"<g class="critical"><rect class="box" y="-7" width="26" height="14" rx="3"/></g>"#, text: "critical path"))
    }
    let found = Set((options.outcomes ?? []).compactMap { $0 })
    for outcome in StepOutcome.allCases where found.contains(outcome) {
      entries.append(
        Entry(
          sample: "<g class=\"\(outcome.name)\"><rect class=\"box\" y=\"-7\" width=\"26\" height=\"14\" rx=\"3\"/></g>",
          text: "\(outcome.sign) \(outcome.word)"))
    }
    if hidden > 0 {
      entries.append(Entry(sample: "", text: "\(hidden) edge\(hidden == 1 ? " that follows" : "s that follow") from others left out"))
    }
    for entry in entries {
      let width = lines[lines.count - 1].reduce(0) { $0 + $1.width }
      if width + entry.width > Self.longestLine { lines.append([]) }
      lines[lines.count - 1].append(entry)
    }
  }

  /// The width of the legend, which is the width of its widest line, in the units of the SVG drawing.
  var width: Double { lines.map { $0.reduce(0) { $0 + $1.width } }.max() ?? 0 }
  var height: Double { Double(lines.count) * Self.lineHeight }

  /// Returns the SVG markup of the legend, with its upper left corner at the given position.
  func text(left: Double, top: Double) -> String {
    var result = "<g class=\"legend\">\n"
    for (number, line) in lines.enumerated() {
      var x = left
      let y = top + Double(number) * Self.lineHeight
      for entry in line {
        let indent = entry.sample.isEmpty ? 0.0 : 34
        result += "<g transform=\"translate(\(SVGDrawing.number(x)) \(SVGDrawing.number(y)))\">\(entry.sample)"
        result += "<text class=\"file\" x=\"\(SVGDrawing.number(indent))\" y=\"4\">\(SVGDrawing.escape(entry.text))</text></g>\n"
        x += entry.width
      }
    }
    return result + "</g>\n"
  }
}
