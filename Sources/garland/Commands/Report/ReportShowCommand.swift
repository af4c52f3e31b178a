import ArgumentParser
import GarlandReports
import GarlandWorkflow

struct ReportShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Re-render a run from its JSON report. Short form: `garland report FILE`.",
    discussion: """
      Examples:
        garland report result.json
        garland report result.json --verbose
        garland report result.json --report junit=report.xml --quiet
        garland report result.json --report har=run.har --report tap=report.tap
        garland report - < result.json

      Nothing is sent. `garland run … --report json=FILE` writes the JSON report, with masked secrets.
      Source lines are quoted from the documents if they still exist.

      Exit status: 0, even if the run failed; 2 if the file is not a report; 4 if a report could not be written.
      """)

  @Argument(
    help: ArgumentHelp("The JSON report of a run; `-` is standard input.", valueName: "result"), completion: .file(extensions: ["json"]))
  var path: String

  @Option(
    name: .customLong("report"),
    help: ReportOption.help("Also write a report"), completion: .custom(Completion.reports), transform: ReportOption.init(parsing:))
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
