import GarlandDiagnostics
import GarlandReports
import Glibc

/// Standard output and standard error, with the colours that the command line and the environment select. Secrets are masked in all output.
struct Terminal: Sendable {
  private let color: ColorChoice
  /// Whether the environment disables colours.
  private let isPlain: Bool
  /// The CI system that interprets commands in the output; nil outside of a CI system.
  private let log: JobLog?
  /// The redactor with the secrets of the command, which all terminals of the process share. An error that ends the command is shown after
  /// the workspace is gone, and its message contains values of options, such as the names of files.
  static let redactor = Redactor()
  var redactor: Redactor { Self.redactor }

  init(_ color: ColorChoice, environment: [String: String]) {
    self.color = color
    isPlain = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
    log = JobLog(environment: environment)
  }

  /// Returns the width of a terminal, and whether output to it may be coloured.
  func facts(of descriptor: Int32) -> TerminalFacts {
    var facts = TerminalFacts.detect(fileDescriptor: descriptor)
    switch color {
    case .always: facts.colors = .ansi16
    case .never: facts.colors = .plain
    case .auto: if isPlain { facts.colors = .plain }
    }
    return facts
  }

  /// Returns standard output or standard error as the output of a run's console reporter.
  ///
  /// - Parameter descriptor: the file descriptor 1 or 2.
  func console(_ descriptor: Int32) -> ConsoleOutput {
    ConsoleOutput(fileDescriptor: descriptor, output: output(descriptor), facts: facts(of: descriptor))
  }

  /// Writes requested output to standard output. If the reader has closed standard output, this is not an error.
  func show(_ text: StyledText) throws(CommandFailure) {
    do throws(OutputError) {
      try write(text, to: STDOUT_FILENO)
    } catch .closed {
    } catch {
      throw .unwritable(error)
    }
  }

  /// Writes to standard output. Returns false if the write fails, for example because the reader has closed the pipe.
  func reaches(_ text: StyledText) -> Bool { (try? write(text, to: STDOUT_FILENO)) != nil }

  /// Writes an unimportant remark to standard output. If standard output is closed, the remark is dropped without an error.
  func remark(_ text: StyledText) throws(CommandFailure) {
    do throws(OutputError) {
      try write(text, to: STDOUT_FILENO)
    } catch .closed {
    } catch .failed(EBADF) {
    } catch {
      throw .unwritable(error)
    }
  }

  /// Writes a text to standard error. If the text can't be written, no error is thrown, since there is no other place to report it; the
  /// user then sees only the exit status.
  func note(_ text: StyledText) { try? write(text, to: STDERR_FILENO) }

  /// Shows diagnostics on standard error.
  func show(_ diagnostics: DiagnosticList) {
    if !diagnostics.isEmpty { complain { $0.render(diagnostics) } }
  }

  /// Shows a diagnostic on standard error.
  func show(_ diagnostic: Diagnostic) { complain { $0.render(diagnostic) } }

  private func complain(_ text: (DiagnosticRenderer) -> StyledText) {
    var renderer = DiagnosticRenderer(width: facts(of: STDERR_FILENO).width ?? 100)
    renderer.redactor = redactor
    let text = text(renderer)
    note(log?.harmless(text) ?? text)
  }

  /// Writes commands for a CI system, with the secrets in them masked. If writing fails, the error is ignored, since standard error
  /// contains the same information.
  func annotate(_ commands: String, _ descriptor: Int32) {
    try? output(descriptor).write(StyledText(commands), colors: .plain, isComplete: true)
  }

  private func output(_ descriptor: Int32) -> RedactedOutput {
    RedactedOutput(FileDescriptorSink(fileDescriptor: descriptor), redactor: redactor)
  }

  private func write(_ text: StyledText, to descriptor: Int32) throws(OutputError) {
    // The text is complete, so secrets that can only be recognised in the whole text are also masked.
    try output(descriptor).write(redactor.redact(text), colors: facts(of: descriptor).colors, isComplete: true)
  }
}
