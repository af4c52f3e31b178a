import GarlandDiagnostics
import GarlandPlanner

/// Converts a plan to a script for a load testing tool that can send load from many machines.
///
/// ```swift
/// let (text, diagnostics) = WorkflowExport.script(of: plan, for: .locust, in: "/work")
/// ```
package enum WorkflowExport {
  /// Returns the script, or diagnostics for all parts of the plan that a script cannot represent.
  ///
  /// - Parameters:
  ///   - plan: the plan whose steps become functions of the script.
  ///   - target: the load testing tool that runs the script.
  ///   - folder: the absolute path of the script's folder. Paths of files that the script reads are relative to this folder.
  ///   - program: the name and version of this program, for a comment in the script.
  package static func script(
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
