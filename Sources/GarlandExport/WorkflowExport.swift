public import GarlandDiagnostics
public import GarlandPlanner

/// A plan as a script for an engine that sends load from many machines.
///
/// ```swift
/// let (text, diagnostics) = WorkflowExport.script(of: plan, for: .locust, in: "/work")
/// ```
public enum WorkflowExport {
  /// Returns the script, or all parts of the plan that have no counterpart in it.
  ///
  /// - Parameters:
  ///   - plan: the plan.
  ///   - target: the engine.
  ///   - folder: the absolute path of the folder of the script, from which it reads files.
  ///   - program: the name and version of this program.
  public static func script(
    of plan: Plan, for target: ExportTarget, in folder: String, program: String
  ) -> (text: String?, diagnostics: DiagnosticList) {
    var builder = ScriptBuilder(plan, target, folder: folder)
    let script = builder.script()
    guard !builder.diagnostics.hasErrors else { return (nil, builder.diagnostics) }
    let text =
      switch target {
      case .locust: LocustPrinter(program: program).text(script)
      case .k6: K6Printer(program: program).text(script)
      }
    return (text, builder.diagnostics)
  }
}
