import GarlandDiagnostics
import GarlandPlanner
import GarlandRunner
import GarlandWorkflow

extension Workspace {
  /// Compiles a text of `--print` in the scope of the document that defines the names in the text. Returns nil after an error.
  mutating func compile(_ text: String, in plan: Plan) -> RunPrint? {
    var candidates: [RunPrint] = []
    var firstProblems: DiagnosticList?
    for (index, workflow) in plan.workflows.enumerated() {
      var found = DiagnosticList()
      if let template = workflow.template(text, name: "--print", into: &found) {
        candidates.append(RunPrint(template, workflow: index))
      } else if firstProblems == nil {
        firstProblems = found
      }
    }
    guard let first = candidates.first else {
      if let firstProblems { report(firstProblems) }
      return nil
    }
    if first.isConstant {
      // An expression such as `${'a' | md5}` gives the same value in every document.
      guard !text.contains("${") else { return first }
      report(
        Diagnostic("constant-print", "`--print` has no expression in it", at: first.template.range)
          .help("write an expression in single quotes, so that the shell does not expand it: --print '${login.token}'"))
      return nil
    }
    guard candidates.count == 1 else {
      let names = candidates.prefix(8).map { plan.workflows[$0.workflow].file.name }.joined(separator: ", ")
      report(
        Diagnostic("ambiguous-print", "several documents have the name of `--print`: \(names)", at: first.template.range)
          .help("run only one of the documents"))
      return nil
    }
    return first
  }
}
