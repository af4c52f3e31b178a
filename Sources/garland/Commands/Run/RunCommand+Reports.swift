import GarlandTransfer
import GarlandReports
import GarlandRunner
import Glibc

/// The results of a run apart from the lines on the console: report files, uploads, and the values of `--print`.
extension RunCommand {
  /// Adds the files of the reports to the list of files that this run writes, so that `--watch` does not run again because of them. Call
  /// this function before the documents are checked, since a run that is refused because of mistakes writes its reports, too.
  func announceReports(_ workspace: Workspace) {
    guard let files = written.map({ WrittenFiles($0) }) else { return }
    for report in results.report where report.upload == nil && !report.isStandardOutput {
      let path = workspace.absolute(report.path)
      files.append(workspace.files.files.resolve(path) ?? path)
    }
  }

  /// Writes the reports, then sends those that are uploaded to a server. Returns the errors.
  func finish(
    _ pipeline: ReportPipeline, _ engine: Engine, _ workspace: Workspace, _ sending: TraceSending
  ) async -> [ReportError] {
    let problems = await pipeline.finish()
    let sender = TraceSender(engine: engine, environment: workspace.environment)
    return problems + (await sending.send(results.report.compactMap(\.upload), by: sender))
  }

  func tell(of problems: [ReportError], _ workspace: Workspace, _ status: inout ExitStatus) {
    for problem in problems {
      workspace.note("\(problem.isWarning ? "warning" : "error"): \(problem)")
      if !problem.isWarning { status.add(4) }
    }
  }

  /// Writes the reports of a run that did not begin. If there were mistakes, the reports contain them.
  func tell(ofNoRun workspace: Workspace, status: Int32) {
    if status != 0 { workspace.annotate(reservesOutput: !results.print.isEmpty || results.report.contains(where: \.isStandardOutput)) }
    for problem in RunPresentation.refuse(
      results.report, workspace.redactor, workspace.diagnostics.all, status: status, workspace.environment)
    {
      workspace.note("\(problem.isWarning ? "warning" : "error"): \(problem)")
    }
  }

  /// Writes the values of `--print` to standard output.
  func write(_ prints: [String], _ workspace: Workspace, _ status: inout ExitStatus) {
    let output = prints.isEmpty ? nil : JobOutput(workspace.environment)
    let around = output?.pause.map { ("::stop-commands::\($0)\n", "::\($0)::\n") } ?? ("", "")
    for var text in prints {
      var last: UInt8?
      if output?.breaksCommands == true {
        text = String(decoding: JobLog.breakingCommands(in: Array(text.utf8), after: &last), as: UTF8.self)
      }
      do throws(CommandFailure) {
        try CommandOutput.writeAll(Array((around.0 + text + "\n" + around.1).utf8), to: STDOUT_FILENO)
      } catch {
        workspace.note("error: \(error.message)")
        status.add(error.status)
      }
    }
  }
}
