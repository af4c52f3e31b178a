/// The two lines of text in each box of a drawing. The lines fit into the box. No two steps of a document have the same first line.
struct StepLabels {
  /// The first line of each box: the id of the step, and its duration if known.
  private(set) var names: [String]
  /// The second line of each box: the method and the URL.
  private(set) var actions: [String]
  /// The width that each box needs for its two lines of text, in the units of the SVG drawing.
  private(set) var widths: [Double]

  private static let nameCharacter = 7.9
  private static let actionCharacter = 6.8
  private static let margins = 40.0
  private static let narrowest = 130.0
  private static let longestName = 40
  private static let longestAction = 44

  init(_ plan: Plan, _ options: DrawingOptions) {
    names = []
    actions = []
    widths = []
    var seen: [String: Int] = [:]
    for planned in plan.steps {
      var name = Self.cut(options.mask(planned.step.id), Self.longestName)
      // Two long ids may be equal after they were shortened.
      let number = seen["\(planned.workflowIndex) \(name)", default: 0] + 1
      seen["\(planned.workflowIndex) \(name)"] = number
      if number > 1 { name += " (\(number))" }
      if let duration = options.durations?[planned.index] { name += " · \(Plan.durationText(duration))" }
      let action = Self.cut(options.mask(planned.action), Self.longestAction)
      names.append(name)
      actions.append(action)
      widths.append(
        max(Self.narrowest, max(Double(name.count) * Self.nameCharacter, Double(action.count) * Self.actionCharacter) + Self.margins))
    }
  }

  /// Shortens a text to `limit` characters. The middle is omitted, since ids and URLs usually differ at the beginning or at the end.
  static func cut(_ text: String, _ limit: Int) -> String {
    guard text.count > limit else { return text }
    let end = (limit - 1) / 2
    return text.prefix(limit - 1 - end) + "…" + text.suffix(end)
  }
}
