import GarlandDiagnostics
import GarlandJSON
import GarlandPlanner
import GarlandRunner

/// A list of the steps of a plan, as a table for people or as JSON for programs.
struct StepListing {
  private let plan: Plan
  private let requests: RequestListing

  init(_ plan: Plan, _ requests: RequestListing) {
    self.plan = plan
    self.requests = requests
  }

  /// Returns what a step does, such as `GET https://example.com/books`, with the part of its URL that is known before the run.
  private func action(of planned: PlannedStep) -> String {
    guard let (method, url) = requests.request(of: planned) else { return planned.action }
    let action = planned.step.action
    let hasOwnScheme = action.talk != nil && action.request?.url.source.lowercased().hasPrefix("ws") == true && url.hasPrefix("http")
    return "\(action.ownVerb ?? method) \(hasOwnScheme ? "ws" + url.dropFirst(4) : url)"
  }

  /// Returns a line for each step, document by document. If a width is given, lines are shortened to it.
  ///
  /// - Parameter redactor: masks secrets in the lines before they are shortened.
  func table(width: Int?, _ redactor: Redactor) -> StyledText {
    func line(_ text: String) -> String { DisplayText.visible(redactor.redact(text)) }
    let idWidth = min(32, plan.steps.map { DisplayWidth.of($0.step.id) }.max() ?? 0)
    let actionWidth = min(48, plan.steps.map { DisplayWidth.of(line(action(of: $0))) }.max() ?? 0)
    var text = StyledText()
    for (index, workflow) in plan.workflows.enumerated() {
      let steps = plan.steps.filter { $0.workflowIndex == index }
      guard !steps.isEmpty else { continue }
      if !text.isEmpty { text += "\n" }
      let name = line(workflow.name?.value ?? workflow.file.name)
      var heading: StyledText = "\(name, .emphasis)\(workflow.name == nil ? "" : "  \(line(workflow.file.name))", .dim)"
      if let description = workflow.description {
        heading += "  \(StyledText(line(description)))"
        if let width { heading = heading.truncated(to: max(20, width - 1)) }
      }
      text += heading
      text += "\n"
      for planned in steps {
        var notes = planned.step.tags.map { StyledText("#\(line($0))", .dim) }
        if let description = planned.step.description { notes.append(StyledText(line(description))) }
        let action = StyledText(line(self.action(of: planned)))
        var row: StyledText = "  \(StyledText(planned.step.id, .key).padded(to: idWidth))  "
        row += notes.isEmpty ? action : action.padded(to: actionWidth)
        for note in notes { row += "  \(note)" }
        text += width.map { row.truncated(to: max(20, $0 - 1)) } ?? row
        text += "\n"
      }
    }
    return text
  }

  /// The steps as a JSON array, with an object for each step in plan order: `file`, `line`, `workflow`, `id`, `action`, `method`, `url` (as
  /// far as it is known), `template` (the URL as written in the document), `description`, `tags`.
  var json: String {
    let steps = plan.steps.map { planned -> JSONValue in
      let request = requests.request(of: planned)
      return .object([
        "file": .string(planned.workflow.file.name),
        "line": .number(JSONNumber(planned.step.idRange.start.line)),
        "workflow": planned.workflow.name.map { .string($0.value) } ?? .null,
        "id": .string(planned.step.id),
        "action": .string(planned.action),
        "method": (request?.method ?? planned.step.request?.method.value).map { .string($0) } ?? .null,
        "url": (request?.url ?? planned.step.request?.url.source).map { .string($0) } ?? .null,
        "template": planned.step.request.map { .string($0.url.source) } ?? .null,
        "description": planned.step.description.map { .string($0) } ?? .null,
        "tags": .array(planned.step.tags.map { .string($0) }),
      ])
    }
    return JSONValue.array(steps).jsonText(options: .pretty)
  }
}
