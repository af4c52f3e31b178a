import ArgumentParser
import GarlandDiagnostics
import GarlandReports
import Glibc

extension Workspace {
  /// Shows the diagnostics on standard error.
  func showDiagnostics() { terminal.show(diagnostics) }

  /// Shows the diagnostics on standard error, but no warnings about documents. `check` and `run` show these warnings; a command that only
  /// lists steps or values would repeat them.
  func showDiagnosticsWithoutWarnings() {
    var shown = DiagnosticList()
    for diagnostic in diagnostics.all where diagnostic.severity == .error || diagnostic.range == nil { shown.report(diagnostic) }
    terminal.show(shown)
  }

  /// Shows the diagnostics as annotations of the CI system that the environment names. Has no effect outside of a CI system.
  ///
  /// - Parameter reservesOutput: whether standard output is reserved for other output, so that standard error is used.
  func annotate(reservesOutput: Bool = false) {
    guard let log = JobLog(environment: environment) else { return }
    let root = SourceRoot(environment: environment)
    let lines = log.lines(for: diagnostics.all, redactor: redactor, root: root).map { $0 + "\n" }
    terminal.annotate(lines.joined(), reservesOutput ? STDERR_FILENO : STDOUT_FILENO)
  }

  /// Writes an error to standard error. The error occurred after the run.
  func show(_ diagnostic: Diagnostic) { terminal.show(diagnostic) }

  /// Writes a text to standard output.
  func show(_ text: StyledText) throws(CommandFailure) { try terminal.show(text) }

  /// Writes a text to standard output.
  func show(_ text: String) throws(CommandFailure) { try terminal.show(StyledText(text)) }

  /// Writes a line to standard error.
  func note(_ text: String) { terminal.note(StyledText(text + "\n")) }

  /// Shows the reason why no step has to run. This is an error unless the reason is that no file has changed.
  func explainEmptyPlan() throws {
    guard let nothingToDo, !diagnostics.hasErrors else { throw ExitCode(2) }
    note(nothingToDo)
  }
}
