import GarlandDiagnostics
import GarlandReports
import Glibc

/// Standard output and standard error as the command line and the environment want them. All output
/// is masked on its way.
struct Terminal: Sendable {
  private let color: ColorChoice
  /// Whether the environment is against colours.
  private let isPlain: Bool
  /// The CI system that reads commands in the output.
  private let log: JobLog?
  let redactor: Redactor

  init(_ color: ColorChoice, environment: [String: String], redactor: Redactor = Redactor()) {
    self.color = color
    self.redactor = redactor
    isPlain = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
    log = JobLog(environment: environment)
  }

  /// Whether colours may go to a descriptor, and how wide it is.
  func facts(of descriptor: Int32) -> TerminalFacts {
    var facts = TerminalFacts.detect(fileDescriptor: descriptor)
    switch color {
    case .always: facts.colors = .ansi16
    case .never: facts.colors = .plain
    case .auto: if isPlain { facts.colors = .plain }
    }
    return facts
  }

  /// A stream as the console of a run needs it.
  func console(_ descriptor: Int32) -> ConsoleOutput {
    ConsoleOutput(fileDescriptor: descriptor, output: output(descriptor), facts: facts(of: descriptor))
  }

  /// Writes requested output to standard output. A reader that has gone is no error.
  func show(_ text: StyledText) throws(CommandFailure) {
    do throws(OutputError) {
      try write(text, to: STDOUT_FILENO)
    } catch .closed {
    } catch {
      throw .unwritable(error)
    }
  }

  /// Writes to standard output, and returns whether it still has a reader.
  func reaches(_ text: StyledText) -> Bool { (try? write(text, to: STDOUT_FILENO)) != nil }

  /// Writes an unimportant remark to standard output, which may be closed.
  func remark(_ text: StyledText) throws(CommandFailure) {
    do throws(OutputError) {
      try write(text, to: STDOUT_FILENO)
    } catch .closed {
    } catch .failed(EBADF) {
    } catch {
      throw .unwritable(error)
    }
  }

  /// Writes to standard error. If that can't be written, only the exit status reports the failure.
  func note(_ text: StyledText) { try? write(text, to: STDERR_FILENO) }

  /// Shows what was found on standard error.
  func show(_ diagnostics: DiagnosticList) {
    if !diagnostics.isEmpty { complain { $0.render(diagnostics) } }
  }

  /// Shows what went wrong on standard error.
  func show(_ diagnostic: Diagnostic) { complain { $0.render(diagnostic) } }

  private func complain(_ text: (DiagnosticRenderer) -> StyledText) {
    var renderer = DiagnosticRenderer(width: facts(of: STDERR_FILENO).width ?? 100)
    renderer.redactor = redactor
    let text = text(renderer)
    note(log?.harmless(text) ?? text)
  }

  /// Writes the commands of a CI system, in which secrets are masked. When they can't be written, what they say is on standard error.
  func annotate(_ commands: String, _ descriptor: Int32) {
    try? output(descriptor).write(StyledText(commands), colors: .plain, isComplete: true)
  }

  private func output(_ descriptor: Int32) -> RedactedOutput {
    RedactedOutput(FileDescriptorSink(fileDescriptor: descriptor), redactor: redactor)
  }

  private func write(_ text: StyledText, to descriptor: Int32) throws(OutputError) {
    // Text that is complete is also searched for secrets that only a whole text shows.
    try output(descriptor).write(redactor.redact(text), colors: facts(of: descriptor).colors, isComplete: true)
  }
}
