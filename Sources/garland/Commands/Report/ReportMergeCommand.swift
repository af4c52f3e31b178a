import ArgumentParser
import GarlandDiagnostics
import GarlandReports
import GarlandWorkflow

struct ReportMergeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge the JSON reports of shards into one run.",
    discussion: """
      Examples:
        garland report merge shard-*.json --report junit=report.xml
        garland report merge shard-*.json --report json=result.json --quiet

      The merged run has each step of the plan once. Nothing is written if a shard
      is missing, has two reports, or differs in documents, variables, steps or
      version.

      Exit status: that of the run; 4 if the reports can't be merged or a report
      can't be written.
      """)

  @Argument(
    help: ArgumentHelp("The JSON reports of all shards, in any order.", valueName: "result"), completion: .file(extensions: ["json"]))
  var paths: [String]

  @Flag(
    name: .customLong("allow-missing"),
    help: "Merge even if the reports of shards are missing. Their steps count as not run.")
  var allowMissing = false

  @Option(
    name: .customLong("report"),
    help: ReportOption.help("Write a report"), completion: .custom(Completion.reports), transform: ReportOption.init(parsing:))
  var reports: [ReportOption] = []

  @OptionGroup var output: OutputOptions

  func validate() throws { try ReportOutput.check(reports, inputs: paths) }

  func run() async throws {
    let output = ReportOutput(output, reports)
    let merged: RunRecording
    do throws(MergeError) {
      merged = try ShardMerge(try recordings(output), allowsMissing: allowMissing).recording
    } catch {
      for diagnostic in error.diagnostics { output.terminal.show(diagnostic) }
      throw ExitCode(4)
    }
    var status = ExitStatus(merged.summary.exitStatus)
    if try await !output.tell(of: merged) { status.add(4) }
    if status.code != 0 { throw ExitCode(status.code) }
  }

  /// Reads all reports. A file that can't be read, or that is incomplete, is an error.
  private func recordings(_ output: ReportOutput) throws(MergeError) -> [(name: String, recording: RunRecording)] {
    var problems: [Diagnostic] = []
    var recordings: [(name: String, recording: RunRecording)] = []
    for path in paths {
      do throws(WorkflowFileError) {
        let bytes = try output.bytes(of: path)
        do throws(RecordingError) {
          recordings.append((path, try output.recording(path, bytes)))
        } catch {
          problems.append(error.diagnostic)
        }
      } catch {
        problems.append(Diagnostic("bad-merge", "the file `\(path)` can't be read: \(error.message)", at: nil))
      }
    }
    guard problems.isEmpty else { throw MergeError(diagnostics: problems) }
    return recordings
  }
}
