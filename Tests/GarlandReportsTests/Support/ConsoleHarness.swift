import GarlandDiagnostics
import GarlandResults
import TestSupport

@testable import GarlandReports

/// A console whose streams are kept in memory.
final class ConsoleHarness {
  let standardOutput = MemorySink()
  let standardError = MemorySink()
  let redactor = Redactor()
  let clock = FakeClock()
  let reporter: ConsoleReporter

  /// Creates a console.
  ///
  /// - Parameters:
  ///   - width: the width of a terminal as standard output; nil for no terminal.
  ///   - errorWidth: the width of a terminal as standard error; nil for no terminal.
  init(
    _ options: ConsoleOptions = ConsoleOptions(), width: Int? = nil, height: Int = 24, errorWidth: Int? = nil,
    colors: StyledText.ColorMode = .plain, isPipe: Bool = false, secrets: [String] = []
  ) {
    for secret in secrets { redactor.register(secret) }
    let output = ConsoleOutput(
      output: RedactedOutput(standardOutput, redactor: redactor),
      facts: TerminalFacts(isTerminal: width != nil, width: width, height: width == nil ? nil : height, colors: colors), isPipe: isPipe)
    let error = ConsoleOutput(
      output: RedactedOutput(standardError, redactor: redactor),
      facts: TerminalFacts(isTerminal: errorWidth != nil, width: errorWidth, height: errorWidth == nil ? nil : height, colors: colors))
    let clock = clock
    reporter = ConsoleReporter(
      options: options, standardOutput: output, standardError: error, redactor: redactor, clock: { clock.now })
  }

  func run(_ events: [RunEvent]) throws {
    for event in events {
      reporter.receive(event)
      reporter.flush()
    }
    try reporter.finish()
  }
}
