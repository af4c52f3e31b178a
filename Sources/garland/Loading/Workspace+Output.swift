import ArgumentParser
import GarlandDiagnostics
import Glibc

extension Workspace {
  /// Whether colours may go to a descriptor, and how wide it is.
  func facts(of descriptor: Int32) -> TerminalFacts {
    var facts = TerminalFacts.detect(fileDescriptor: descriptor)
    switch output.color {
    case .always: facts.colors = .ansi16
    case .never: facts.colors = .plain
    case .auto: if !(environment["NO_COLOR"] ?? "").isEmpty { facts.colors = .plain }
    }
    return facts
  }

  func stream(_ descriptor: Int32) -> RedactedOutput {
    RedactedOutput(FileDescriptorSink(fileDescriptor: descriptor), redactor: redactor)
  }

  /// Shows what was found on standard error.
  func showDiagnostics() throws(CommandFailure) {
    if !diagnostics.isEmpty { try complain { $0.render(diagnostics) } }
  }

  /// Shows what went wrong after the run on standard error.
  func show(_ diagnostic: Diagnostic) throws(CommandFailure) {
    try complain { $0.render(diagnostic) }
  }

  private func complain(_ text: (DiagnosticRenderer) -> StyledText) throws(CommandFailure) {
    let facts = facts(of: STDERR_FILENO)
    try write(text(DiagnosticRenderer(width: facts.width ?? 100)), to: STDERR_FILENO)
  }

  private func write(_ text: StyledText, to descriptor: Int32) throws(CommandFailure) {
    do throws(OutputError) {
      try stream(descriptor).write(text, colors: facts(of: descriptor).colors, isComplete: true)
    } catch {
      throw .local("cannot write: \(error)")
    }
  }

  /// Writes a text to standard output, masked.
  func show(_ text: StyledText) throws(CommandFailure) { try write(text, to: STDOUT_FILENO) }

  /// Writes a text to standard output, masked.
  func show(_ text: String) throws(CommandFailure) { try write(StyledText(text), to: STDOUT_FILENO) }

  /// Writes a line to standard error, masked.
  func note(_ text: String) throws(CommandFailure) { try write(StyledText(text + "\n"), to: STDERR_FILENO) }

  /// Writes a text to standard error, masked.
  func note(_ text: StyledText) throws(CommandFailure) { try write(text, to: STDERR_FILENO) }

  /// Says why there is nothing to do, which is no mistake only when nothing has changed.
  func explainEmptyPlan() throws {
    guard let unaffectedSince, !diagnostics.hasErrors else { throw ExitCode(2) }
    try note("nothing that changed since \(unaffectedSince) affects a step")
  }
}
