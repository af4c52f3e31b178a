import GarlandDiagnostics
import GarlandPlanner
import GarlandText
import GarlandWorkflow

/// From bytes to a plan that is checked and drawn, as `check` and `plan` do it.
enum DocumentFuzzing {
  static func violation(of input: [UInt8]) -> String? {
    let (workflow, found) = WorkflowDecoder.decode(
      name: "fuzz.yaml", bytes: input, directory: "/project", options: .init(files: FuzzFiles.access))
    guard (workflow == nil) == found.hasErrors else {
      return "a document \(workflow == nil ? "is refused without" : "passes with") an error"
    }
    if let violation = DiagnosticRules.violation(in: found, of: input) { return violation }
    guard let workflow else { return nil }
    let result = Planner(workingDirectory: "/project", files: FuzzFiles()).plan([workflow])
    guard (result.plan == nil) == result.diagnostics.hasErrors else { return "a plan is refused without an error" }
    if let violation = DiagnosticRules.violation(in: result.diagnostics, of: input) { return violation }
    guard let plan = result.plan else { return nil }
    guard plan.steps.count == workflow.steps.count || !workflow.uses.isEmpty else { return "a plan has other steps than its document" }
    if let violation = DiagnosticRules.violation(in: plan.check(), of: input) { return violation }
    _ = plan.unsetValues(secrets: [:], environment: [:])
    var random = SeededGenerator(seed: InputSplit.hash(input))
    if let format = DrawingFormat.allCases.randomElement(using: &random) {
      guard !plan.drawing(format).isEmpty else { return "an empty drawing as \(format)" }
    }
    guard let step = plan.steps.randomElement(using: &random) else { return nil }
    do {
      let selected = try plan.select(Selection(steps: [step.step.id]))
      guard selected.steps.contains(where: { $0.step.id == step.step.id }) else { return "a step does not select itself" }
    } catch {
      return "a step can't be selected by its id: \(error.diagnostics.all.first?.message ?? "")"
    }
    return nil
  }
}
