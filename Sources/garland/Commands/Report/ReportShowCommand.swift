import ArgumentParser
import GarlandReports
import GarlandWorkflow

struct ReportShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Re-render a run from its JSON report. `garland report FILE` is short for it.",
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

  func validate() throws { try ReportOutput.check(reports, inputs: [path]) }

  func run() async throws {
    let output = ReportOutput(output, reports)
    let bytes: [UInt8]
    do throws(WorkflowFileError) {
      bytes = try output.bytes(of: path)
    } catch {
      throw CommandFailure.unreadable(path, error)
    }
    let recording: RunRecording
    do throws(RecordingError) {
      recording = try output.recording(path, bytes)
    } catch {
      output.terminal.show(error.diagnostic)
      throw ExitCode(2)
    }
    guard try await output.tell(of: recording) else { throw ExitCode(4) }
  }
}
