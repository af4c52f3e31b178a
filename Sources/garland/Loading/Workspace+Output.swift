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
    guard !diagnostics.isEmpty else { return }
    let facts = facts(of: STDERR_FILENO)
    do throws(OutputError) {
      try stream(STDERR_FILENO)
        .write(DiagnosticRenderer(width: facts.width ?? 100).render(diagnostics), colors: facts.colors, isComplete: true)
    } catch {
      throw .local("cannot write: \(error)")
    }
  }

  /// Shows what went wrong after the run on standard error.
  func show(_ diagnostic: Diagnostic) throws(CommandFailure) {
    let facts = facts(of: STDERR_FILENO)
    do throws(OutputError) {
      try stream(STDERR_FILENO)
        .write(DiagnosticRenderer(width: facts.width ?? 100).render(diagnostic), colors: facts.colors, isComplete: true)
    } catch {
      throw .local("cannot write: \(error)")
    }
  }

  /// Writes a text to standard output, masked.
  func show(_ text: StyledText) throws(CommandFailure) {
    do throws(OutputError) {
      try stream(STDOUT_FILENO).write(text, colors: facts(of: STDOUT_FILENO).colors, isComplete: true)
    } catch {
      throw .local("cannot write: \(error)")
    }
  }

  /// Writes a text to standard output, masked.
  func show(_ text: String) throws(CommandFailure) { try show(StyledText(text)) }

  /// Says why there is nothing to do, which is no mistake only when nothing has changed.
  func explainEmptyPlan() throws {
    guard let unaffectedSince, !diagnostics.hasErrors else { throw ExitCode(2) }
    try note("nothing that changed since \(unaffectedSince) affects a step")
  }

  /// Writes a line to standard error, masked.
  func note(_ text: String) throws(CommandFailure) {
    do throws(OutputError) {
      try stream(STDERR_FILENO).write(text + "\n", isComplete: true)
    } catch {
      throw .local("cannot write: \(error)")
    }
  }
}
