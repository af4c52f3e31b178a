import GarlandPlanner
import GarlandWorkflow

/// The files that a command reads.
extension Workspace {
  /// The maximum size of a report that is read as a whole, in bytes.
  static let reportLimit = 512 << 20

  /// Reads a report as a whole, to find its mistake. Returns nil for a file that can't be read a second time, such as a pipe.
  static func wholeReport(at path: String) -> [UInt8]? {
    guard isRegularFile(path) else { return nil }
    return try? SystemFiles().read(path, limit: reportLimit)
  }

  /// Returns the absolute path of a document, with symbolic links resolved if the document still exists.
  func path(of workflow: Workflow) -> String {
    let path = workflow.directory + "/" + (workflow.file.name.split(separator: "/").last.map(String.init) ?? "")
    return files.files.resolve(path) ?? path
  }

  /// Returns the absolute paths of the documents of a plan, and of the files that its steps use.
  func paths(neededBy plan: Plan) -> [String] {
    plan.workflows.withUsedAndCalled.map { path(of: $0) } + plan.steps.flatMap(\.step.files).map { files.files.resolve($0) ?? $0 }
  }

  /// Returns the paths of all files that a command may read for a plan:
  /// - the documents of the plan, and the documents that they use or call
  /// - the files that the steps of all these documents use
  /// - the files of values, secrets, projects and quarantines
  func inputs(of plan: Plan) -> [String] {
    let workflows = plan.workflows.withUsedAndCalled
    let secrets = workflows.flatMap { $0.secrets.compactMap { $0.file?.value } }
    let used = Set(workflows.flatMap { $0.steps.flatMap(\.files) })
    return workflows.map { path(of: $0) } + used + secrets.map { absolute($0) } + sharedFiles
      + (projects?.foundQuarantines.compactMap { $0.file.map { absolute($0.name) } } ?? [])
  }
}
