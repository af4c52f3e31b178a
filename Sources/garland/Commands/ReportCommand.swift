import ArgumentParser
import GarlandDiagnostics
import GarlandReports
import GarlandTransfer
import GarlandWorkflow
import Glibc

struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Tell of a run again: from its JSON report, on the console or as another report.",
    discussion: """
      Nothing is sent. The result is one that `garland run … --report json=FILE` has written, also on another machine.
      Secrets are masked in it already. Source lines are quoted from the documents, if they are still there.

      Examples:
        garland report result.json
        garland report result.json --verbose
        garland report result.json --report junit=report.xml --quiet
        garland report result.json --report har=run.har --report tap=report.tap
        garland report - < result.json

      Exit status: 0, whatever the run's was; 2 if the file is no result; 4 if a report could not be written.
      """)

  @Argument(
    help: ArgumentHelp("The JSON report of a run; `-` is standard input.", valueName: "result"), completion: .file(extensions: ["json"]))
  var path: String

  @Option(
    name: .customLong("report"),
    help: ArgumentHelp("Also write a report: \(ReportOption.formats); `-` is standard output. May be repeated.", valueName: "format=file"),
    completion: .custom(Completion.reports), transform: ReportOption.init(parsing:))
  var reports: [ReportOption] = []

  @OptionGroup var output: OutputOptions

  /// The largest result that is read.
  private static let limit = 512 << 20

  func validate() throws {
    if reports.filter(\.isStandardOutput).count > 1 { throw ValidationError("Only one report can go to standard output.") }
    try ReportTargets.check(reports, inputs: [path])
  }

  func run() async throws {
    let environment = ProcessEnvironment.current
    let terminal = Terminal(output.color, environment: environment)
    let bytes: [UInt8]
    do throws(WorkflowFileError) {
      bytes = path == "-" ? try StandardInput.read(limit: Self.limit) : try SystemFiles().read(path, limit: Self.limit)
    } catch {
      throw CommandFailure.unreadable(path, error)
    }
    let recording: RunRecording
    do throws(RecordingError) {
      recording = try RunRecording(SourceFile(name: path, bytes: bytes)) { name in
        guard let bytes = try? SystemFiles().read(name, limit: 16 << 20) else { return nil }
        return SourceFile(name: name, bytes: bytes)
      }
    } catch {
      terminal.show(error.diagnostic)
      throw ExitCode(2)
    }
    let pipeline = ReportPipeline(try reporters(of: recording, terminal, environment))
    recording.replay(to: pipeline)
    var problems = await pipeline.finish()
    let uploads = reports.compactMap(\.upload)
    if !uploads.isEmpty {
      let engine = Engine()
      problems += await TraceSender(engine: engine, environment: environment).send(uploads)
      engine.shutDown()
    }
    for problem in problems { terminal.note("error: \("\(problem)")\n") }
    if !problems.isEmpty { throw ExitCode(4) }
  }

  private func reporters(
    of recording: RunRecording, _ terminal: Terminal, _ environment: [String: String]
  ) throws -> sending [any Reporter] {
    let redactor = terminal.redactor
    var options = ConsoleOptions(environment: environment)
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
        // The recording has no more bodies than the run kept.
        reporters.append(try report.reporter(redactor, hostname: recording.hostname, includesAllBodies: true))
      } catch {
        throw CommandFailure.local("\(error)")
      }
    }
    return reporters
  }
}
