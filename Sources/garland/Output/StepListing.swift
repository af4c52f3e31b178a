import GarlandDiagnostics
import GarlandJSON
import GarlandPlanner

/// The steps of a plan, for people and for programs.
enum StepListing {
  /// A line for each step, document by document. With a width lines are cut to it, without one nothing is cut.
  ///
  /// - Parameter redactor: masks what is secret in them before they are cut.
  static func table(_ plan: Plan, width: Int?, _ redactor: Redactor) -> StyledText {
    func line(_ text: String) -> String { DisplayText.visible(redactor.redact(text)) }
    let idWidth = min(32, plan.steps.map { DisplayWidth.of($0.step.id) }.max() ?? 0)
    let actionWidth = min(48, plan.steps.map { DisplayWidth.of(line($0.action)) }.max() ?? 0)
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
        let action = StyledText(line(planned.action))
        var row: StyledText = "  \(StyledText(planned.step.id, .key).padded(to: idWidth))  "
        row += notes.isEmpty ? action : action.padded(to: actionWidth)
        for note in notes { row += "  \(note)" }
        text += width.map { row.truncated(to: max(20, $0 - 1)) } ?? row
        text += "\n"
      }
    }
    return text
  }

  /// An array with an object for each step: `file`, `line`, `workflow`, `id`, `method`, `url`, `description`, `tags`, in plan order.
  static func json(_ plan: Plan) -> String {
    let steps = plan.steps.map { planned -> JSONValue in
      return .object([
        "file": .string(planned.workflow.file.name),
        "line": .number(JSONNumber(planned.step.idRange.start.line)),
        "workflow": planned.workflow.name.map { .string($0.value) } ?? .null,
        "id": .string(planned.step.id),
        "action": .string(planned.action),
        "method": planned.step.request.map { .string($0.method.value) } ?? .null,
        "url": planned.step.request.map { .string($0.url.source) } ?? .null,
        "description": planned.step.description.map { .string($0) } ?? .null,
        "tags": .array(planned.step.tags.map { .string($0) }),
      ])
    }
    return JSONValue.array(steps).jsonText(options: .pretty)
  }
}
