import ArgumentParser
import GarlandDiagnostics
import GarlandReports
import GarlandTransfer
import GarlandWorkflow
import Glibc

/// Reads the JSON reports of earlier runs, shows these runs, and writes reports in other formats about them, for the subcommands of
/// `garland report`.
struct ReportOutput {
  let terminal: Terminal
  let environment: [String: String]
  let output: OutputOptions
  let reports: [ReportOption]

  init(_ output: OutputOptions, _ reports: [ReportOption]) {
    environment = ProcessEnvironment.current
    terminal = Terminal(output.color, environment: environment)
    self.output = output
    self.reports = reports
  }

  /// Throws an error if two reports would be written to the same file or both to standard output, or if a report would replace an input
  /// file.
  static func check(_ reports: [ReportOption], inputs: [String]) throws {
    if reports.filter(\.isStandardOutput).count > 1 { throw ValidationError("Only one report can go to standard output.") }
    try OutputTargets.check(reports, inputs: inputs)
  }

  /// Reads a JSON report. The path `-` means standard input.
  func bytes(of path: String) throws(WorkflowFileError) -> [UInt8] {
    path == "-" ? try StandardInput.read(limit: Workspace.reportLimit) : try SystemFiles().read(path, limit: Workspace.reportLimit)
  }

  /// Reads a JSON report piece by piece, so that the file need not fit into memory. The path `-` means standard input, which is read as a
  /// whole. Stops when `take` returns false.
  func readPieces(of path: String, _ take: ([UInt8]) -> Bool) throws(WorkflowFileError) {
    if path == "-" { _ = take(try bytes(of: path)) } else { try SystemFiles().readPieces(path, take) }
  }

  /// Creates the recording of a run from the bytes of its JSON report.
  func recording(_ path: String, _ bytes: [UInt8]) throws(RecordingError) -> RunRecording {
    try RunRecording(SourceFile(name: path, bytes: bytes)) { name in
      guard let bytes = try? SystemFiles().read(name, limit: 16 << 20) else { return nil }
      return SourceFile(name: name, bytes: bytes)
    }
  }

  /// Shows a run on the console and writes its reports.
  ///
  /// - Returns: whether all reports could be written.
  func tell(of recording: RunRecording) async throws -> Bool {
    let pipeline = ReportPipeline(try reporters(of: recording))
    recording.replay(to: pipeline)
    var problems = await pipeline.finish()
    let uploads = reports.compactMap(\.upload)
    if !uploads.isEmpty {
      let engine = Engine()
      problems += await TraceSender(engine: engine, environment: environment).send(uploads)
      engine.shutDown()
    }
    for problem in problems { terminal.note("error: \("\(problem)")\n") }
    return problems.isEmpty
  }

  private func reporters(
    of recording: RunRecording
  ) throws -> sending [any Reporter] {
    let redactor = terminal.redactor
    var options = ConsoleOptions(environment: environment)
    if options.log != nil { options.sourceRoot = SourceRoot(environment: environment) }
    if output.quiet { options.verbosity = .quiet }
    if output.verbose { options.verbosity = .verbose }
    if reports.contains(where: \.isStandardOutput) { options.destination = .standardError }
    let clock = ContinuousClock()
    let start = clock.now
    var reporters: [any Reporter] = [
      ConsoleReporter(
        options: options, standardOutput: terminal.console(STDOUT_FILENO), standardError: terminal.console(STDERR_FILENO),
        redactor: redactor,
        clock: { clock.now - start })
    ]
    for report in reports {
      do throws(ReportError) {
        // The recording contains only the bodies that the run kept.
        reporters.append(try report.reporter(redactor, hostname: recording.hostname, includesAllBodies: true))
      } catch {
        throw CommandFailure.local("\(error)")
      }
    }
    return reporters
  }
}
