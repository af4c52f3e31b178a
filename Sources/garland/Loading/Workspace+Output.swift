import ArgumentParser
import GarlandDiagnostics
import GarlandReports
import Glibc

extension Workspace {
  /// Shows the diagnostics on standard error.
  func showDiagnostics() { terminal.show(diagnostics) }

  /// Shows all errors, and those warnings that have no position in a document, on standard error. Commands that only list steps or values
  /// use this function, since `check` and `run` already show the warnings about documents.
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

  /// Writes a diagnostic to standard error, for example an error that occurred after the run.
  func show(_ diagnostic: Diagnostic) { terminal.show(diagnostic) }

  /// Writes a text to standard output.
  func show(_ text: StyledText) throws(CommandFailure) { try terminal.show(text) }

  /// Writes a text to standard output.
  func show(_ text: String) throws(CommandFailure) { try terminal.show(StyledText(text)) }

  /// Writes a line to standard error.
  func note(_ text: String) { terminal.note(StyledText(text + "\n")) }

  /// Shows the reason why no step has to run, for example that no file has changed. If no such reason is known, or if there are errors,
  /// throws the exit status 2.
  func explainEmptyPlan() throws {
    guard let nothingToDo, !diagnostics.hasErrors else { throw ExitCode(2) }
    note(nothingToDo)
  }
}
